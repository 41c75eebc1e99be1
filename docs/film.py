"""Makes the film of the README: `python docs/film.py`."""

from __future__ import annotations

from pathlib import Path

from housemates.agents.teach import named
from housemates.benchmarks.teach.formats.film import SessionFilm
from housemates.benchmarks.teach.formats.replay import ReplayedInteraction, replay
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import session_of
from housemates.core.episode import play
from housemates.reporting.video import save_video

SEED, TASK = 3, "Plate Of Toast"
SIDE_PX, FONT_PX = 240, 11
WALKING = 3
"""Of so many steps and turns in a row one is shown."""


class Trailer(SessionFilm):
    """A session in which most of the walking is left out."""

    walked = 0

    def shoot(self, step: ReplayedInteraction) -> None:
        """Take a picture after a step that is worth it."""
        moves = step.interaction.action.moves
        self.walked = self.walked + 1 if moves else 0
        if not moves or self.walked % WALKING == 1:
            super().shoot(step)


def main() -> None:
    """Let the pair play, and film the session played again."""
    (drawn,) = sampling.draws(SEED, 1, [TASK])
    session = session_of(drawn)
    play(session, named.pair("talk"))
    game = session.game(drawn.id)
    film = Trailer(game, SIDE_PX, FONT_PX)
    result = replay(game, scene_of(game), on_step=film.shoot)
    pictures = [shot.picture for shot in film.shots for _ in range(shot.frames)]
    save_video(Path(__file__).with_name("talking.gif"), pictures, film.fps)
    print(f"{len(film.shots)} pictures; the task is {'done' if result.success else 'not done'}.")


if __name__ == "__main__":
    main()
