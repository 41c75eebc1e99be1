"""The configs `paper` are the papers' networks: shapes that they state, and parameter counts that follow."""

from __future__ import annotations

import torch
from torch import nn

from housemates.models.alfred_seq2seq.model import Seq2Seq
from housemates.models.cerealbar_plan.model import PlanNet
from housemates.models.handmethat_drrn.config import DrrnConfig
from housemates.models.handmethat_drrn.model import Drrn
from housemates.models.registry import spec_of
from housemates.models.schedule import rate_at
from housemates.models.teach_et.data import ACTIONS, NOTHING
from housemates.models.teach_et.model import EpisodicTransformer

WORDS = 2233
"""The vocabulary of the released E.T. for TEACh."""
RESNET18, RESNET50 = (512, 7, 7), (2048, 7, 7)


def size(net: nn.Module) -> int:
    """Parameters of a network."""
    return sum(each.numel() for each in net.parameters())


def linear(inputs: int, outputs: int) -> int:
    """Parameters of a linear layer, or of a 1x1 convolution."""
    return (inputs + 1) * outputs


def lstm(inputs: int, hidden: int) -> int:
    """Parameters of an LSTM in one direction, as torch has it, with two biases."""
    return 4 * hidden * (inputs + hidden + 2)


def deconvolution(inputs: int, outputs: int, kernel: int) -> int:
    """Parameters of a transposed convolution."""
    return inputs * outputs * kernel**2 + outputs


def test_alfreds_seq2seq_is_the_papers_layer_by_layer() -> None:
    config = spec_of("alfred-seq2seq").config("paper")
    net = Seq2Seq(config, WORDS, RESNET18)  # type: ignore[arg-type]
    inputs = 2500 + 2 * 100 + 100
    state = inputs + 512
    assert size(net) == sum(
        (
            linear(512, 256)
            + linear(256, 64)
            + linear(64 * 7 * 7, 2500),  # two 1x1 convolutions, 2,500 features
            WORDS * 100 + 2 * lstm(100, 100),
            linear(200, 1) + linear(200, 512),  # self-attention over the words gives the first state
            linear(512, 200),
            14 * 100 + lstm(inputs, 512),  # 13 actions and a start
            linear(state, 13) + 2 * linear(state, 1),
            linear(state, 64 * 7 * 7),
            deconvolution(64, 32, 4) + deconvolution(32, 16, 4) + deconvolution(16, 1, 4),
        )
    )
    masks = net.masks(torch.zeros(2, state))
    assert masks.shape == (2, 300 * 300)
    weights = (config.mask_weight, config.progress_weight, config.subgoal_weight)  # type: ignore[attr-defined]
    assert (config.batch, config.rate, config.epochs, *weights) == (8, 1e-4, 50, 1.0, 0.1, 0.1)


def test_et_has_the_released_networks_parameters_but_for_what_our_types_need() -> None:
    config = spec_of("teach-et").config("paper")
    net = EpisodicTransformer(config, WORDS, RESNET50)  # type: ignore[arg-type]
    layer = 4 * linear(768, 768) + linear(768, 768) + linear(768, 768) + 4 * 768
    frames = linear(512, 256) + linear(256, 64) + linear(64 * 7 * 7, 768)
    ours = (3 + 1) * 768 + NOTHING * 769 + (len(ACTIONS) + 1) * 768
    assert size(net) == 4 * layer + 2 * frames + WORDS * 768 + linear(768, 768) + ours
    released = size(net) - ours + 97 * 769 + 18 * 768
    assert abs(released / 1e6 - 21.70) < 0.01
    assert net.encode_frames(torch.zeros(3, *RESNET50)).shape == (3, 768)


def test_et_is_trained_as_the_appendix_says() -> None:
    config = spec_of("teach-et").config("paper")
    assert (config.batch, config.epochs, config.weight_decay, config.weights) == (3, 20, 0.33, "last")
    assert [rate_at(config, step, 200) for step in (0, 99, 100, 199)] == [1e-4, 1e-4, 1e-5, 1e-5]


def test_cerealbars_follower_is_the_papers() -> None:
    config = spec_of("cerealbar-plan").config("paper")
    vocabulary = 3641 + 2
    net = PlanNet(config, vocabulary)  # type: ignore[arg-type]
    assert size(net.word_encoder) == 2 * lstm(64, 32)
    channels, text, depth, inputs = 48, 24, 4, 32 + 4
    down = sum(
        (9 * (inputs if level == 0 else channels) + 9 * channels + 2) * channels for level in range(depth)
    )
    kernels = depth * linear(64 // depth, text * channels)
    up = sum(
        deconvolution(text if level == depth - 1 else channels + text, channels, 3)
        for level in range(1, depth)
    )
    doubled = (depth - 1) * deconvolution(channels, channels, 3)
    implicit = text + (depth - 1) * channels
    assert size(net.unet) == down + kernels + up + doubled + deconvolution(channels + text, 4, 3) + implicit
    assert net.action_generator.convolution.weight.shape == (8, 4, 3, 3)
    assert net.action_generator.decoder.hidden_size == 128
    weights = (config.goal_weight, config.avoid_weight, config.nopass_weight)  # type: ignore[attr-defined]
    assert (config.rate, config.weight_decay, *weights) == (0.0075, 1e-6, 1.0, 0.1, 0.1)


def test_an_instruction_read_both_ways_does_not_depend_on_the_padding_of_its_batch() -> None:
    from housemates.models.cerealbar_plan.data import blank
    from housemates.models.cerealbar_plan.model import world_of

    net = PlanNet(spec_of("cerealbar-plan").config("paper"), 60).eval()  # type: ignore[arg-type]
    short, long = blank(2), blank(9)
    with torch.no_grad():
        alone = net.ground(world_of([short], net.config.reach)).instruction
        padded = net.ground(world_of([short, long], net.config.reach)).instruction
    torch.testing.assert_close(alone[0], padded[0])


def test_drrn_encodes_each_text_and_commands_by_a_gru_of_its_own() -> None:
    config = spec_of("handmethat-drrn").config("paper")
    assert isinstance(config, DrrnConfig)
    net = Drrn(config, 250)
    gru = 3 * 128 * (128 + 128 + 2)
    assert size(net) == 250 * 128 + 4 * gru + linear(4 * 128, 128) + linear(128, 1)
    assert (config.steps, config.batch, config.rate, config.discount) == (40, 64, 1e-4, 0.9)
