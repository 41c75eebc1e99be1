"""The gate: the administrator's password, who is logged in, and how often somebody may try."""

from __future__ import annotations

import asyncio
import secrets
import time

from housemates.guard.shares import Rate
from housemates.studio.settings import Bounds
from housemates.studio.storage.tables import Refused

HOURS = 12
"""How long one stays logged in."""


class NotAllowed(Refused):
    """This is for the administrator."""

    status = 401


class TooOften(Refused):
    """Wrong passwords came too fast."""

    status = 429


class Gate:
    """Who is logged in, and how often somebody may try."""

    def __init__(self, bounds: Bounds) -> None:
        self._sessions: dict[str, float] = {}
        self._tries = Rate(bounds.logins_per_minute / 60, bounds.logins_per_minute)

    def allows(self, token: str) -> bool:
        """Whether a cookie is that of somebody who is logged in."""
        return self._sessions.get(token, 0.0) > time.monotonic()

    async def enter(self, password: str, kept: str, address: str) -> str:
        """A cookie for whoever knows the password."""
        if not self._tries.allows(address) or not self._tries.allows("anybody", 0.2):
            raise TooOften("Too many tries; wait a minute.")
        if not kept or not await asyncio.to_thread(is_password, password, kept):
            raise NotAllowed("This is not the password.")
        self._tries.give_back(address)
        token = secrets.token_urlsafe(32)
        self._sessions[token] = time.monotonic() + HOURS * 3600
        return token

    def leave(self, token: str) -> None:
        """End the administrator's session and clear the cookie."""
        self._sessions.pop(token, None)


def hashed(password: str) -> str:
    """A password as it is kept."""
    from argon2 import PasswordHasher

    return PasswordHasher().hash(password)


def is_password(password: str, kept: str) -> bool:
    """Whether a password is the one whose argon2 hash is kept."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return PasswordHasher().verify(kept, password)
    except (Argon2Error, InvalidHashError):
        return False
