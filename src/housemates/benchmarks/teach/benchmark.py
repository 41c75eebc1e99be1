"""The three benchmarks: EDH and TfD for a Follower on its own, TATC for a Commander and a Follower."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, Literal

from housemates.benchmarks.teach import metrics
from housemates.benchmarks.teach.formats import starts
from housemates.benchmarks.teach.formats.episodes import Game, parse_game
from housemates.benchmarks.teach.formats.instances import cut_edh, cuts, list_edh, parse_edh, read_split
from housemates.benchmarks.teach.formats.starts import Given, Listed, Start
from housemates.benchmarks.teach.formats.states import recall
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sampling import Draw
from housemates.benchmarks.teach.generate.sessions import make
from housemates.benchmarks.teach.session import LIMITS, FollowerSession, HomeSession, TatcSession
from housemates.benchmarks.teach.tasks.leaks import leak
from housemates.benchmarks.teach.world.views import Seeing
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.options import Paths
from housemates.core.scoring import in_skills
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.data.packs import Place, read_place
from housemates.data.store import is_store, open_store
from housemates.errors import HousematesError
from housemates.home import skills
from housemates.home.naming import NamesOption
from housemates.render.camera import read_size
from housemates.render.looks import LooksName

GENERATED = "generated"


@dataclass(frozen=True)
class CommonOptions:
    """Options of all three benchmarks."""

    RENAMED: ClassVar[Mapping[str, str]] = {"games": "data"}

    data: Paths | None = None
    """Recorded games: files, folders or stores, separated by commas; needed for every split but generated."""
    store: Path | None = None
    """The store with the games' floor plans; that of `data` if it is one, else the user's data folder."""
    only: Path | None = None
    """A file with the names of games or instances to use, one per line."""
    size: str = "300"
    """Side of the pictures in pixels, or width and height such as 160x120."""
    pointing: Literal["any", "object", "point"] = "any"
    """How objects may be selected: by id, by a point in the picture, or either."""
    window: Literal["reference", "paper"] = "reference"
    """Tolerance of clicks: 20x20 of 900 pixels as in the public code, or 10x10 as in the paper."""
    acts: Literal["low", "skills"] = "low"
    """The Follower's action space: the sixteen actions, or skills, which form a separate track."""
    looks: LooksName = "plain"
    """Appearance of homes: plain, or varied, with materials and light drawn for each episode and object,
    which forms a separate track."""
    names: NamesOption = "ids"
    """Names of objects in texts and choices: AI2-THOR's ids, or short names that last for the episode, such
    as `mug 2`, separate for each role. Both are accepted."""


@dataclass(frozen=True)
class EdhOptions(CommonOptions):
    """Options of EDH beside the common ones."""

    edh: Path | None = None
    """Official EDH files, to be used instead of cutting the games."""
    variant: Literal["released", "paper"] = "released"
    """EDH segmentation: the released code's filter, or every stretch as in section 4.1."""
    pair: Literal["rule", "talk", "people"] = "rule"
    """The pair that plays the sessions of the split generated."""


@dataclass(frozen=True)
class TfdOptions(CommonOptions):
    """Options of TfD beside the common ones."""

    goal: Literal["changes", "task"] = "changes"
    """The goal: all that people changed, as in the paper, or the task, as in the published code."""
    pair: Literal["rule", "talk", "people"] = "rule"
    """The pair that plays the sessions of the split generated."""


@dataclass(frozen=True)
class TatcOptions(CommonOptions):
    """Options of TATC beside the common ones."""

    rooms: Literal["all", "train", "seen", "unseen", "plans"] = "all"
    """Rooms of the split generated: those of a split, all of them, or the store's floor plans."""
    goal: Literal["task", "changes"] = "task"
    """The goal of recorded games: the task, or all that people changed, as in the paper."""
    commander: Literal["told", "progress"] = "told"
    """Whether the Commander knows the task, or learns it by Progress Checks alone, as in the paper."""


