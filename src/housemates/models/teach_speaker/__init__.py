"""A Commander for TEACh that has learnt from people what to say next, and says what is true of the room."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="teach-speaker",
    summary="TEACh's Commander: chooses among people's lines, and fills in things and places that it knows",
    version=2,
    configs="config:CONFIGS",
    learner="train:SpeakerLearner",
    net="model:network",
)
