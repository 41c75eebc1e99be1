"""The folder of an evaluation: what decides it, a line for each episode, and what was said and done.

`run.json` is the header; `episodes.jsonl` has a `Result` a line and `transcripts.jsonl` a `Transcript` a
line, both in the order of the episodes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from housemates import __version__
from housemates.core.benchmark import Benchmark, Result
from housemates.core.loading import deciding, is_trained
from housemates.core.tokens import ESTIMATE, counter
from housemates.data.claims import claimed
from housemates.data.fingerprints import Fingerprint, by_name, fingerprint
from housemates.data.journal import Lines, difference
from housemates.errors import HousematesError
from housemates.evaluation.episodes import Introduction, Played, Run
from housemates.evaluation.transcripts import Transcript, packed, unpacked
from housemates.files import read_json, write_json
from housemates.typed_json import convert

FORMAT = 1
"""Of the folder; another one is refused."""
HEADER, EPISODES, TRANSCRIPTS = "run.json", "episodes.jsonl", "transcripts.jsonl"


class Seat(msgspec.Struct, frozen=True):
    """Who sat in a seat."""

    name: str
    options: dict[str, str] = {}
    privileged: bool = False
    sha256: str = ""
    """Of the file that an agent comes from, if it is one, or of the weights that it plays with."""
    isolate: bool = False
    """Whether it was to be kept apart."""
    isolated: dict[str, bool] = {}
    """From what it was kept away, if it was in a process of its own: `files`, `network`, ..."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides the results, and who is privileged."""

    format: int = FORMAT
    benchmark: str
    """With its version."""
    name: str
    """As on the command line."""
    version: str
    """Of this package."""
    split: str
    seed: int
    episodes: int | None
    options: dict[str, str]
    agents: dict[str, Seat]
    files: list[Fingerprint]
    act_timeout: float | None = None
    memory: int | None = None
    tokenizer: str = ""
    """What counted the tokens of percepts."""

    @property
    def privileged(self) -> tuple[str, ...]:
        """The roles whose agents look at what the role may not know."""
        return tuple(role for role, seat in self.agents.items() if seat.privileged)

    @property
    def isolated(self) -> dict[str, dict[str, bool]]:
        """Role -> from what its agent was kept away, if it was in a process of its own."""
        return {role: seat.isolated for role, seat in self.agents.items() if seat.isolated}


def header_of(run: Run, benchmark: Benchmark) -> Header:
    """The header of a run; who is privileged is not known yet."""
    return Header(
        benchmark=benchmark.id,
        name=run.benchmark,
        version=__version__,
        split=run.split,
        seed=run.seed,
        episodes=run.episodes,
        options=run.options,
        agents={
            role: Seat(
                seating.name,
                deciding(seating),
                sha256=_code_of(seating.name),
                isolate=seating.isolation is not None,
            )
            for role, seating in run.agents.items()
        },
        files=[fingerprint(path) for path in benchmark.files()],
        act_timeout=run.act_timeout,
        memory=run.memory,
        tokenizer=f"{Path(run.tokenizer).name} {_code(run.tokenizer)}" if run.tokenizer else ESTIMATE,
    )


def read_header(folder: Path) -> Header:
    """The header of a folder of results; anything else is refused."""
    path = folder / HEADER
    if not path.is_file():
        raise HousematesError(f"{folder}: expected a folder of results with a {HEADER}.")
    found = read_json(path)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise HousematesError(f"{path}: expected results of format {FORMAT}; name another folder.")
    return convert(found, Header, str(path))


def read_episodes(folder: Path) -> Lines[Result]:
    """The results of a folder."""
    return Lines(folder / EPISODES, Result)


def read_transcripts(folder: Path) -> Lines[Transcript]:
    """The transcripts of a folder, in the same order, with all texts whole."""
    return _Transcripts(folder / TRANSCRIPTS, Transcript)


class _Transcripts(Lines[Transcript]):
    """Transcripts on disk, in which what was read before in an episode is not written again."""

    def read(self, line: bytes, number: int) -> Transcript:
        """A transcript with its texts whole."""
        try:
            return unpacked(super().read(line, number))
        except HousematesError as error:
            place = f"{self.path}: line {number}"
            raise error if str(error).startswith(place) else HousematesError(f"{place}: {error}") from None

    def append(self, value: Transcript) -> None:
        """Write a transcript down, packed."""
        super().append(packed(value))


