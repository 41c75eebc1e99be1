"""Writing pictures: PNG stills, GIF and MP4."""

from __future__ import annotations

import errno
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from housemates.core.pictures import png
from housemates.errors import HousematesError
from housemates.files import whole_file, write_bytes
from housemates.render.camera import Camera
from housemates.render.scene import Renderer

Picture = NDArray[np.uint8]
MP4 = ["-an", "-vcodec", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-crf", "15", "-f", "mp4"]
"""What films are written with, for players of every kind."""


def still(renderer: Renderer, camera: Camera, finer: int = 2) -> Picture:
    """A picture with smooth edges: drawn `finer` times as large and averaged."""
    drawn = renderer.frame(replace(camera, width=camera.width * finer, height=camera.height * finer)).rgb
    blocks = drawn.reshape(camera.height, finer, camera.width, finer, 3)
    total = blocks.sum(axis=(1, 3), dtype=np.uint32)
    return np.asarray(total // (finer * finer), np.uint8)


def save_png(path: str | Path, picture: Picture) -> None:
    """Write one picture; the file is whole or not there."""
    write_bytes(path, png(picture))


def save_video(path: str | Path, pictures: Iterable[Picture], fps: float = 4.0) -> None:
    """Write pictures of one size as a `.gif` or `.mp4`; the file is whole or not there."""
    writers = {".gif": _write_gif, ".mp4": _write_mp4}
    writer = writers.get(Path(path).suffix.lower())
    if writer is None:
        raise HousematesError(f"{path}: expected a name that ends in {' or '.join(writers)}.")
    if not 0.0 < fps <= 240.0:
        raise HousematesError(f"{path}: expected between 0 and 240 frames a second, found {fps}.")
    with whole_file(path) as temporary:
        writer(temporary, _same_size(path, pictures), fps)


def _write_gif(path: Path, pictures: Iterator[Picture], fps: float) -> None:
    images = [Image.fromarray(picture).quantize(256, dither=Image.Dither.NONE) for picture in pictures]
    images[0].save(
        path, format="GIF", save_all=True, append_images=images[1:], duration=round(1000 / fps), loop=0
    )


def _write_mp4(path: Path, pictures: Iterator[Picture], fps: float) -> None:
    try:
        import imageio_ffmpeg
    except ImportError:
        raise HousematesError(
            f"{path}: MP4 needs the package imageio-ffmpeg: pip install 'housemates[video]', or choose .gif."
        ) from None
    first = next(pictures)
    size = (first.shape[1] // 2 * 2, first.shape[0] // 2 * 2)
    if 0 in size:
        raise HousematesError(f"{path}: MP4 needs pictures of at least 2x2 pixels.")
    frames = (np.ascontiguousarray(each[: size[1], : size[0]]) for each in chain([first], pictures))
    given = ["-f", "rawvideo", "-s", f"{size[0]}x{size[1]}", "-pix_fmt", "rgb24"]
    rate = ["-r", str(Fraction(fps).limit_denominator())]
    _encode(
        [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", *given, *rate, "-i", "-", *MP4, str(path)], frames
    )


def _encode(command: list[str], frames: Iterable[Picture]) -> None:
    """Let a program that reads frames from its standard input write a file; raises OSError if it fails."""
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said, process_group=0) as program,
    ):
        assert program.stdin is not None
        try:
            with suppress(BrokenPipeError):
                for frame in frames:
                    program.stdin.write(frame.data)
            with suppress(BrokenPipeError):
                program.stdin.close()
            code = program.wait()
        except BaseException:
            program.kill()
            raise
        if code:
            said.seek(0)
            reasons = said.read().decode(errors="replace").strip().splitlines()
            reason = reasons[-1].rpartition(": ")[2] if reasons else f"ffmpeg ended with exit code {code}"
            raise OSError(errno.EIO, reason)


def _same_size(path: str | Path, pictures: Iterable[Picture]) -> Iterator[Picture]:
    shape = None
    for picture in pictures:
        if shape is not None and picture.shape != shape:
            raise HousematesError(f"{path}: all pictures of a video must have one size.")
        shape = picture.shape
        yield picture
    if shape is None:
        raise HousematesError(f"{path}: a video needs at least one picture.")
