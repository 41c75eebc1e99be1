"""HandMeThat's Seq2Seq: reads the home and what the human did and said, writes the next command."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="handmethat-seq2seq",
    summary="HandMeThat's Seq2Seq, plain or told the goal or sub-goal: writes the next command",
    version=1,
    configs="config:CONFIGS",
    learner="train:Seq2SeqLearner",
    net="model:network",
)
