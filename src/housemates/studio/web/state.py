"""What every request can reach: the settings, the database and the hall."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from housemates.guard.names import household
from housemates.guard.shares import Ledger
from housemates.studio.live.hall import Hall
from housemates.studio.live.housekeeping import Housekeeping
from housemates.studio.live.lobby import Lobby
from housemates.studio.live.replay_frames import Screening
from housemates.studio.live.room import Services
from housemates.studio.settings import Settings
from housemates.studio.storage.database import Database
from housemates.studio.storage.journal import Journal
from housemates.studio.web.gate import Gate
from housemates.studio.worlds.pool import Pool


class Studio:
    """A running studio; made inside the event loop."""

    def __init__(self, settings: Settings, database: Database, ledger: Ledger) -> None:
        self.settings, self.database, self.ledger = settings, database, ledger
        self.journal = Journal(database)
        self.pool = Pool(settings)
        self.services = Services(database, self.journal, self.pool)
        self.hall = Hall(self.services, settings, ledger)
        self.gate = Gate(settings.bounds)
        self.lobby = Lobby(self.services)
        self.screening = Screening(self.pool, settings.bounds)
        self.housekeeping = Housekeeping(self.hall, self.screening)

    def close(self) -> None:
        """Send everybody away, write down what is waiting, end all processes; agents are not waited for."""
        self.housekeeping.close()
        self.hall.close()
        self.database.closing.set()
        self.journal.close()
        self.pool.close()
        self.screening.close()
        self.database.close()


def studio_of(connection: HTTPConnection) -> Studio:
    """The studio that a request is made to."""
    found: Studio = connection.app.state.studio
    return found


def address_of(connection: HTTPConnection) -> str:
    """What the shares of whoever asks are counted by."""
    return household(connection.client.host if connection.client else "")