class TeachBenchmark(Benchmark):
    """What all three have in common: recorded games by their places, and sampled starts by their draws."""

    limits = LIMITS
    seat_options = frozenset({"size", "pointing", "window", "acts", "looks", "names"})
    splits: ClassVar[Mapping[str, str]] = {
        GENERATED: "",
        **dict.fromkeys((starts.RECORDED, *starts.SPLITS), "data"),
    }

    def __init__(self, options: Any = None) -> None:
        super().__init__(options)
        self.seeing = seeing_of(self.options)
        self.cut_off = skills.LIMITS if self.seeing.skilled else self.limits
        data = self.options.data
        self.store = open_store(self.options.store or (Path(data) if is_store(data) else None))
        self.only = None if self.options.only is None else read_split(self.options.only)

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """The twelve of the dataset."""
        return sampling.task_names()

    @abstractmethod
    def cut(self, game: Game, reference: Reference) -> Iterator[tuple[str, Any]]:
        """The instances of a recorded game: their ids and data."""

    @abstractmethod
    def made(self, drawn: Draw, reference: Reference) -> Iterator[tuple[str, Any]]:
        """The instances of a draw: their ids and data."""

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """Games in their order, by their places; for `generated` draws, the twelve tasks in turn."""
        if split == GENERATED:
            return self._draws(seed)
        return self._recorded(split, seed)

    def _draws(self, seed: int) -> Iterator[Reference]:
        rooms = getattr(self.options, "rooms", "all")
        store = None if rooms != sampling.PLANS or self.store is None else str(self.store.folder)
        sampling.homes(rooms, store)
        for number in count():
            (drawn,) = sampling.draws(seed, 1, sampling.task_names(), rooms, store, number)
            yield Reference(drawn.id, {"draw": asdict(drawn)}, seed)

    def _recorded(self, split: str, seed: int) -> Iterator[Reference]:
        wanted = None if self.only is None else {name.split(".edh")[0] for name in self.only}
        for each in self.games(split):
            if wanted is None or each.id in wanted or each.problem:
                yield reference_to(each, seed)

    def games(self, split: str) -> Iterator[Listed]:
        """The recorded games that the options name."""
        if not self.options.data:
            raise HousematesError(
                f"Split {split!r} needs recorded games: give --option data=FILE_OR_FOLDER; "
                f"without them there is {GENERATED!r}."
            )
        return starts.listed(self.options.data, split)

    def open(self, reference: Reference) -> list[Instance]:
        """Read or make what the reference tells."""
        told = reference.data
        if "problem" in told:
            raise HousematesError(told["problem"])
        if "draw" in told:
            drawn = Draw(**told["draw"])
            task, found = drawn.task, list(self.made(drawn, reference))
        else:
            game = starts.read_game(told["game"], reference.text)
            task, found = game.task.task_name, list(self.cut(game, reference))
            if self.only is not None:
                found = [(name, data) for name, data in found if not self.only.isdisjoint((name, game.id))]
        return [Instance(name, task, data, reference.seed) for name, data in found]

    def text(self, reference: Reference) -> str | None:
        """The game, if it stands in a packed file."""
        place = Place(*reference.data.get("game", ("",)))
        return read_place(*place) if place.line else None

    def files(self) -> Sequence[Path]:
        """The games, the store, and the lists that are named."""
        games = [Path(each.strip()) for each in (self.options.data or "").split(",") if each.strip()]
        others = [] if self.store is None else [self.store.folder]
        return [*games, *others, *([] if self.options.only is None else [self.options.only])]


class FollowerBenchmark(TeachBenchmark):
    """What EDH and TfD have in common: a Follower on its own, from a moment of a session."""

    roles = ("follower",)
    episodes = 120
    Data = Given

    def made(self, drawn: Draw, reference: Reference) -> Iterator[tuple[str, Given]]:
        """Cut from a session that a pair plays."""
        return self.cut(parse_game(make(drawn, self.options.pair).game, drawn.id), reference)

    def session(self, instance: Instance) -> FollowerSession:
        """Begin where the recorded Follower was."""
        return FollowerSession(instance, self.cut_off, self.seeing)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success and goal conditions; people's actions and one Stop are what length is weighed by."""
        assert isinstance(session, FollowerSession)
        reference = len(session.given.future) + 1
        made = metrics.scores(session.beginning, session.progress(), reference, session.taken)
        return made | skills_of(session)

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """The numbers of a run, beside the paper's Table 4 for the splits that it has."""
        rows = metrics.rows_beside(self.name.removeprefix("teach-"), split)
        made = metrics.summary(results, rows)
        return in_skills(made, results) if self.seeing.skilled else made


