"""The reader as the Follower of any Commander, a person's words included: listens, does, asks and reports."""

from __future__ import annotations

from housemates.agents.reader.chores import Chores
from housemates.agents.reader.deciding import decide_dialogue
from housemates.agents.reader.household import Household
from housemates.agents.reader.reading import shipped_network
from housemates.agents.reader.seeking import Seeker
from housemates.agents.reader.slots import Asked
from housemates.agents.reader.words import dialogue, words_of
from housemates.benchmarks.base import Brief
from housemates.benchmarks.embodied.body import Doing
from housemates.benchmarks.embodied.meaning import Meaning, Order, Phrase, Remark
from housemates.benchmarks.seat import Utterance
from housemates.benchmarks.teach.agents.talk.follower import TalkFollower
from housemates.benchmarks.teach.agents.talk.orders import Orders
from housemates.benchmarks.teach.agents.talk.parsing import understand

SURE = 0.5
"""How likely a task must be for it to be done without being asked for in so many words."""
LONGEST = 2000
"""Letters of an utterance that are listened to."""
TASK = "task"
"""The verb of an order that is a whole task, as the network reads it."""


class ReaderOrders(Orders):
    """Carries out single orders, and whole tasks."""

    def __init__(self, orders: Orders, household: Household) -> None:
        super().__init__(orders.hands, orders.finder)
        self.household = household
        self.asked: dict[str, Asked] = {}

    def carry_out(self, order: Order) -> Doing[list[Order]]:
        """Do what is said, or the task that is meant."""
        if order.verb != TASK or order.theme is None:
            return (yield from super().carry_out(order))
        yield from self.household.carry_out(*self.asked[order.theme.words])
        return []


class ReaderFollower(TalkFollower):
    """Understands single orders by grammar, and whole wishes by what people meant with such words."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        super().reset(brief)
        hands = self.orders.hands
        chores = Chores(hands, Seeker(hands, brief.limits.steps // 2))
        self.reading = ReaderOrders(self.orders, Household(chores))
        self.orders = self.reading

    def understood(self, text: str) -> list[Meaning]:
        """What an utterance means: orders as they are said, or else the task that is likely meant."""
        text = corrected(text[:LONGEST])
        found = understand(text)
        if any(isinstance(each, Order) for each in found) or any(isinstance(each, Remark) for each in found):
            return found
        network = shipped_network()
        best = decide_dialogue(network.card, network.odds(dialogue([Utterance("commander", text)])))[0]
        if best.odds < SURE or len(words_of(text)) < 3:
            return found
        self.reading.asked[text] = best.asked
        return [*found, Order(TASK, Phrase(words=text))]


def corrected(text: str) -> str:
    """The text with misspelt words as they are likely meant."""
    spelling = shipped_network().spelling
    return " ".join(
        word if not word.isalpha() or word in spelling.known else spelling.guess(word) or word
        for word in _parts(text)
    )


def _parts(text: str) -> list[str]:
    """Words and all else of a text."""
    found, word = [], ""
    for letter in text:
        if letter.isalpha():
            word += letter.lower()
            continue
        found += [each for each in (word, letter) if each.strip()]
        word = ""
    return [*found, word] if word else found
