"""What is released is whole: the wheel, the hashes, the licences, the image, the workflows, the versions."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from contextlib import suppress
from dataclasses import fields
from fnmatch import fnmatch
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import housemates
from housemates.cli.main import VERBS
from housemates.cli.scenes import COMMANDS
from housemates.cli.studio import Serve

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKS = {name: ROOT / "requirements" / f"{name}.txt" for name in ("demo", "dev", "all")}
LOCKED = re.compile(r"^([\w.-]+)==(\S+).*\\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)
PYTHONS = ("3.11", "3.12", "3.13")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def pinned() -> dict[str, str]:
    lines = (line for line in text_of("constraints.txt").splitlines() if not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, each on one line."""
    text = re.sub(r"\\\n\s*", " ", text_of("Dockerfile"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


def told(instruction: str) -> list[str]:
    return [rest for name, rest in instructions() if name == instruction]


def test_every_pinned_version_has_hashes_in_one_lock() -> None:
    entries = [entry for path in LOCKS.values() for entry in LOCKED.findall(path.read_text(encoding="utf-8"))]
    names = [name for name, _, _ in entries]
    assert len(names) == len(set(names))
    assert {name: version for name, version, _ in entries} == pinned()


@pytest.mark.parametrize(
    ("files", "locked"),
    [
        (["thing-1.0-py3-none-any.whl", "thing-1.0.tar.gz", "thing-1.1-py3-none-any.whl"], [0]),
        (["thing-1.0.tar.gz"], [0]),
        (["thing-1.0-cp310-abi3-win_amd64.whl", "thing-1.0-cp310-cp310-win_amd64.whl"], [0]),
        (["thing-1.0-cp313-cp313t-win_amd64.whl", "thing-1.0-cp313-cp313-macosx_11_0_arm64.whl"], [1]),
        (
            [
                "thing-1.0-cp311-cp311-manylinux_2_28_x86_64.whl",
                "thing-1.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl",
                "thing-1.0-cp311-cp311-win_amd64.whl",
            ],
            [1, 2],
        ),
    ],
    ids=["any system", "source alone", "stable ABI", "without the GIL", "CPU build"],
)
def test_a_lock_has_the_files_that_supported_systems_install(
    files: list[str], locked: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "release")
    digests = [f"{number:064x}" for number in range(len(files))]
    links = [
        f'<a href="../{name.replace("+", "%2B")}#sha256={digest}">{name}</a>'
        for name, digest in zip(files, digests, strict=True)
    ]
    (tmp_path / "thing").mkdir()
    (tmp_path / "thing" / "index.html").write_text("\n".join(links), encoding="utf-8")
    sources = importlib.import_module("lock").Sources([tmp_path.as_uri()], [])
    assert sources.files_of("thing", "1.0") == [digests[number] for number in locked]


def test_a_lock_includes_what_is_above_it() -> None:
    assert "-r" not in LOCKS["demo"].read_text(encoding="utf-8").split()
    assert "-r demo.txt\n" in LOCKS["dev"].read_text(encoding="utf-8")
    assert "-r dev.txt\n" in LOCKS["all"].read_text(encoding="utf-8")


def test_pinned_versions_run_on_the_first_release_of_every_supported_python() -> None:
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    for name, version in pinned().items():
        with suppress(PackageNotFoundError):
            metadata = distribution(name).metadata
            asked = metadata.get("Requires-Python") if metadata["Version"] == version else None
            refused = [python for python in PYTHONS if asked and f"{python}.0" not in SpecifierSet(asked)]
            assert refused == [], f"{name} {asked}"


def test_the_page_of_licences_names_every_pinned_package() -> None:
    rows = re.findall(r"^\| ([\w.-]+) \| (\S+) \| ", text_of("docs/licences.md"), re.MULTILINE)
    assert dict(row for row in rows if row[0] not in ("package", "---")) == pinned()


def test_the_version_is_the_same_everywhere() -> None:
    version = PROJECT["version"]
    assert housemates.__version__ == version
    assert yaml.safe_load(text_of("CITATION.cff"))["version"] == version
    latest = re.search(r"^## (\S+) – (\S+)", text_of("CHANGELOG.md"), re.MULTILINE)
    assert latest is not None
    assert latest[1] == version
    assert str(yaml.safe_load(text_of("CITATION.cff"))["date-released"]) == latest[2]


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    package = ROOT / "src"
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "src"):
        (copy / name).symlink_to(ROOT / name)
    build = "import setuptools.build_meta as b, sys; b.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, tmp_path], cwd=copy, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        inside = {name for name in wheel.namelist() if ".dist-info/" not in name}
    files = (path for path in (package / "housemates").rglob("*") if path.is_file())
    assert inside == {
        path.relative_to(package).as_posix() for path in files if "__pycache__" not in path.parts
    }


def test_everything_that_the_image_copies_is_there_and_sent_to_the_builder() -> None:
    *rules, last = [line for line in text_of(".dockerignore").splitlines() if line]
    kept = [rule[1:] for rule in [*rules, last] if rule.startswith("!")]
    copied = [words for words in map(str.split, told("COPY")) if not words[0].startswith("--from")]
    assert copied
    for *sources, _ in copied:
        for source in sources:
            assert (ROOT / source).exists(), source
            assert any(fnmatch(source, rule) for rule in kept), source


def test_the_image_runs_as_a_user_and_looks_after_its_health() -> None:
    assert told("USER")[-1] == "housemates"
    health = told("HEALTHCHECK")[-1]
    assert "http://127.0.0.1:8000/health" in health
    compile(json.loads(health.partition("CMD ")[2])[2], "HEALTHCHECK", "exec")
    assert told("EXPOSE") == [str(Serve.port)]


def test_the_commands_of_the_image_are_there() -> None:
    program, words = json.loads(told("ENTRYPOINT")[-1]), json.loads(told("CMD")[-1])
    assert program == list(PROJECT["scripts"])
    assert words[0] in VERBS
    flags = {f"--{each.name}" for each in fields(Serve)}
    assert {word for word in words if word.startswith("--")} <= flags
    ran = [shlex.split(rest) for rest in told("RUN") if rest.startswith("housemates ")]
    for _, verb, noun, *rest in ran:
        assert verb == "scenes"
        known = {f"--{each.name}" for each in fields(COMMANDS[noun])}
        assert {word for word in rest if word.startswith("--")} <= known


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_call_targets_of_the_makefile(path: Path) -> None:
    workflow: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    targets = set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE))
    for job in workflow["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        for step in job["steps"]:
            for name in re.findall(r"\bmake (\$\{\{ matrix\.target \}\}|[\w-]+)", step.get("run", "")):
                called = matrix["target"] if name.startswith("$") else [name]
                assert set(called) <= targets


def test_the_suite_is_run_by_every_python_on_three_systems() -> None:
    matrix = yaml.safe_load(text_of(".github/workflows/test.yml"))["jobs"]["test"]["strategy"]["matrix"]
    assert tuple(matrix["python"]) == PYTHONS
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
