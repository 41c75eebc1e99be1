"""CerealBar's Seq2Seq with attention, the paper's baseline: words and map to actions without a plan."""

from housemates.models.registry import Spec

SPEC = Spec(
    name="cerealbar-seq2seq",
    summary="CerealBar's baseline Seq2Seq: attends to the words, encodes the map as one vector",
    version=2,
    configs="config:CONFIGS",
    learner="train:Seq2SeqLearner",
    net="model:network",
)
