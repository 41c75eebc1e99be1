"""Pictures as files: what every adapter sends."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from PIL import Image


def png(picture: np.ndarray) -> bytes:
    """A picture, an array of (height, width, 3) bytes, as the content of a PNG file."""
    stream = BytesIO()
    Image.fromarray(picture).save(stream, format="PNG")
    return stream.getvalue()
