"""Pictures on their way to a browser: encoded, and only if they look different from the last ones."""

from __future__ import annotations

import io
import struct

import msgspec
import numpy as np
from PIL import Image

MARK = struct.Struct(">H")


def packed(name: str, turn: int, picture: np.ndarray, quality: int) -> bytes:
    """A picture as one binary message: the length of a JSON header, the header, and a JPEG file."""
    height, width = picture.shape[:2]
    header = msgspec.json.encode({"picture": name, "turn": turn, "width": width, "height": height})
    return MARK.pack(len(header)) + header + jpeg(picture, quality)


def jpeg(picture: np.ndarray, quality: int) -> bytes:
    """A picture as a JPEG file."""
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "JPEG", quality=quality, subsampling=0 if quality >= 90 else 2)
    return out.getvalue()


class Shown:
    """What a seat was shown last."""

    def __init__(self) -> None:
        self._last: dict[str, np.ndarray] = {}

    def changed(self, name: str, picture: np.ndarray) -> bool:
        """Whether a picture looks different from the last one of its name, which it becomes."""
        last = self._last.get(name)
        if last is not None and last.shape == picture.shape and np.array_equal(last, picture):
            return False
        self._last[name] = picture
        return True

    def forget(self, kept: object = ()) -> None:
        """Take all pictures for new again."""
        self._last.clear()
