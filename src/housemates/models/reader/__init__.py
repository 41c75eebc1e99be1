"""The reader's network: what a goal, instructions or a dialogue ask for, slot by slot."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="reader",
    summary="what people's words ask for, in TEACh and ALFRED (the agent `reader`)",
    version=1,
    configs="config:CONFIGS",
    learner="train:ReaderLearner",
)
