"""How pictures become features that models take in: made once for each picture, and kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.models.checkpoints import carried
from housemates.models.networks import session
from housemates.models.segmentation.inference import ENCODER, SHIPPED, coarsest
from housemates.models.segmentation.pixels import HUES, KNOWN, pooled

SIDE = 10
"""Of the grid of features, where an encoder decides it itself."""
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
"""Of the channels of the pictures that published encoders were trained on."""
PUBLISHED_PX = 224


class Encoder(ABC):
    """Turns pictures into maps of features."""

    shape: tuple[int, int, int]
    """Channels, rows and columns."""
    name: str
    """Decides what the numbers are, with all that they depend on."""

    file: Path | None = None
    """What it is made of, where it is a file."""
    kept_as: str = ENCODER
    """What a checkpoint calls its copy of that."""

    @abstractmethod
    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Pictures (n, height, width, 3) as maps (n, channels, rows, columns)."""


class PlainEncoder(Encoder):
    """Colours, and how much they change, on a coarse grid: nothing is learnt."""

    shape = (6, SIDE, SIDE)
    name = "plain 1"

    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """The mean and the deviation of each colour in each cell."""
        count, height, width = rgb.shape[:3]
        rows, columns = height // SIDE, width // SIDE
        cut = rgb[:, : rows * SIDE, : columns * SIDE].astype(np.float32) / 255.0
        cells = cut.reshape(count, SIDE, rows, SIDE, columns, 3)
        both = np.concatenate([cells.mean((2, 4)), cells.std((2, 4))], -1)
        return np.ascontiguousarray(both.transpose(0, 3, 1, 2))


class HuesEncoder(Encoder):
    """What colours mean to the eyes, on a coarse grid: at a tenth of their cost, nothing is recognised."""

    shape = (3 * HUES, SIDE, SIDE)
    kept_as = KNOWN.name

    def __init__(self, path: Path = KNOWN) -> None:
        self.name, self.file = f"hues 1 {fingerprint(path).sha256}", path
        self._path = path

    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """One picture after the other."""
        return np.stack([pooled(picture, SIDE, self._path) for picture in rgb])


class FileEncoder(Encoder):
    """An ONNX file of one's own, such as the convolutions of a ResNet: (1, 3, 224, 224) -> (1, c, h, w)."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise HousematesError(f"{path}: no such file; expected plain, hues, eyes or an ONNX file.")
        self.name, self.file = f"file {fingerprint(path).sha256}", path
        self._session = session(path)
        blank = np.zeros((1, PUBLISHED_PX, PUBLISHED_PX, 3), np.uint8)
        found = self._run(blank)
        if found.ndim != 4:
            raise HousematesError(f"{path}: expected features (1, c, h, w), found {found.shape}.")
        self.shape = (found.shape[1], found.shape[2], found.shape[3])

    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """One picture after the other."""
        return np.concatenate([self._run(picture[None]) for picture in rgb])

    def _run(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        from PIL import Image

        sized = Image.fromarray(rgb[0]).resize((PUBLISHED_PX, PUBLISHED_PX), Image.Resampling.BILINEAR)
        scaled = (np.asarray(sized, np.float32) / 255.0 - MEAN) / DEVIATION
        given = np.ascontiguousarray(scaled.transpose(2, 0, 1)[None], np.float32)
        return np.asarray(self._session.run(None, {self._session.get_inputs()[0].name: given})[0])


class EyesEncoder(Encoder):
    """The coarsest features of eyes: of those that come with the package, or of another `encoder.onnx`."""

    def __init__(self, path: Path | None = None) -> None:
        self.file = SHIPPED / ENCODER if path is None else path
        self.name = f"eyes {fingerprint(self.file).sha256}"
        self._session = session(self.file)
        found = self.encode(np.zeros((1, 30, 30, 3), np.uint8)).shape
        self.shape = (found[1], found[2], found[3])

    def encode(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """One picture after the other."""
        return np.stack([coarsest(self._session, picture) for picture in rgb])


def encoder_of(name: str, folder: Path | None = None) -> Encoder:
    """`plain`, `hues`, `eyes`, or the path of an ONNX file; for a checkpoint the copy that it carries."""
    if name == "plain":
        return PlainEncoder()
    if name == "hues":
        return HuesEncoder(KNOWN if folder is None else carried(folder, KNOWN.name))
    path = None if folder is None else carried(folder, ENCODER)
    return EyesEncoder(path) if name == "eyes" else FileEncoder(path or Path(name))


def carried_by(encoder: Encoder) -> dict[str, Path]:
    """What a checkpoint has to carry for its network to see as it saw in training."""
    return {} if encoder.file is None else {encoder.kept_as: encoder.file}