class Edh(FollowerBenchmark):
    """Bring about what people changed before they spoke again."""

    name = "teach-edh"
    id = "housemates/teach-edh-v3"
    Options = EdhOptions

    def cut(self, game: Game, reference: Reference) -> Iterator[tuple[str, Given]]:
        """Each stretch between utterances that counts, or those of official files."""
        official = [parse_edh(read_place(*each), str(Place(*each))) for each in reference.data.get("edh", ())]
        moments = [each.pred_start_idx for each in official] if official else cuts(game)
        past = recall(game, moments, self.store)
        for each in official or cut_edh(game, self.options.variant, past=past):
            yield each.instance_id, starts.edh_given(each, game, past)

    def _recorded(self, split: str, seed: int) -> Iterator[Reference]:
        """The games; where there are official files, those that they are cut from, with their places."""
        if self.options.edh is None:
            yield from super()._recorded(split, seed)
            return
        by_game: dict[str, list[tuple[str, Place]]] = {}
        for name, game, place in list_edh(self.options.edh):
            if self.only is None or not self.only.isdisjoint((name, game)):
                by_game.setdefault(game, []).append((name, place))
        for each in self.games(split):
            if each.id in by_game:
                places = [list(place) for _, place in by_game.pop(each.id)]
                yield Reference(each.id, {"game": list(each.place), "edh": places}, seed)
        for game, rest in by_game.items():
            for name, _ in rest:
                missing = f"the game {game} is not there" if game else "expected an EDH instance"
                yield Reference(name, {"problem": f"{name}: {missing}."}, seed)

    def files(self) -> Sequence[Path]:
        """Those of all benchmarks, and the official EDH files."""
        return [*super().files(), *([] if self.options.edh is None else [self.options.edh])]


class Tfd(FollowerBenchmark):
    """Do all that a whole dialogue was about."""

    name = "teach-tfd"
    id = "housemates/teach-tfd-v3"
    Options = TfdOptions

    def cut(self, game: Game, reference: Reference) -> Iterator[tuple[str, Given]]:
        """The one instance of a game."""
        yield f"{game.id}.tfd", starts.tfd_given(game, self.store, self.options.goal == "changes")


class Tatc(TeachBenchmark):
    """Finish household tasks in pairs."""

    name = "teach-tatc"
    id = "housemates/teach-tatc-v3"
    roles = ("commander", "follower")
    episodes = 240
    Data = Start
    Options = TatcOptions

    def cut(self, game: Game, reference: Reference) -> Iterator[tuple[str, Start]]:
        """The one instance of a game."""
        yield f"{game.id}.tatc", starts.start_of(game, self.store, self.options.goal == "changes")

    def made(self, drawn: Draw, reference: Reference) -> Iterator[tuple[str, Start]]:
        """The one start that is drawn."""
        yield drawn.id, sampling.start(drawn)

    def session(self, instance: Instance) -> TatcSession:
        """Return a new session of the instance."""
        return TatcSession(
            instance, self.cut_off, self.seeing, by_progress=self.options.commander == "progress"
        )

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success and goal conditions, both also weighted by the length of the recorded session, if any.

        `leaks` is the number of utterances that hold an id, a coordinate or the name of an action.
        """
        assert isinstance(session, TatcSession)
        reference = instance.data.reference
        made = metrics.scores(session.beginning, session.progress(), reference, session.taken)
        said = [utterance.text for utterance in session.dialogue]
        leaks = sum(leak(text) is not None for text in said)
        return made | skills_of(session) | {"utterances": float(len(said)), "leaks": float(leaks)}

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """The numbers of a run, beside the paper's Table 5."""
        if self.seeing.skilled:
            return in_skills(metrics.pair_summary(results, beside=False), results)
        return metrics.pair_summary(results)


def skills_of(session: HomeSession) -> dict[str, float]:
    """How many skills there were, where the Follower acts in them."""
    return {} if session.hands is None else {"skills": float(session.hands.skills)}


def reference_to(listed: Listed, seed: int) -> Reference:
    """The reference to a recorded game."""
    told = {"problem": listed.problem} if listed.problem else {"game": list(listed.place)}
    return Reference(listed.id, told, seed)


def seeing_of(options: CommonOptions) -> Seeing:
    """How agents look and point, by the options."""
    skilled = options.acts == "skills"
    pointing = options.pointing, options.window
    return Seeing(*read_size(options.size), *pointing, skilled, options.looks, options.names)
