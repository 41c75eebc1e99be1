"""CerealBar's follower: LingUNet plans over the map from an instruction, an LSTM acts by the plan."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="cerealbar-plan",
    summary="CerealBar's follower: LingUNet predicts four distributions over the map, an LSTM acts on them",
    version=2,
    configs="config:CONFIGS",
    learner="train:PlanLearner",
    net="model:network",
)
