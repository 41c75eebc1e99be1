"""What a run says of itself before any episode: its benchmark, options, data, agents and tracks."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from housemates import __version__
from housemates.core import registry
from housemates.core.benchmark import Benchmark, Result
from housemates.core.loading import Seating, is_foreign, maker
from housemates.core.options import arguments_of
from housemates.core.registry import AgentSpec
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError, nearest
from housemates.evaluation.leaderboard.card import Card
from housemates.evaluation.leaderboard.findings import Finding, marked, wrong
from housemates.evaluation.leaderboard.submission import path_options
from housemates.evaluation.results import Header, Seat

VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){1,3}([a-z.+-][\w.+-]{0,30})?")
HARMLESS = re.compile(r"[\w.\-+ ]{0,100}")
"""An option that is text may be no more than a word, so that it names no file and no code."""
PLAIN = (bool, int, float)
"""Types of options that can name nothing."""
GENERATED = "generated"


def benchmark_of(header: Header, given: Mapping[str, str], data: Iterable[str]) -> Benchmark:
    """The benchmark of a run as it is here, with the data that are named here and no others.

    Args:
        header: Of the run; nothing that it names is opened or imported.
        given: The options that name data on this machine, for every benchmark that has them.
        data: Names of data that the run had, for the sentence that asks for them.

    Raises:
        HousematesError: if there is no such benchmark of this version here, or its data are missing.
    """
    made = registry.benchmark_class(header.name)
    if made.id != header.benchmark:
        raise HousematesError(f"expected a run of {made.id}, found {header.benchmark[:80]!r}.")
    if not VERSION.fullmatch(header.version) or _numbers(header.version) > _numbers(__version__):
        raise HousematesError(
            f"made by version {header.version[:80]!r} of housemates, of which {__version__} knows nothing."
        )
    paths = path_options(header.name)
    needed = sorted(key for key in header.options if key in paths and key not in _given(header.name, given))
    if needed:
        names = ", ".join(data) or header.options[needed[0]]
        raise HousematesError(f"needs data of its own ({names[:200]}): give --option {needed[0]}=PATH.")
    hints = get_type_hints(made.Options, include_extras=True)
    for key, value in header.options.items():
        if key not in paths:
            _check_option(made.Options, hints, key, value)
    benchmark = registry.benchmark(header.name, **portable_options(header, given))
    if header.split not in benchmark.splits:
        raise HousematesError(
            f"unknown split {header.split[:80]!r}: {nearest(header.split, benchmark.splits)}."
        )
    before = sorted(each.sha256 for each in header.files)
    if before != sorted(fingerprint(path).sha256 for path in benchmark.files()):
        raise HousematesError("the data are not those that the run was made with.")
    return benchmark


def portable_options(header: Header, given: Mapping[str, str]) -> dict[str, str]:
    """The options of a run with the data of this machine."""
    return {**header.options, **_given(header.name, given)}


def _given(name: str, given: Mapping[str, str]) -> dict[str, str]:
    """The options of a benchmark that name data on this machine; `NAME.KEY` is for that benchmark alone."""
    paths = path_options(name)
    own = {key.removeprefix(f"{name}."): value for key, value in given.items() if key.startswith(f"{name}.")}
    return {key: value for key, value in {**given, **own}.items() if key in paths}


def declared(header: Header, benchmark: Benchmark, refereed: bool = False) -> Iterator[Finding]:
    """What is wrong with what a run says of its agents, and of how much it is about."""
    if set(header.agents) != set(benchmark.roles):
        expected, found = ", ".join(benchmark.roles), ", ".join(sorted(header.agents))[:200]
        yield wrong("agents", f"expected who sits as {expected}, found {found or 'nobody'}")
        return
    for role, seat in header.agents.items():
        spec = known(benchmark, role, seat)
        if spec is not None and spec.privileged != seat.privileged:
            said = "privileged" if spec.privileged else "not privileged"
            yield wrong(f"agents.{role}", f"{seat.name} is {said}, and the run says otherwise")
        if spec is None and not _can_be_named(seat.name):
            yield wrong(f"agents.{role}", f"{seat.name[:80]!r} is the name of no agent")
        if spec is not None:
            yield from _options_of(role, seat, maker(benchmark.name, role, seat.name))
    if header.seed < 0:
        yield wrong("seed", f"expected 0 or more, found {header.seed}")
    if header.episodes is not None and header.episodes < 1:
        yield wrong("episodes", f"expected 1 or more, found {header.episodes}")
    if header.split == GENERATED and header.seed and not refereed:
        yield marked("seed", f"{header.seed}, where the board's is 0")
    if header.split == GENERATED and (header.episodes or benchmark.episodes) < benchmark.episodes:
        yield marked("episodes", f"{header.episodes}, where the board's are {benchmark.episodes}")
    if header.split != GENERATED and header.episodes is not None:
        yield marked("episodes", f"the first {header.episodes} of the split at most")


def _options_of(role: str, seat: Seat, make: Any) -> Iterator[Finding]:
    """What is wrong with the options of an agent of this package."""
    names = arguments_of(make)
    strange = next((key for key in seat.options if names is not None and key not in names), None)
    if strange is not None:
        yield wrong(f"agents.{role}", f"{seat.name} has no option {strange[:80]!r}")
    elif not _harmless(make, seat.options):
        yield marked(f"agents.{role}", f"{seat.name} is not run again, as its options name files")


def known(benchmark: Benchmark, role: str, seat: Seat) -> AgentSpec | None:
    """The agent of this package that sits there, if it is one."""
    if is_foreign(seat.name):
        return None
    return registry.agents_of(benchmark.name, role).get(seat.name)


def live(header: Header, benchmark: Benchmark) -> dict[str, Seating]:
    """The agents of a run that can be run again here, as their options name neither files nor code."""
    found = {}
    for role, seat in header.agents.items():
        spec = known(benchmark, role, seat)
        if spec is None or spec.waits or not _harmless(maker(benchmark.name, role, seat.name), seat.options):
            continue
        found[role] = Seating(seat.name, dict(seat.options))
    return found


def learned(header: Header, benchmark: Benchmark) -> bool:
    """Whether a network plays, whose numbers may differ between machines."""
    specs = [known(benchmark, role, seat) for role, seat in header.agents.items()]
    return any(spec is not None and (spec.model or "reader" in spec.name) for spec in specs)


def shown_tracks(header: Header, results: Iterable[Result]) -> list[str]:
    """The tracks that a run shows: those of `card.Track`."""
    ids = any("object" in each.pointed for each in results)
    there = {
        "ids": ids,
        "skills": header.options.get("acts") == "skills",
        "privileged": bool(header.privileged),
        "given-eyes": any(seat.options.get("eyes") == "given" for seat in header.agents.values()),
    }
    return [name for name, shown in there.items() if shown]


def declared_by_card(card: Card, tracks: Iterable[str]) -> Iterator[Finding]:
    """What the card says otherwise than the runs show."""
    shown, said = set(tracks), set(card.tracks)
    for name in sorted(shown - said):
        yield wrong("card.toml: tracks", f"{name} is missing, and the runs are of that track")
    for name in sorted(said - shown):
        yield wrong("card.toml: tracks", f"{name} is named, and no run is of that track")
    if card.eyes != "given" and "given-eyes" in shown:
        yield wrong("card.toml: eyes", f"{card.eyes}, and the runs are with given ones")
    if card.eyes == "own" and "ids" in shown:
        yield wrong("card.toml: eyes", "own, and things are pointed at by ids, which no picture shows")


def _check_option(options: type[Any], hints: Mapping[str, Any], key: str, value: str) -> None:
    """Refuse an option that could name a file or code of this machine."""
    if key not in {each.name for each in fields(options)}:
        raise HousematesError(f"has no option {key[:80]!r}.")
    word = _is_text(hints[key]) and HARMLESS.fullmatch(value) and not Path(value).exists()
    if not (_is_plain(hints[key]) or word):
        raise HousematesError(f"option {key}: {value[:80]!r} is nothing that a submission may name.")


def _harmless(make: Any, options: Mapping[str, str]) -> bool:
    """Whether all options are of types that can name nothing."""
    names = arguments_of(make)
    function = make.__init__ if inspect.isclass(make) else make
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError):
        hints = {}
    return all(names is not None and key in names and _is_plain(hints.get(key, str)) for key in options)


def _is_plain(hint: Any) -> bool:
    """Whether values of a type are numbers, yes and no, or words of a list."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _is_plain(get_args(hint)[0])
    if origin is Literal or hint in (*PLAIN, type(None)):
        return True
    return bool(get_args(hint)) and all(map(_is_plain, get_args(hint)))


def _is_text(hint: Any) -> bool:
    return hint is str or (bool(get_args(hint)) and all(map(_is_text, set(get_args(hint)) - {type(None)})))


def _can_be_named(name: str) -> bool:
    """Whether a name can be that of an agent from elsewhere: printable, and not too long."""
    return 0 < len(name) <= 300 and name.isprintable()


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers at the head of a version."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, match.group().split("."))) if match else ()
