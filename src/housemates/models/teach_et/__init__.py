"""TEACh's Episodic Transformer (E.T.): dialogue and all frames so far to an action and a type of object."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="teach-et",
    summary="TEACh's Episodic Transformer for EDH and TfD: predicts an action and a type of object",
    version=2,
    configs="config:CONFIGS",
    learner="train:EtLearner",
    net="model:network",
)
