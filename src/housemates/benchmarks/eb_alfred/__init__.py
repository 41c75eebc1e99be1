"""Plan household tasks in skills from pictures: EmbodiedBench's tasks in ALFRED's homes."""

from housemates.core.registry import Spec

SPEC = Spec(
    name="eb_alfred",
    summary="Plan household tasks in skills from pictures: EmbodiedBench's tasks in ALFRED's homes.",
    benchmarks={"eb-alfred": "benchmark:EBAlfred"},
    environments={"housemates/eb-alfred-v1": "env:EBAlfredEncoding"},
)
