"""What an extra of Housemates installs on each system, by the metadata of the packages installed here."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
SYSTEMS = {
    "linux": {"platform_system": "Linux", "os_name": "posix", "platform_machine": "x86_64"},
    "darwin": {"platform_system": "Darwin", "os_name": "posix", "platform_machine": "arm64"},
    "win32": {"platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
}
"""`sys_platform` -> what else environment markers ask of a system."""
Place = tuple[str, str]
"""A system and a Python."""
PLACES: tuple[Place, ...] = tuple(itertools.product(SYSTEMS, PYTHONS))


def pinned() -> dict[str, str]:
    """The name of each package in constraints.txt and its version."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


def extras() -> list[str]:
    """The extras of Housemates, in alphabetical order."""
    return sorted(distribution("housemates").metadata.get_all("Provides-Extra") or [])


def needed(place: Place, *wanted: str) -> set[str]:
    """Every package that Housemates with these extras needs on one system with one Python."""
    system, python = place
    environment = {
        **SYSTEMS[system],
        "sys_platform": system,
        "python_version": python,
        "python_full_version": f"{python}.0",
    }
    found: set[tuple[str, tuple[str, ...]]] = set()
    waiting = [("housemates", wanted)]
    while waiting:
        name, with_extras = each = waiting.pop()
        if each in found:
            continue
        found.add(each)
        for requirement in _requirements(name):
            marker = requirement.marker
            chosen = (marker.evaluate({**environment, "extra": one}) for one in ("", *with_extras))
            if marker is None or any(chosen):
                waiting.append((canonicalize_name(requirement.name), tuple(sorted(requirement.extras))))
    return {name for name, _ in found} - {"housemates"}


def installed(name: str) -> Distribution | None:
    """A package of this environment; None for one that only other systems need."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def marker(places: set[Place]) -> str:
    """The environment marker for packages that are needed in these places alone; empty for all of them."""
    systems = {system for system, _ in places}
    pythons = {python for _, python in places}
    whole = len(places) == len(systems) * len(pythons)
    conditions = []
    if whole and len(systems) < len(SYSTEMS):
        conditions.append(" or ".join(f'sys_platform == "{each}"' for each in sorted(systems)))
    if whole and len(pythons) < len(PYTHONS):
        conditions.append(" or ".join(f'python_version == "{each}"' for each in sorted(pythons)))
    return " and ".join(f"({each})" if len(conditions) > 1 else each for each in conditions)


def _requirements(name: str) -> Iterator[Requirement]:
    found = installed(name)
    for text in (found.requires if found else None) or ():
        yield Requirement(re.sub(r"\s+", " ", text))
