"""HandMeThat's DRRN: values each valid command by what it reads, learnt by playing or from demonstrations."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="handmethat-drrn",
    summary="HandMeThat's DRRN: values of valid commands, by playing, offline, with shaped rewards",
    version=1,
    configs="config:CONFIGS",
    learner="train:DrrnLearner",
)
