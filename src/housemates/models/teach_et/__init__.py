"""TEACh's Episodic Transformer: reads the dialogue, sees, remembers all that it saw, acts and points."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="teach-et",
    summary="TEACh's Episodic Transformer for EDH and TfD: dialogue, frames, actions to actions and objects",
    version=1,
    configs="config:CONFIGS",
    learner="train:EtLearner",
    net="model:network",
)
