"""Generated episodes to act in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from housemates.benchmarks import registry
from housemates.benchmarks.alfred.session import AlfredSession
from housemates.benchmarks.base import Instance


@pytest.fixture(scope="session")
def instance() -> Instance:
    """The first generated episode: to heat a slice of potato."""
    benchmark = registry.benchmark("alfred")
    return benchmark.open(next(benchmark.references("generated", 0)))[0]


@pytest.fixture
def begin(instance: Instance) -> Callable[..., AlfredSession]:
    """Begins that episode with options of the benchmark."""

    def session(**options: str) -> AlfredSession:
        found = registry.benchmark("alfred", **options).session(instance)
        assert isinstance(found, AlfredSession)
        return found

    return session
