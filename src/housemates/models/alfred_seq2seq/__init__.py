"""ALFRED's Seq2Seq with progress monitors: reads goal and instructions, sees, acts and points by masks."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="alfred-seq2seq",
    summary="ALFRED's Seq2Seq: attends to words, sees, acts, points by masks, knows how far it has come",
    version=2,
    configs="config:CONFIGS",
    learner="train:AlfredLearner",
    net="model:network",
)