class Folder:
    """A folder that results are written to as they come; nobody else writes there meanwhile.

    Args:
        path: The folder; if it holds the same run, or one of fewer episodes, that is gone on with.
        header: Of the run.
        wanted: How many episodes the run has at most.
        retry_errors: Forget episodes that ended in an error.
    """

    def __init__(self, path: Path, header: Header, wanted: int | None, retry_errors: bool = False) -> None:
        self._path, self.header = path, header
        self._claim = contextlib.ExitStack()
        self._claim.enter_context(claimed(folders=[path]))
        self._episodes, self._transcripts = read_episodes(path), read_transcripts(path)
        try:
            self.results = self._taken_up(wanted, retry_errors)
        except BaseException:
            self.close()
            raise

    def begin(self, who: Introduction) -> None:
        """Write the header, now that it is known who is privileged, and from what who is kept away.

        Of a run that goes on, that is what held all along.
        """
        seats = {
            role: msgspec.structs.replace(
                seat,
                privileged=role in who.privileged,
                isolated={
                    key: kept and seat.isolated.get(key, kept)
                    for key, kept in who.isolated.get(role, {}).items()
                },
            )
            for role, seat in self.header.agents.items()
        }
        self.header = msgspec.structs.replace(self.header, agents=seats)
        write_json(self._path / HEADER, msgspec.to_builtins(self.header))

    def add(self, played: Played) -> None:
        """Write down an episode; it counts once both its lines are whole."""
        self._transcripts.append(played.transcript)
        self._episodes.append(played.result)
        self.results.append(played.result)

    def sort(self, place: Callable[[Result], Any]) -> None:
        """Put all episodes into this order."""
        numbers = sorted(range(len(self.results)), key=lambda number: place(self.results[number]))
        self._keep(numbers)
        self.results = [self.results[number] for number in numbers]

    def close(self) -> None:
        """Let others write here."""
        with self._claim:
            self._episodes.close()
            self._transcripts.close()

    def _taken_up(self, wanted: int | None, retry_errors: bool) -> list[Result]:
        """The episodes that are there and need not be played again; what is torn is cut off."""
        if not (self._path / HEADER).exists():
            if any((self._path / name).exists() for name in (EPISODES, TRANSCRIPTS)):
                raise HousematesError(f"{self._path}: holds results without a {HEADER}; name another folder.")
            return []
        before = read_header(self._path)
        if _compared(before) != _compared(self.header):
            raise HousematesError(
                f"{self._path}: holds the results of another run "
                f"({difference(_compared(before), _compared(self.header))}); name another folder."
            )
        self.header = msgspec.structs.replace(self.header, agents=before.agents)
        results = list(self._episodes)
        whole = self._whole(results)
        if wanted is not None and whole > wanted:
            raise HousematesError(
                f"{self._path}: holds {whole} episodes; ask for as many or more, or name another folder."
            )
        finished = whole == wanted and not retry_errors
        numbers = list(range(whole)) if finished else _complete(results[:whole], retry_errors)
        self._keep(numbers)
        return [results[number] for number in numbers]

    def _whole(self, results: Sequence[Result]) -> int:
        """How many episodes have both a result and a transcript."""
        names = Lines[_Named](self._transcripts.path, _Named)
        count = 0
        for result, told in zip(results, names, strict=False):
            if result.id != told.id:
                lines = f"{result.id!r} in {EPISODES}, {told.id!r} in {TRANSCRIPTS}"
                raise HousematesError(f"{self._path}: line {count + 1} is {lines}.")
            count += 1
        return count

    def _keep(self, numbers: Sequence[int]) -> None:
        self._transcripts.arrange(numbers)
        self._episodes.arrange(numbers)


class _Named(msgspec.Struct):
    """Of a transcript, whose it is."""

    id: str


def _complete(results: Sequence[Result], retry_errors: bool) -> list[int]:
    """The places of episodes whose reference is there as a whole, and without an error if that matters."""
    numbers = []
    for _, group in groupby(range(len(results)), key=lambda number: results[number].source):
        places = list(group)
        wrong = retry_errors and any(results[number].error for number in places)
        if len(places) == results[places[0]].of and not wrong:
            numbers += places
    return numbers


def _compared(header: Header) -> Any:
    """What has to be the same for a run to go on, or to have more episodes added."""
    found = msgspec.to_builtins(header)
    del found["act_timeout"], found["memory"], found["episodes"]
    found["tokenizer"] = found["tokenizer"] or ESTIMATE
    for seat in found["agents"].values():
        for found_out in ("privileged", "isolated"):
            seat.pop(found_out, None)
    found["files"] = by_name(header.files)
    return found


def _code(file: str) -> str:
    """The fingerprint of a tokenizer's file."""
    counter(file)
    return fingerprint(Path(file)).sha256


def _code_of(name: str) -> str:
    """The fingerprint of the file that an agent comes from, or of the weights that it plays with."""
    if is_trained(name):
        from housemates.models.checkpoints import weights_of

        return fingerprint(weights_of(Path(name))).sha256
    file = Path(name.rpartition(":")[0])
    return fingerprint(file).sha256 if file.suffix == ".py" and file.is_file() else ""
