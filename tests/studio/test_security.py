"""What must not be possible: another's role, another's session, too much, HTML, paths, guessing."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_server import PASSWORD, Player, Server, logged_in, seats_of
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from housemates.studio.settings import Settings
from housemates.studio.web.app import make_app
from housemates.studio.web.gate import hashed, is_password

pytestmark = pytest.mark.slow
SECRET = PASSWORD["HOUSEMATES_STUDIO_PASSWORD"]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("guarded"), env=PASSWORD).start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def admin(guarded: Server) -> str:
    return logged_in(guarded)


@pytest.fixture(scope="module")
def two(guarded: Server, admin: str) -> dict[str, str]:
    """The tokens of a Commander and a Follower at one table."""
    return seats_of(guarded, admin, "two")


@pytest.fixture
def follower(guarded: Server, two: dict[str, str]) -> Iterator[Player]:
    made = Player(guarded, two["follower"]).connect()
    yield made
    made.close()


def test_a_follower_learns_nothing_that_is_the_commanders(
    guarded: Server, two: dict[str, str], follower: Player
) -> None:
    commander = Player(guarded, two["commander"]).connect()
    commander.act("ProgressCheck")
    commander.act("Search", text="mug")
    assert commander.state["views"]["progress"]["subgoals"]
    assert {"target", "target lit", "camera"} <= set(commander.pictures)
    asked: dict[str, dict[str, str]] = {
        "ProgressCheck": {},
        "Search": {"text": "mug"},
        "Select": {"object": "Mug"},
    }
    for name, arguments in asked.items():
        follower.act(name, **arguments)
        assert follower.state["last"]["success"] is False
    for picture in ("camera", "target", "map", "../view", ""):
        found = follower.say({"type": "point", "picture": picture, "x": 0.5, "y": 0.5})
        assert found["found"] is None
    follower.act("TurnLeft")
    assert set(follower.pictures) == {"view", "map"}
    assert set(follower.state["views"]) == {"follower", "held", "lacking", "blocked", "success"}
    assert follower.state["views"]["success"] is None
    told = json.dumps([follower.state, follower.hello]).lower()
    for word in ("coffee", "progress check", "target", "subgoals"):
        assert word not in told
    commander.close()


def test_no_field_of_a_message_names_another_role(follower: Player) -> None:
    assert follower.socket is not None
    forged = [
        {"type": "act", "id": 1, "role": "commander", "act": {"name": "ProgressCheck"}},
        {"type": "act", "id": 1, "play": "x", "act": {"name": "TurnLeft"}},
        {"type": "view", "role": "commander"},
        {"type": "watch", "role": "commander"},
    ]
    for message in forged:
        follower.socket.send(json.dumps(message))
        assert follower.wait_for("error")["message"].startswith("This is no message")


def test_nothing_of_the_administrators_is_told_without_the_password(guarded: Server) -> None:
    paths = ("projects", "offered", "live", "projects/two/plays", "projects/two/participants")
    for path in (
        *paths,
        "projects/two/export/official",
        "projects/two/export/jsonl",
        "participant?source=link&external=anybody",
        "projects/two/payments",
    ):
        for kept in ("", "admin=guess", "admin=" + "A" * 43):
            assert guarded.ask("GET", f"/api/admin/{path}", Cookie=kept)[0] == 401
    assert guarded.ask("DELETE", "/api/admin/participant?source=prolific&external=anybody")[0] == 401
    assert guarded.ask("POST", "/api/admin/projects", {})[0] in (401, 422)


def test_tokens_cannot_be_guessed_or_bent(guarded: Server, two: dict[str, str]) -> None:
    token, other = two["follower"], two["commander"]
    assert len(token) >= 32
    for wrong in (token[:-1], token + "A", token[::-1], token.swapcase(), "A" * 32, other[:16] + token[16:]):
        assert guarded.ask("GET", f"/api/seat/{wrong}/survey")[0] == 404
        with pytest.raises((ConnectionClosed, InvalidStatus)):
            Player(guarded, wrong).connect()


def test_pages_of_other_sites_get_no_socket_and_no_form_through(
    guarded: Server, two: dict[str, str], admin: str
) -> None:
    address = f"{guarded.url.replace('http', 'ws', 1)}/ws/seat/{two['follower']}"
    for origin in ("https://evil.example", "null", None):
        with pytest.raises(InvalidStatus), connect(address, origin=origin):
            pass
    for headers in ({"Origin": "https://evil.example"}, {"Sec_Fetch_Site": "cross-site"}):
        status, _ = guarded.ask("POST", "/api/admin/projects/two/plays", {}, Cookie=admin, **headers)
        assert status == 403
    assert guarded.ask("GET", "/health", Host="evil.example")[0] == 400


BENT = (
    *({"Host": "["}, {"Host": "http://["}, {"Host": "127.0.0.1", "Origin": "http://["}),
    *({"Host": "127.0.0.1", "Cookie": "participant=\xe4\xf6"}, {"Host": "127.0.0.1", "Cookie": "admin=\xff"}),
    {"Host": "127.0.0.1", "Content-Length": "1" * 30},
)


def test_headers_that_make_no_sense_fail_nothing(guarded: Server, two: dict[str, str]) -> None:
    urllib.request.urlopen(f"{guarded.url}/join/two?PROLIFIC_PID=bent&SESSION_ID=b")
    paths = {"GET": "/join/two?PROLIFIC_PID=bent", "POST": "/api/admin/logout"}
    for headers in BENT:
        for method, path in paths.items():
            told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            with socket.create_connection(("127.0.0.1", guarded.port)) as raw:
                raw.sendall(f"{method} {path} HTTP/1.1\r\nConnection: close\r\n{told}\r\n".encode("latin-1"))
                answer = raw.recv(65536)
            assert 400 <= int(answer.split()[1]) < 500, (headers, method)
    assert "Traceback" not in (guarded.folder / "log").read_text()


def test_bytes_are_no_message(follower: Player) -> None:
    assert follower.socket is not None
    follower.socket.send(b"\x00\x01")
    assert "expected text" in follower.wait_for("error")["message"]
    assert follower.act("TurnLeft")["type"] == "done"


def test_a_seed_that_no_database_keeps_is_refused(guarded: Server, admin: str) -> None:
    asked = {"id": "seed", "title": "Seed", "benchmark": "handmethat", "seed": 2**31}
    assert guarded.ask("POST", "/api/admin/projects", asked, Cookie=admin)[0] == 422


def test_half_a_character_is_refused_and_no_error(guarded: Server, admin: str) -> None:
    for text in ("name,kind,label\nq,text,\ud800", '[{"name": "\\ud800"}]', "~\r"):
        asked = {"which": "survey", "text": text}
        status, said = guarded.ask("POST", "/api/admin/forms", asked, Cookie=admin)
        assert status in (400, 422), said
        assert said["error"]


def test_a_participant_whose_id_has_a_slash_is_taken_out_promoted_and_deleted(
    guarded: Server, admin: str, two: dict[str, str]
) -> None:
    urllib.request.urlopen(f"{guarded.url}/join/two?PROLIFIC_PID=a%2Fb%2F%3Fc&SESSION_ID=b")
    path = f"/api/admin/participant?source=prolific&external={urllib.parse.quote('a/b/?c', safe='')}"
    promoted = path.replace("admin", "admin/projects/two")
    assert guarded.ask("GET", path, Cookie=admin)[1]["participants"][0]["external"] == "a/b/?c"
    assert guarded.ask("PATCH", promoted, {"expert": True}, Cookie=admin) == (200, {"expert": True})
    assert guarded.ask("DELETE", path, Cookie=admin)[0] == 200
    assert guarded.ask("GET", path, Cookie=admin)[0] == 404


def test_the_database_is_private_to_its_owner(guarded: Server) -> None:
    modes = {each.name: each.stat().st_mode & 0o777 for each in guarded.folder.glob("studio.sqlite*")}
    assert "studio.sqlite" in modes
    assert set(modes.values()) == {0o600}


def test_behind_a_trusted_proxy_everybody_has_shares_of_their_own_and_cookies_are_secure(
    tmp_path: Path,
) -> None:
    words = ("--trusted-proxy", "127.0.0.1", "--origins", "https://studio.example.org")
    server = Server(tmp_path, "", *words, env=PASSWORD).start()
    behind = {"X_Forwarded_For": "203.0.113.1", "X_Forwarded_Proto": "https", "Host": "studio.example.org"}
    guesses = [server.ask("POST", "/api/admin/login", {"password": "no"}, **behind)[0] for _ in range(8)]
    assert guesses.count(429) >= 2
    body = json.dumps({"password": SECRET}).encode()
    headers = {"X-Forwarded-For": "203.0.113.2", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{server.url}/api/admin/login", body, headers)
    with urllib.request.urlopen(request) as answer:
        assert "; Secure" in answer.headers["Set-Cookie"]
    forged = {**behind, "X_Forwarded_For": "203.0.113.2, 203.0.113.1"}
    assert server.ask("POST", "/api/admin/login", {"password": "no"}, **forged)[0] == 429
    server.stop()


SENSELESS = (
    *("", "{", "[]", "null", "\x00", '{"type": "act"}', '{"type": "act", "id": -1, "act": {}}'),
    *('{"type": "act", "id": 1, "act": []}', '{"type": "point", "id": 1, "picture": "view", "x": 2, "y": 0}'),
    '{"type": "act", "id": 1, "act": {"name": "Say", "arguments": {"text": "' + "x" * 3000 + '"}}}',
    '{"type": "act", "id": 1, "act": {"name": "Say", "arguments": {"text": "a\\u0000b"}}}',
    '{"type": "act", "id": 1, "act": ' + '{"a":' * 50 + "1" + "}" * 50 + "}",
    '{"type": "point", "id": 1, "picture": "view", "x": NaN, "y": 0}',
)


def test_messages_without_sense_are_refused_in_one_sentence(follower: Player) -> None:
    assert follower.socket is not None
    for text in SENSELESS:
        follower.socket.send(text)
        assert "\n" not in follower.wait_for("error")["message"]
    assert follower.act("TurnLeft")["type"] == "done"


def test_a_message_that_is_too_long_ends_the_connection(follower: Player) -> None:
    assert follower.socket is not None
    follower.socket.send("x" * 100_000)
    with pytest.raises(ConnectionClosed):
        while True:
            follower.hear()


def test_bodies_that_are_too_large_are_refused(guarded: Server) -> None:
    assert guarded.ask("POST", "/api/admin/login", {"password": "x" * 240_000})[0] == 422
    with socket.create_connection(("127.0.0.1", guarded.port)) as raw:
        head = "POST /api/admin/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        raw.sendall((head + "Content-Length: 999999999\r\n\r\n").encode())
        assert b" 413 " in raw.recv(200)
    with socket.create_connection(("127.0.0.1", guarded.port)) as raw:
        raw.sendall((head + "Transfer-Encoding: chunked\r\n\r\n").encode())
        chunk = b"x" * 60_000
        try:
            for _ in range(8):
                raw.sendall(b"%x\r\n" % len(chunk) + chunk + b"\r\n")
            assert b" 413 " in raw.recv(200)
        except OSError:
            pass
    assert guarded.ask("GET", "/health")[0] == 200


OUTSIDE = (
    *("/static/../settings.py", "/static/..%2f..%2fsettings.py", "/static/%2e%2e/%2e%2e/%2e%2e/errors.py"),
    *("/static//etc/passwd", "/static/pages/..%5c..%5csettings.py", "/seat/..%2f..%2fetc%2fpasswd"),
    *("/survey/%00", "/join/..%2f", "/static/%00", "/static/" + "a" * 5000),
)


def test_no_path_leads_out_of_the_pages(guarded: Server) -> None:
    for path in OUTSIDE:
        with socket.create_connection(("127.0.0.1", guarded.port)) as raw:
            raw.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            answer = b""
            while data := raw.recv(65536):
                answer += data
        assert int(answer.split()[1]) in (400, 404, 422), path
        assert b"root:" not in answer
        assert b"dataclass" not in answer


def test_options_of_a_project_name_no_file_and_agents_run_no_code(guarded: Server, admin: str) -> None:
    asked = {"id": "evil", "title": "Evil", "benchmark": "teach-tatc"}
    wrong: list[dict[str, Any]] = [{"options": {key: "/etc"}} for key in ("games", "store", "only")]
    wrong += [
        {"seats": {"commander": name}} for name in ("os:system", "/tmp/evil.py:Evil", "http://10.0.0.1/")
    ]
    wrong += [{"plan": {"return": "javascript:alert(1)"}}]
    for each in wrong:
        assert guarded.ask("POST", "/api/admin/projects", {**asked, **each}, Cookie=admin)[0] == 400


class Unmoved(urllib.request.HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *_: Any) -> None:
        return None


def test_somebody_elses_id_is_no_way_into_their_session(guarded: Server, two: dict[str, str]) -> None:
    def join(query: str, cookie: str = "") -> tuple[int, str]:
        request = urllib.request.Request(f"{guarded.url}/join/two?{query}", headers={"Cookie": cookie})
        with pytest.raises(urllib.error.HTTPError) as found:
            urllib.request.build_opener(Unmoved).open(request)
        return found.value.code, str(found.value.headers.get("location", ""))

    status, first = join("PROLIFIC_PID=anna&SESSION_ID=s1")
    assert status == 303
    assert join("PROLIFIC_PID=anna&SESSION_ID=s1") == (303, first)
    assert join("PROLIFIC_PID=anna") == (403, "")
    assert join("PROLIFIC_PID=anna&SESSION_ID=s2") == (403, "")
    assert join("PROLIFIC_PID=anna", f"participant={first.removeprefix('/p/')}") == (303, first)


def test_every_answer_carries_the_headers_that_keep_pages_safe(guarded: Server) -> None:
    for path in ("/", "/watch", "/static/player.js", "/api/demo", "/nowhere", "/api/admin/projects"):
        try:
            with urllib.request.urlopen(f"{guarded.url}{path}") as answer:
                headers = answer.headers
        except urllib.error.HTTPError as error:
            headers = error.headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"


def test_another_host_than_loopback_needs_a_password(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "housemates.cli.main", "studio", "--host", "0.0.0.0", "--port", "0"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert run.returncode == 2
    assert "password" in run.stderr
    assert run.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_participants_data_can_be_taken_out_and_deleted(
    guarded: Server, admin: str, two: dict[str, str]
) -> None:
    urllib.request.urlopen(f"{guarded.url}/join/two?PROLIFIC_PID=berta&SESSION_ID=b")
    status, found = guarded.ask("GET", "/api/admin/participant?source=prolific&external=berta", Cookie=admin)
    assert status == 200
    assert found["participants"][0]["external"] == "berta"
    assert (
        guarded.ask("DELETE", "/api/admin/participant?source=prolific&external=berta", Cookie=admin)[0] == 200
    )
    assert guarded.ask("GET", "/api/admin/participant?source=prolific&external=berta", Cookie=admin)[0] == 404


def test_the_api_fails_for_no_request_that_its_schema_allows(
    guarded: Server, admin: str, two: dict[str, str]
) -> None:
    (play,) = guarded.ask("GET", "/api/admin/projects/two/plays", Cookie=admin)[1]
    link = guarded.ask("POST", "/api/admin/links", {"play": play["id"]}, Cookie=admin)[1]["link"]
    tokens = {"/api/watch": link.removeprefix("/watch/"), "/api/seat": two["follower"]}
    schemathesis = pytest.importorskip("schemathesis")
    hypothesis = pytest.importorskip("hypothesis")
    assert guarded.ask("GET", "/openapi.json")[0] == 404
    schema = schemathesis.openapi.from_dict(make_app(Settings("sqlite://")).openapi())
    failed: list[str] = []
    for operation in schema.get_all_operations():
        made = operation.ok()
        settings = hypothesis.settings(
            max_examples=4, database=None, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
        )

        @settings
        @hypothesis.seed(1)
        @hypothesis.given(case=made.as_strategy())
        def tried(case: Any) -> None:
            known = next((token for path, token in tokens.items() if case.path.startswith(path)), None)
            if known is not None and "token" in (case.path_parameters or {}):
                case.path_parameters["token"] = known
            answer = case.call(base_url=guarded.url, headers={"Cookie": admin})
            if answer.status_code >= 500:
                failed.append(f"{case.method} {case.path} {answer.status_code}")

        if made.path != "/api/admin/logout":
            tried()
    assert failed == []


def test_the_password_is_kept_as_an_argon2_hash() -> None:
    kept = hashed(SECRET)
    assert kept.startswith("$argon2id$")
    assert is_password(SECRET, kept)
    assert not is_password(f"{SECRET} ", kept)


def test_who_knows_the_password_may_log_in_as_often_as_they_like(guarded: Server) -> None:
    answers = [guarded.ask("POST", "/api/admin/login", {"password": SECRET})[0] for _ in range(8)]
    assert set(answers) == {200}


def test_the_password_cannot_be_guessed_fast(guarded: Server) -> None:
    answers = [guarded.ask("POST", "/api/admin/login", {"password": f"guess {n}"})[0] for n in range(12)]
    assert set(answers) <= {401, 429}
    assert answers.count(429) >= 5
    assert guarded.ask("POST", "/api/admin/login", {"password": SECRET})[0] == 429
