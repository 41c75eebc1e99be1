"""The reader's slot-filling network: what a goal, instructions or a dialogue ask for."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="reader",
    summary="slot filling: what people's words ask for in TEACh and ALFRED (the agent `reader`)",
    version=1,
    configs="config:CONFIGS",
    learner="train:ReaderLearner",
)
