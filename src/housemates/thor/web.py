"""The protocol of version 2: each answer is posted to the client's own web server, which replies with the
next action."""

from __future__ import annotations

import http.client
import secrets
from collections.abc import Iterator

import msgspec

from housemates.errors import HousematesError
from housemates.thor.server import Answer, Backend

PICTURES = {"rgb": "image", "depth": "image_depth", "classes": "image_classes", "instances": "image_ids"}
ADDED = {
    "rgb": "image-thirdParty-camera",
    "depth": "image_thirdParty_depth",
    "instances": "image_thirdParty_image_ids",
    "classes": "image_thirdParty_classes",
}
"""The same of the cameras that nobody carries."""
LONGEST = 1 << 26
"""Bytes of an answer of the client."""


def run(backend: Backend) -> None:
    """Post answers until the client asks for nothing more or is gone."""
    client = backend.client
    token, host, port = client.told("CLIENT_TOKEN"), client.told("HOST"), client.told("PORT")
    if not port.isdigit():
        raise HousematesError(f"AI2THOR_PORT is {port!r}: expected a number.")
    connection = http.client.HTTPConnection(host, int(port))
    answer: Answer | None = backend.begin()
    try:
        while answer is not None:
            boundary = secrets.token_hex(16)
            head = {"Content-Type": f'multipart/form-data; boundary="{boundary}"'}
            connection.request("POST", "/train", form(answer, token, boundary, client.old), head)
            response = connection.getresponse()
            text = response.read(LONGEST + 1)
            if len(text) > LONGEST:
                raise HousematesError(f"The client answered with more than {LONGEST} bytes.")
            if response.status != 200:
                raise HousematesError(f"The client answered {response.status} {response.reason}.")
            answer = backend.perform(text)
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from None
    finally:
        connection.close()


def form(answer: Answer, token: str, boundary: str, old: bool) -> bytes:
    """An answer as the clients read it, who want an empty line first and this spelling of the headers."""
    parts = [
        _part(boundary, 'name="metadata"', "text/plain; charset=utf-8", msgspec.json.encode(answer.metadata)),
        _part(boundary, 'name="token"', "text/plain; charset=utf-8", token.encode()),
    ]
    for number, (name, data) in enumerate(_files(answer, old)):
        head = f'name="{name}"; filename="{name}-{number}"'
        parts.append(_part(boundary, head, "image/raw", data))
    return b"".join([*parts, f"\r\n--{boundary}--\r\n".encode()])


def _files(answer: Answer, old: bool) -> Iterator[tuple[str, bytes]]:
    """The pictures by the names of the form.

    Version 2 reads an agent's picture once more for each added camera, so it gets as many of them.
    """
    cameras = sum(image.added and image.kind == "rgb" for image in answer.images)
    for kind, added, data in answer.images:
        again = cameras if old and kind == "rgb" and not added and len(answer.metadata["agents"]) == 1 else 1
        for _ in range(max(1, again)):
            yield (ADDED if added else PICTURES)[kind], data


def _part(boundary: str, name: str, kind: str, body: bytes) -> bytes:
    head = f"\r\n--{boundary}\r\nContent-disposition: form-data; {name}\r\nContent-Type: {kind}\r\n\r\n"
    return head.encode() + body
