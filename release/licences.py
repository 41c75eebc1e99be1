"""Write `docs/licences.md`: what each extra installs, and under which licence.

    make lock

It reads the metadata of the packages in this environment; run it where `.[dev,docs,plan,ray]` is installed.
"""

from __future__ import annotations

import re
from importlib.metadata import Distribution

from packages import PLACES, ROOT, extras, installed, needed, pinned

BUNDLED = {
    "imageio-ffmpeg": "its wheels contain an ffmpeg program that is a GPL build (with x264 and x265). "
    "Housemates starts it as a program of its own to write films. Whoever passes the wheel on passes a GPL "
    "program on; `IMAGEIO_FFMPEG_EXE` names another ffmpeg.",
    "psycopg": "LGPL; imported by the studio when its database is PostgreSQL, and unchanged.",
    "psycopg-binary": "LGPL; its wheels contain libpq (PostgreSQL licence) and OpenSSL (Apache-2.0).",
    "up-fast-downward": "GPL; its planner is started as a program of its own, and no code of it is imported. "
    "No other extra installs it.",
    "fast-downward-translate": "GPL; a part of the planner above, likewise started and never imported.",
}
"""What the metadata do not say."""
COPYLEFT = re.compile(r"GPL|MPL|Mozilla|EPL|CDDL", re.IGNORECASE)
SPELT = {
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache": "Apache-2.0",
    "MIT License": "MIT",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
}
"""How classifiers and authors name a licence -> how SPDX does."""
PAGE = """# Licences

Housemates is under the Apache License 2.0. This page lists the packages that each extra installs, with the \
licence that each declares. `make lock` writes it from the packages' own metadata; it is no \
legal advice.

The core (`pip install housemates`) installs permissive licences alone{exceptions}.

## What to know before passing it on

{notes}

## Every package

`core` is what is installed without an extra. An extra is named only where it adds the package.

| package | version | licence | installed by |
| --- | --- | --- | --- |
{rows}
"""


def licence(package: Distribution) -> str:
    """What a package declares: an SPDX expression, else its classifiers, else the first line of its field."""
    said = package.metadata
    if expression := said.get("License-Expression"):
        return str(expression)
    classified = [
        each.rpartition(" :: ")[2] for each in said.get_all("Classifier") or [] if "License ::" in each
    ]
    names = [each for each in classified if each != "OSI Approved"]
    field = (said.get("License") or "").strip().partition("\n")[0]
    found = names or ([field] if 0 < len(field) < 60 else ["not declared"])
    return ", ".join(SPELT.get(each, each) for each in found)


def users() -> dict[str, list[str]]:
    """Each package and what installs it: `core`, or the extras that add it."""
    core = {name for place in PLACES for name in needed(place)}
    found = {name: ["core"] for name in core}
    for extra in extras():
        for name in {name for place in PLACES for name in needed(place, extra)} - core:
            found.setdefault(name, []).append(extra)
    return found


def page() -> str:
    """The whole page."""
    versions = pinned()
    declared, rows = {}, []
    whose = users()
    for name in sorted(whose):
        package = installed(name)
        declared[name] = licence(package) if package else "only on Windows; not read here"
        rows.append(f"| {name} | {versions[name]} | {declared[name]} | {', '.join(whose[name])} |")
    watched = sorted(n for n in declared if COPYLEFT.search(declared[n]) or n in BUNDLED)
    notes = [
        f"- **{name}** ({', '.join(whose[name])}): "
        + BUNDLED.get(name, f"{declared[name]}; imported unchanged.")
        for name in watched
    ]
    core = [f"`{name}` ({declared[name]})" for name in watched if whose[name] == ["core"]]
    exceptions = f", apart from {', '.join(core)}" if core else ""
    return PAGE.format(exceptions=exceptions, notes="\n".join(notes), rows="\n".join(rows))


if __name__ == "__main__":
    (ROOT / "docs" / "licences.md").write_text(page(), encoding="utf-8")
