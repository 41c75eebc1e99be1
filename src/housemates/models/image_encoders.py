"""Image encoders: pictures to feature maps, computed once per picture and cached.

Imported without torch, as agents encode what they see.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.models.checkpoints import carried
from housemates.models.networks import onnx_session
from housemates.models.segmentation.inference import ENCODER, SHIPPED, coarsest
from housemates.models.segmentation.pixels import HUES, KNOWN, pooled

SIDE = 10
"""Rows and columns of the feature maps of `plain` and `hues`."""
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
"""Of ImageNet's channels, on which published encoders were trained."""
PUBLISHED_PX = 224


class Encoder(ABC):
    """Turns RGB pictures into feature maps of one shape."""

    shape: tuple[int, int, int]
    """Channels, rows and columns."""
    name: str
    """Names the encoder and the fingerprint of its file: equal names give equal features."""

    file: Path | None = None
    """The file it is made of, if any."""
    kept_as: str = ENCODER
    """The name of that file in a checkpoint."""

    @abstractmethod
    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """uint8 pictures (n, height, width, 3) to float32 maps (n, channels, rows, columns)."""


class PlainEncoder(Encoder):
    """Mean and standard deviation of each colour on a 10x10 grid; nothing is learnt."""

    shape = (6, SIDE, SIDE)
    name = "plain 1"

    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(n, 6, 10, 10): three means, then three deviations, of colours from 0 to 1."""
        count, height, width = rgb.shape[:3]
        rows, columns = height // SIDE, width // SIDE
        cut = rgb[:, : rows * SIDE, : columns * SIDE].astype(np.float32) / 255.0
        cells = cut.reshape(count, SIDE, rows, SIDE, columns, 3)
        both = np.concatenate([cells.mean((2, 4)), cells.std((2, 4))], -1)
        return np.ascontiguousarray(both.transpose(0, 3, 1, 2))


class HuesEncoder(Encoder):
    """Colour embeddings of the segmentation network pooled on a 10x10 grid, at a tenth of its cost."""

    shape = (3 * HUES, SIDE, SIDE)
    kept_as = KNOWN.name

    def __init__(self, path: Path = KNOWN) -> None:
        self.name, self.file = f"hues 1 {fingerprint(path).sha256}", path
        self._path = path

    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Encode the pictures one by one."""
        return np.stack([pooled(picture, SIDE, self._path) for picture in rgb])


class FileEncoder(Encoder):
    """A user's ONNX file, such as the convolutions of a ResNet: (1, 3, 224, 224) -> (1, c, h, w)."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise HousematesError(f"{path}: no such file; expected plain, hues, eyes or an ONNX file.")
        self.name, self.file = f"file {fingerprint(path).sha256}", path
        self._session = onnx_session(path)
        blank = np.zeros((1, PUBLISHED_PX, PUBLISHED_PX, 3), np.uint8)
        found = self._run(blank)
        if found.ndim != 4:
            raise HousematesError(f"{path}: expected features (1, c, h, w), found {found.shape}.")
        self.shape = (found.shape[1], found.shape[2], found.shape[3])

    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Encode the pictures one by one."""
        return np.concatenate([self._run(picture[None]) for picture in rgb])

    def _run(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        from PIL import Image

        sized = Image.fromarray(rgb[0]).resize((PUBLISHED_PX, PUBLISHED_PX), Image.Resampling.BILINEAR)
        scaled = (np.asarray(sized, np.float32) / 255.0 - MEAN) / DEVIATION
        given = np.ascontiguousarray(scaled.transpose(2, 0, 1)[None], np.float32)
        return np.asarray(self._session.run(None, {self._session.get_inputs()[0].name: given})[0])


class EyesEncoder(Encoder):
    """The coarsest feature map of the segmentation network: the shipped one, or another `encoder.onnx`."""

    def __init__(self, path: Path | None = None) -> None:
        self.file = SHIPPED / ENCODER if path is None else path
        self.name = f"eyes {fingerprint(self.file).sha256}"
        self._session = onnx_session(self.file)
        found = self.encode(np.zeros((1, 30, 30, 3), np.uint8)).shape
        self.shape = (found[1], found[2], found[3])

    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Encode the pictures one by one."""
        return np.stack([coarsest(self._session, picture) for picture in rgb])


def encoder_of(name: str, folder: Path | None = None) -> Encoder:
    """The encoder called `plain`, `hues` or `eyes`, or that of an ONNX file.

    Args:
        name: As configs give it.
        folder: A checkpoint, whose copy of the encoder's file is used.

    Raises:
        HousematesError: the file does not exist or gives no feature map.
    """
    if name == "plain":
        return PlainEncoder()
    if name == "hues":
        return HuesEncoder(KNOWN if folder is None else carried(folder, KNOWN.name))
    path = None if folder is None else carried(folder, ENCODER)
    return EyesEncoder(path) if name == "eyes" else FileEncoder(path or Path(name))


def carried_by(encoder: Encoder) -> dict[str, Path]:
    """The files that a checkpoint carries so that its network gets the features it was trained on."""
    return {} if encoder.file is None else {encoder.kept_as: encoder.file}
