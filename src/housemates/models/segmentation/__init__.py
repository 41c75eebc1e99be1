"""Eyes: instance segmentation with types, states and depth from RGB, and image features for other models."""

from housemates.models.registry import Spec
from housemates.models.segmentation.inference import Eyes

__all__ = ["SPEC", "Eyes"]

SPEC = Spec(
    name="eyes",
    summary="instance segmentation with types, states and depth, and image features for other models",
    version=3,
    configs="config:CONFIGS",
    learner="train:EyesLearner",
    folder="segmentation",
)
