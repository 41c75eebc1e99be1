"""ALFRED's Seq2Seq with progress monitors: language and frames to an action and a mask at each step."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="alfred-seq2seq",
    summary="ALFRED's Seq2Seq: attends to the words, predicts an action, a mask and two progress monitors",
    version=3,
    configs="config:CONFIGS",
    learner="train:AlfredLearner",
    net="model:network",
)
