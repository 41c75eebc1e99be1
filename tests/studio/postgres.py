"""A real PostgreSQL server in a folder of its own, started and killed as tests want."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from studio_server import free_port

PLACES = Path("/usr/lib/postgresql")
NOBODY = ("postgres", "nobody")


def program(name: str) -> str:
    """Where a program of PostgreSQL is; the test is skipped if there is none."""
    found = shutil.which(name) or next(
        iter(sorted(map(str, PLACES.glob(f"*/bin/{name}")), reverse=True)), None
    )
    if found is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return found


class Postgres:
    """One server; as root it runs as somebody else, as PostgreSQL wants it."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="studio-"))
        self.folder, self.port = self.home / "data", free_port()
        self.user = next((each for each in NOBODY if _is_user(each)), "") if os.geteuid() == 0 else ""
        self.process: subprocess.Popen[bytes] | None = None
        if self.user:
            owner = pwd.getpwnam(self.user)
            os.chown(self.home, owner.pw_uid, owner.pw_gid)
        self._run(program("initdb"), "-D", str(self.folder), "-U", "studio", "-A", "trust", "-N")

    @property
    def url(self) -> str:
        return f"postgresql://studio@127.0.0.1:{self.port}/postgres"

    def start(self) -> Postgres:
        """Start it, again and again while processes of the last one are still in its way."""
        ready = [program("pg_isready"), "-h", "127.0.0.1", "-p", str(self.port), "-q"]
        for _ in range(600):
            if self.process is None or self.process.poll() is not None:
                self.process = self._begun()
            if subprocess.run(ready).returncode == 0:
                return self
            time.sleep(0.1)
        raise AssertionError("PostgreSQL does not start.")

    def _begun(self) -> subprocess.Popen[bytes]:
        sockets = ["-c", f"unix_socket_directories={self.folder}", "-c", "listen_addresses=127.0.0.1"]
        command = [program("postgres"), "-D", str(self.folder), "-p", str(self.port), *sockets]
        return subprocess.Popen(
            command, user=self.user or None, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
        )

    def crash(self) -> None:
        """End it at once, as a failing machine does: all of its processes; and start it again."""
        assert self.process is not None
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(30)
        self.start()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
        shutil.rmtree(self.home, ignore_errors=True)

    def _run(self, *command: str) -> None:
        subprocess.run(command, check=True, user=self.user or None, cwd="/", stdout=subprocess.DEVNULL)


def _is_user(name: str) -> bool:
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False
