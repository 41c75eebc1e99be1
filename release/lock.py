"""Write `requirements/*.txt`: each package of constraints.txt with the hashes of its files.

    make lock

It asks the indexes and folders that pip is configured with, for Linux, macOS and Windows and every supported
Python. Run it where `.[dev,docs,plan,ray]` is installed, so that it knows which package needs which.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag
from urllib.request import Request, url2pathname, urlopen

from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

from packages import PLACES, PYTHONS, ROOT, Place, marker, needed, pinned

LOCKS = {
    "demo": ("demo",),
    "dev": ("dev",),
    "all": ("dev", "docs", "plan", "ray"),
}
"""A file of `requirements/` -> the extras it installs; each file includes the one above it."""
INTERPRETERS = {"py3", *(f"cp{python.replace('.', '')}" for python in PYTHONS)}
SYSTEMS = ("any", "manylinux", "linux", "macosx", "win_amd64", "win_arm64")
HEADER = "# Made from constraints.txt by `make lock`; not edited by hand.\n"


class Links(HTMLParser):
    """The names and hashes of the files on a page of an index."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link that carries a hash."""
        address, fragment = urldefrag(dict(attrs).get("href") or "")
        if tag == "a" and fragment.startswith("sha256="):
            self.found.append((unquote(address.rpartition("/")[2]), fragment.removeprefix("sha256=")))


class Sources:
    """Where packages come from.

    Args:
        indexes: Addresses of indexes of packages.
        folders: Folders of wheels.
    """

    def __init__(self, indexes: Sequence[str], folders: Sequence[str]) -> None:
        self.indexes = indexes
        self.files = [
            (path.name, hashlib.sha256(path.read_bytes()).hexdigest())
            for folder in folders
            for path in Path(folder).glob("*.whl")
        ]

    @classmethod
    def configured(cls) -> Sources:
        """Where pip looks for packages on this machine."""
        from pip._internal.commands import create_command

        options, _ = create_command("download").parser.parse_args([])
        return cls([options.index_url, *options.extra_index_urls], options.find_links)

    def files_of(self, name: str, version: str) -> list[str]:
        """The hashes of the files of a release: wheels for the supported places, else the source archive."""
        found = {*self.files, *(each for index in self.indexes for each in _page(index, name))}
        wheels = {(tags, digest) for file, digest in found if (tags := _supported(file, name, version))}
        builds = {tags[0] for tags, _ in wheels}
        if any("+cpu" in build for build in builds):
            wheels = {each for each in wheels if "+cpu" in each[0][0] or "linux" not in each[0][1]}
        sources = {digest for file, digest in found if file in _archives(name, version)}
        return sorted({digest for _, digest in wheels} or sources)


def _page(index: str, name: str) -> Iterator[tuple[str, str]]:
    address = f"{index.rstrip('/')}/{name}/"
    if address.startswith("file:"):
        page = Path(url2pathname(address.removeprefix("file:"))) / "index.html"
        text = page.read_text(encoding="utf-8") if page.is_file() else ""
    else:
        with urlopen(Request(address, headers={"Accept": "text/html"}), timeout=60) as answer:
            text = answer.read().decode()
    yield from Links(text).found


def _supported(file: str, name: str, version: str) -> tuple[str, str] | None:
    """The build's version and the platform of a wheel of this release that runs in a supported place."""
    try:
        whose, found, _, tags = parse_wheel_filename(file)
    except InvalidWheelFilename:
        return None
    if whose != canonicalize_name(name) or Version(found.public) != Version(version):
        return None
    for tag in tags:
        stable = tag.abi == "abi3" and tag.interpreter.startswith("cp3")
        fits = tag.interpreter in INTERPRETERS and not tag.abi.endswith("t")
        if (stable or fits) and tag.platform.startswith(SYSTEMS):
            return str(found), tag.platform
    return None


def _archives(name: str, version: str) -> set[str]:
    names = {name, name.replace("-", "_")}
    return {f"{spelt}-{version}.{ending}" for spelt in names for ending in ("tar.gz", "zip")}


def written(versions: dict[str, str], sources: Sources) -> dict[str, str]:
    """The name of each lock and its text."""
    *_, everything = LOCKS.values()
    wanted = places_of(everything)
    if wanted.keys() != versions.keys():
        wrong = ", ".join(sorted(wanted.keys() ^ versions.keys()))
        sys.exit(f"constraints.txt: expected exactly the packages that are needed; see {wrong}.")
    with ThreadPoolExecutor(8) as asking:
        found = asking.map(lambda each: sources.files_of(*each), versions.items())
        hashes = dict(zip(versions, found, strict=True))
    locks, done, above = {}, set(), ""
    for lock, extras in LOCKS.items():
        names = sorted(places_of(extras).keys() - done)
        entries = (_entry(name, versions[name], wanted[name], hashes[name]) for name in names)
        locks[lock] = HEADER + above + "".join(entries)
        done |= set(names)
        above = f"-r {lock}.txt\n"
    return locks


def places_of(extras: tuple[str, ...]) -> dict[str, set[Place]]:
    """Each package that the extras need, and where."""
    found: dict[str, set[Place]] = {}
    for place in PLACES:
        for name in needed(place, *extras):
            found.setdefault(name, set()).add(place)
    return found


def _entry(name: str, version: str, places: set[Place], hashes: list[str]) -> str:
    if not hashes:
        sys.exit(f"{name}=={version}: no file of it in any index that pip is configured with.")
    where = marker(places)
    first = f"{name}=={version}" + (f" ; {where}" if where else "")
    return " \\\n".join([first, *(f"    --hash=sha256:{each}" for each in hashes)]) + "\n"


if __name__ == "__main__":
    folder = ROOT / "requirements"
    folder.mkdir(exist_ok=True)
    for lock, text in written(pinned(), Sources.configured()).items():
        (folder / f"{lock}.txt").write_text(text, encoding="utf-8")
        print(f"requirements/{lock}.txt: {text.count('--hash')} hashes")
