"""CerealBar's follower: predicts a plan over the map from an instruction, then actions from the plan."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="cerealbar-plan",
    summary="CerealBar's follower: LingUNet predicts four distributions over the map, an LSTM acts on them",
    version=1,
    configs="config:CONFIGS",
    learner="train:PlanLearner",
    net="model:network",
)
