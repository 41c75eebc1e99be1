"""A person at a terminal, in any seat."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from housemates.core.actions import Act, Offer, understand
from housemates.core.agent import Agent, Left
from housemates.core.copies import Memo
from housemates.core.outcome import Outcome, spoken
from housemates.core.percepts import Brief, Percept
from housemates.errors import HousematesError

HELP = "Type what you do, `help` for what you can do now, `look` to see it all again, `quit` to leave."
SPEECH = "Say"
SPEAKING = "Whatever else you type is said."


class Person(Agent):
    """Shows a person what its role perceives and asks what to do.

    Args:
        ask: Asks for a line; raises EOFError when there are no more.
        tell: Shows a text.
        columns: Width of pictures in characters; 0 shows none.
        picture: A PNG file that always shows the role's first picture.
    """

    def __init__(
        self,
        ask: Callable[[str], str] = input,
        tell: Callable[[str], None] = print,
        columns: int = 0,
        picture: Path | None = None,
    ) -> None:
        self.ask, self.tell, self.columns, self.picture = ask, tell, columns, picture

    def __deepcopy__(self, memo: Memo) -> Person:
        """Refused, as a person plays one episode at a time."""
        raise HousematesError("a person plays one episode at a time")

    def reset(self, brief: Brief) -> None:
        """Tell the rules and the goal."""
        self._shown = brief.goal
        goal = f"\n{brief.goal}" if brief.goal else ""
        spoken_to = f" {SPEAKING}" if any(each.name == SPEECH for each in brief.offers) else ""
        self.tell(f"You are the {brief.role}. {brief.rules}{goal}\n{HELP}{spoken_to}")

    def act(self, percept: Percept) -> Any:
        """Ask until a line is something to do."""
        refusal = "" if percept.last is None or percept.last.success else percept.last.message
        if refusal:
            self.tell(f"No: {refusal}")
        self.show(percept, refusal)
        while True:
            try:
                line = self.ask("> ").strip()
            except EOFError:
                raise Left from None
            if line in ("quit", "exit"):
                raise Left
            if line == "look":
                self._shown = ""
                self.show(percept)
            elif line in ("help", "?"):
                self.tell(describe(percept.offers))
            elif line:
                act = meant(line, percept.offers)
                if not isinstance(act, Outcome):
                    return act
                self.tell(act.message)

    def show(self, percept: Percept, refusal: str = "") -> None:
        """Show the picture, and the lines of the text that are new and do not tell the refusal."""
        for name, draw in list(percept.pictures.items())[:1]:
            self._draw(name, draw)
        before, fresh = Counter(self._shown.splitlines()), []
        for line in percept.text.splitlines():
            if not before[line] and not (refusal and refusal in line):
                fresh.append(line)
            before[line] -= 1
        self._shown = percept.text
        if fresh:
            self.tell("\n".join(fresh))

    def _draw(self, name: str, draw: Callable[[], Any]) -> None:
        if not self.columns and self.picture is None:
            return
        from housemates.render.terminal import blocks
        from housemates.reporting.video import save_png

        drawn = draw()
        if self.picture is not None:
            save_png(self.picture, drawn)
        if self.columns:
            self.tell(blocks(drawn, self.columns))


def at_terminal(picture: Path | None = None) -> Person:
    """A person at this process's terminal; pictures are shown if it can show them."""
    return Person(columns=80 if sys.stdout.isatty() else 0, picture=picture)


def describe(offers: Iterable[Offer]) -> str:
    """What can be done, a line each, with a short word for what needs nothing."""
    short = {offer: word for word, offer in shortcuts(offers).items()}
    lines = []
    for offer in offers:
        needs = " ".join(each.name.upper() for each in offer.arguments)
        key = f" ({short[offer.name]})" if offer.name in short else ""
        lines.append(f"  {offer.name}{key} {needs}: {offer.help}")
        for argument in offer.arguments:
            if argument.choices:
                lines.append(f"      {argument.name}: {', '.join(argument.choices)}")
    return "\n".join(lines)


def shortcuts(offers: Iterable[Offer]) -> Mapping[str, str]:
    """The first letters of each offer's words, where no other offer has the same: `tl` for `TurnLeft`."""
    found: dict[str, list[str]] = {}
    for offer in offers:
        found.setdefault("".join(re.findall(r"[A-Z]", offer.name)).lower(), []).append(offer.name)
    return {letters: names[0] for letters, names in found.items() if letters and len(names) == 1}


def meant(line: str, offers: tuple[Offer, ...]) -> Act | Outcome:
    """The act a person means by a line; things may be called by what they are: `pickup mug`.

    Where one can speak, what is no act is said.
    """
    menu = {offer.name: offer for offer in offers}
    word, _, rest = line.partition(" ")
    full = shortcuts(offers).get(word.lower())
    act = understand(f"{full} {rest}".strip() if full else line, menu, lambda: offers)
    if isinstance(act, Outcome):
        speaks = SPEECH in menu and not (full or (word in menu and menu[word].arguments))
        return Act(SPEECH, {"text": line}) if speaks else act
    choices = {each.name: each.choices for each in menu[act.name].arguments if each.kind == "object"}
    named = {key: _thing(value, choices.get(key, ())) for key, value in act.arguments.items()}
    return Act(act.name, named)


def _thing(value: Any, choices: tuple[str, ...]) -> Any:
    """The first of the choices that the words name, if they are words for one."""
    if not isinstance(value, str) or value in choices:
        return value
    wanted = value.lower().removeprefix("the ").replace(" ", "")
    kinds = {choice: spoken(choice.split("|")[0]).replace(" ", "") for choice in choices}
    exact = [choice for choice, kind in kinds.items() if kind == wanted]
    like = [choice for choice, kind in kinds.items() if wanted and wanted in kind]
    return next(iter(exact + like), value)
