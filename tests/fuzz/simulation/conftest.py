"""The modules of this folder import each other by name, as `python tests/fuzz/simulation` has it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

for extra in ("fastapi", "sqlalchemy", "greenlet"):
    pytest.importorskip(extra, reason="the extra studio is not installed")
sys.path.insert(0, str(Path(__file__).parent))
