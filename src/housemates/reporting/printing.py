"""What a command prints."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from housemates.data.records import Skipped


def show(report: Mapping[str, Any], as_json: bool, skipped: Sequence[Skipped] = ()) -> None:
    """Print a report as one JSON object, or as lines with what was skipped."""
    if as_json:
        print(json.dumps(report))
        return
    for name, value in report.items():
        print(f"{name}: {value}")
    for each in skipped:
        print(f"skipped {each.name}: {each.reason}")
