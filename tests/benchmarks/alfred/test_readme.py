"""What ALFRED's README shows works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from housemates.benchmarks import alfred

README = Path(alfred.__file__).parent / "README.md"


def test_the_expert_of_the_sample_reaches_the_goal_in_the_environment() -> None:
    code = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)
    assert names["ended"] and names["info"]["scores"]["success"] == 1.0
    assert names["observation"]["rgb"].shape == (300, 300, 3)
