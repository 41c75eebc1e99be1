"""ResNets of weights that the user has, here drawn at random, become the encoders of the configs `paper`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from housemates.cli.main import main
from housemates.errors import HousematesError
from housemates.models.image_encoders import encoder_of
from housemates.models.resnet import BACKBONE, ResNet, load_resnet

CLASSIFIER = {"resnet18": 512 * 1000 + 1000, "resnet50": 2048 * 1000 + 1000}
PUBLISHED = {"resnet18": 11_689_512, "resnet50": 25_557_032}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_convolutions_have_the_published_number_of_parameters(name: str) -> None:
    own = sum(each.numel() for each in ResNet(name).parameters())
    assert own + CLASSIFIER[name] == PUBLISHED[name]


@pytest.mark.parametrize("prefix", ["", BACKBONE])
def test_a_resnet_becomes_an_encoder_with_its_features(prefix: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    net = ResNet("resnet18").eval()
    path, out = tmp_path / "resnet18.pth", tmp_path / "resnet18.onnx"
    torch.save({f"{prefix}{key}": each for key, each in net.state_dict().items()}, path)
    main(["export", "encoder", "resnet18", "--weights", str(path), "--out", str(out)])
    encoder = encoder_of(str(out))
    assert encoder.shape == (512, 7, 7)
    blank = np.zeros((1, 224, 224, 3), np.uint8)
    mean, deviation = torch.tensor((0.485, 0.456, 0.406)), torch.tensor((0.229, 0.224, 0.225))
    given = (-mean / deviation).view(1, 3, 1, 1).expand(1, 3, 224, 224)
    with torch.no_grad():
        np.testing.assert_allclose(encoder.encode(blank), net(given).numpy(), atol=1e-3)


def test_weights_of_another_architecture_are_one_sentence(tmp_path: Path) -> None:
    torch.save(ResNet("resnet18").state_dict(), tmp_path / "weights.pth")
    with pytest.raises(
        HousematesError, match=r"weights\.pth: is no resnet50: layer1\.0\.conv1\.weight: expected"
    ):
        load_resnet("resnet50", tmp_path / "weights.pth")
