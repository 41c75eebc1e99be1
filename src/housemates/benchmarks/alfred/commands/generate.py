"""`housemates generate alfred`: new demonstrations with directives, in the official format."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from housemates.benchmarks.alfred.generate.trajectories import Settings, generate
from housemates.parallel import Crew
from housemates.reporting.facts import show_facts


@dataclass
class Generate:
    """Generate demonstrations with directives: OUT/FOLD/TASK/TRIAL/traj_data.json."""

    out: Path
    """Folder for the trajectories; repeat the command to resume."""
    episodes: int = 300
    """Number of demonstrations."""
    seed: int = 0
    """Random seed."""
    masks: bool = False
    """Interact only with visible objects, and store their masks."""
    frames: bool = False
    """Also write the agent's views as PNG to TRIAL/raw_images; implies --masks."""
    directives: int = 3
    """Directives per demonstration, at most 100."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one line of JSON instead of a table."""

    def run(self) -> None:
        """Generate, write and print what came of it."""
        settings = Settings(self.seed, self.masks or self.frames, self.directives, self.frames)
        label = None if self.json else "generate alfred"
        show_facts(generate(self.out, self.episodes, settings, self.crew, label), self.json)
