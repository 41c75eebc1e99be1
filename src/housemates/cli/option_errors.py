"""What the library that reads options says of a mistake, as one sentence."""

from __future__ import annotations

import re

FRAME = re.compile(r"\x1b\[[0-9;]*m|[╭╮╰╯│─]+|-{5,}|^[|+]|[|+]$", re.MULTILINE)
"""What its words stand in: colours and a box, of plain characters where there are no others."""
MISTAKES = (
    (r"Missing value for argument '(?P<flag>\S+)'", "{flag}: expected a value, found none"),
    (
        r"invalid choice '(?P<found>.*?)' for argument '(?P<flag>\S+)'\. Expected one of \((?P<kind>.*?),?\)",
        "{flag}: expected one of {kind}, found '{found}'",
    ),
    (
        r"Error parsing (?P<flag>\S+): .*(?P<quote>['\"])(?P<found>.*?)(?P=quote) "
        r"Argument helptext: \S+ (?P<kind>\S+)",
        "{flag}: expected {kind}, found '{found}'",
    ),
    (r"Missing from .*?: (?P<flag>--\S+ \S+) ", "{flag} is missing"),
    (r"Missing from .*?: \S+ (?P<kind>.*?)\.? \(required\)", "something is missing: {kind}"),
    (
        r"Unrecognized options: (?P<found>[^, ]+).* Perhaps you meant: (?P<flag>--\S+)",
        "unknown option '{found}': did you mean {flag}?",
    ),
    (r"Unrecognized options: (?P<found>[^, ]+)", "unknown option '{found}'"),
)
"""What it says, and what we say; the first that fits holds."""
KINDS = {"INT": "a whole number", "FLOAT": "a number"}


def sentence(prog: str, said: str) -> str:
    """Which mistake was made in the options of a command, from the box that tells of it."""
    words = " ".join(FRAME.sub(" ", said).split())
    for pattern, ours in MISTAKES:
        if found := re.search(pattern, words):
            given = found.groupdict()
            kind = re.sub(r"'(\S*?)'", r"\1", given.get("kind", "").replace("{None}|", ""))
            if "None" in kind.split(", "):
                kind = ", ".join(sorted(set(kind.split(", ")) - {"None"}))
            told = ours.format(**{**given, "kind": KINDS.get(kind, kind)})
            break
    else:
        told = words.partition(" For full helptext")[0]
    return f"{prog}: {told.rstrip('.')}{'' if told.endswith('?') else '.'} {prog} --help tells more."
