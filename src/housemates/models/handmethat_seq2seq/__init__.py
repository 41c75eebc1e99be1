"""HandMeThat's Seq2Seq: observations and the human's actions and words to the next command."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="handmethat-seq2seq",
    summary="HandMeThat's Seq2Seq: decodes the next command, optionally told the goal or sub-goal",
    version=2,
    configs="config:CONFIGS",
    learner="train:Seq2SeqLearner",
    net="model:network",
)
