"""`python tests/agents/reader/conversing.py [DIALOGUES]`: what people accept, and whether claims are so."""

from __future__ import annotations

import argparse

from acceptance import refusal, rows
from truth import lies


def main() -> None:
    """Play the conversations and so many dialogues; the exit code is 1 if a claim of work is false."""
    parser = argparse.ArgumentParser(prog="python tests/agents/reader/conversing.py", description=__doc__)
    parser.add_argument("dialogues", type=int, nargs="?", default=0, help="how many dialogues are generated")
    parser.add_argument("--first", type=int, default=0, help="number of the first dialogue")
    parser.add_argument("--seed", type=int, default=0, help="the Follower's manner in the conversations")
    given = parser.parse_args()
    if not given.first:
        accepted(given.seed)
    if given.dialogues and told(given.dialogues, given.first):
        raise SystemExit(1)


def accepted(seed: int) -> None:
    """Print the conversations that a person would not accept, and the share of those that one would."""
    wrong = [why for row in rows() if (why := refusal(row, seed))]
    print(*wrong, sep="\n")
    print(
        f"{len(rows()) - len(wrong)} of {len(rows())} accepted ({1 - len(wrong) / len(rows()):.1%})",
        flush=True,
    )


def told(dialogues: int, first: int) -> int:
    """Print every false claim in generated dialogues, and their number among all claims; returns it."""
    utterances = claims = 0
    wrong = 0
    for number in range(first, first + dialogues):
        for lie, made in lies(number):
            utterances, claims, wrong = utterances + 1, claims + made, wrong + bool(lie)
            if lie:
                print(lie, flush=True)
    print(f"{dialogues} dialogues, {utterances} utterances")
    print(f"{claims} claims of work, {wrong} answers with a false one")
    return wrong


if __name__ == "__main__":
    main()
