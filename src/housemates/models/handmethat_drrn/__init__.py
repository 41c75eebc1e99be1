"""HandMeThat's DRRN: Q-values of valid commands from texts, learnt online or offline from demonstrations."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="handmethat-drrn",
    summary="HandMeThat's DRRN: Q-learning over valid commands, online or offline, with shaped rewards",
    version=2,
    configs="config:CONFIGS",
    learner="train:DrrnLearner",
)
