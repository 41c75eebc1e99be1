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
    """Folder for the trajectories; an interrupted run goes on where it was."""
    episodes: int = 300
    """How many demonstrations."""
    seed: int = 0
    """Where all randomness comes from."""
    masks: bool = False
    """Touch only what the agent sees, and keep the masks of it."""
    frames: bool = False
    """Also write what the agent sees, as PNG in TRIAL/raw_images, and keep masks as with --masks."""
    directives: int = 3
    """How many directives each demonstration gets, at most 100."""
    crew: Crew = field(default_factory=Crew)
    """Who does the work."""
    json: bool = False
    """Print one line of JSON instead of a table."""

    def run(self) -> None:
        """Generate, write and print what came of it."""
        settings = Settings(self.seed, self.masks or self.frames, self.directives, self.frames)
        label = None if self.json else "generate alfred"
        show_facts(generate(self.out, self.episodes, settings, self.crew, label), self.json)
