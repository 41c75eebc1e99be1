"""Build the source archive and the wheel, and use the wheel in a clean environment outside of the repository.

    make wheel

The environment gets the packages of requirements/demo.txt, by their hashes, and the wheel. In it the demo, an
evaluation, an environment and the studio have to work.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUT = ROOT / "dist"
BESIDE = {"LICENSE", "README.md", "pyproject.toml"}
"""What the source archive holds beside the package."""
LOOP = """
import housemates
env = housemates.make("housemates/home-v3", scene="kitchen-03")
observation, info = env.reset(seed=7)
for _ in range(10):
    observation, *_ = env.step(env.action_space.sample())
assert observation["rgb"].shape == (300, 300, 3)
assert "site-packages" in housemates.__file__, housemates.__file__
"""
PATIENCE_S = 120


def build() -> tuple[Path, Path]:
    """Make the source archive, and from it the wheel."""
    shutil.rmtree(OUT, ignore_errors=True)
    run([sys.executable, "-m", "build", "--outdir", str(OUT), str(ROOT)], ROOT, dict(os.environ), quiet=True)
    return next(OUT.glob("*.tar.gz")), next(OUT.glob("*.whl"))


def compare(archive: Path, wheel: Path) -> None:
    """Every file of the package is in both, and nothing that is not of the package is in the wheel."""
    source = ROOT / "src"
    package = {
        path.relative_to(source).as_posix()
        for path in (source / "housemates").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as opened:
        inside = {name for name in opened.namelist() if ".dist-info/" not in name}
    with tarfile.open(archive) as tar:
        packed = {name.partition("/")[2] for name in tar.getnames()}
    expected = BESIDE | {f"src/{name}" for name in package}
    for what, found in (
        ("is in no wheel", package - inside),
        ("is in the wheel alone", inside - package),
        ("is in no source archive", expected - packed),
    ):
        if found:
            sys.exit(f"{sorted(found)[0]} {what}, and so are {len(found) - 1} other files.")
    print(f"{wheel.name}: {len(inside)} files, {wheel.stat().st_size / 2**20:.1f} MB.")


def prepare(folder: Path, wheel: Path, environ: dict[str, str]) -> Path:
    """Make an environment with the wheel and what it needs; the folder of its programs."""
    venv.create(folder / "environment", with_pip=True)
    programs = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(programs / "python"), "-m", "pip"]
    lock = ROOT / "requirements" / "demo.txt"
    run([*pip, "install", "--quiet", "--require-hashes", "--requirement", str(lock)], folder, environ)
    run([*pip, "install", "--quiet", "--no-deps", str(wheel)], folder, environ)
    run([*pip, "check"], folder, environ)
    return programs


def use(programs: Path, folder: Path, environ: dict[str, str]) -> None:
    """What the first hour with Housemates consists of."""
    housemates = str(programs / "housemates")
    run([str(programs / "python"), "-c", LOOP], folder, environ)
    run([housemates, "demo", "--out", "demo"], folder, environ, quiet=True)
    run([housemates, "eval", "handmethat", "--agents", "listener", "--episodes", "2"], folder, environ)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    studio = subprocess.Popen(
        [housemates, "studio", "--port", str(port)], cwd=folder, env=environ, stdout=subprocess.DEVNULL
    )
    try:
        print(f"studio: {healthy(studio, port)}")
    finally:
        studio.terminate()
        studio.wait(PATIENCE_S)


def healthy(server: subprocess.Popen[bytes], port: int) -> str:
    """What a server says of its health, as soon as it says something."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                return str(answer.read().decode())
        except (OSError, urllib.error.URLError):
            time.sleep(0.1)
    sys.exit("The studio does not answer.")


def run(words: list[str], folder: Path, environ: dict[str, str], quiet: bool = False) -> None:
    """Run a command that has to succeed, and say how long it took."""
    start = time.monotonic()
    found = subprocess.run(words, cwd=folder, env=environ, capture_output=quiet, text=True)
    if found.returncode:
        sys.exit(f"{' '.join(words)}: exit code {found.returncode}\n{found.stderr or ''}")
    told = " ".join(Path(each).name for each in words[:4] if "\n" not in each)
    print(f"{time.monotonic() - start:6.1f} s  {told}", flush=True)


def main() -> None:
    """Build, compare, install, use."""
    archive, wheel = build()
    compare(archive, wheel)
    with tempfile.TemporaryDirectory(prefix="a clean room ", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        strange = ("PYTHON", "HOUSEMATES", "VIRTUAL_ENV")
        environ = {key: value for key, value in os.environ.items() if not key.startswith(strange)}
        use(prepare(folder, wheel, environ), folder, environ)


if __name__ == "__main__":
    main()
