"""Refereed runs: instances from a seed that was committed to beforehand, and results that are signed.

A referee draws a secret and publishes its commitment, the hash of all that decides the instances. It plays
agents that cannot look at it (elsewhere, or kept apart), and signs the files of the run. Once the secret is
revealed, anybody can check that nothing was chosen afterwards, and play everything again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from housemates import __version__
from housemates.core import registry
from housemates.core.isolation.agent import isolation, may_read
from housemates.core.loading import Seating, can_be_apart, scheme_of, seat_all
from housemates.errors import HousematesError
from housemates.evaluation.episodes import Run
from housemates.evaluation.replay import replay_run
from housemates.evaluation.results import EPISODES, HEADER, TRANSCRIPTS, read_episodes, read_header
from housemates.evaluation.runner import evaluate
from housemates.files import private_file, read_json, read_text, write_json
from housemates.parallel import Workers
from housemates.typed_json import convert

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = 1
SEAL = "referee.json"
"""The signed file of a run."""
SIGNED = (HEADER, EPISODES, TRANSCRIPTS)
SPLIT = "generated"
SEED_BITS = 46
"""Bits of a run's seed: as many as every benchmark can multiply and still write down."""


class Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that decides the instances of a run; nobody else sees it before it is revealed."""

    benchmark: str
    """With its version."""
    name: str
    options: dict[str, str]
    episodes: int
    secret: str
    """32 random bytes, in hexadecimal."""
    version: str = __version__
    format: int = FORMAT

    @property
    def commitment(self) -> str:
        """What is published before: whoever knows it cannot find the secret, nor another one that fits."""
        return hashlib.sha256(_canonical(msgspec.to_builtins(self))).hexdigest()

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return int.from_bytes(self._derived("seed")) >> 256 - SEED_BITS

    @property
    def key(self) -> str:
        """What the ids and seeds follow from that agents are told."""
        return self._derived("briefs").hex()

    def _derived(self, what: str) -> bytes:
        return hmac.digest(bytes.fromhex(self.secret), what.encode(), "sha256")


class Seal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a referee vouches for; it tells nothing of the instances, and can be published at once."""

    commitment: str
    benchmark: str
    agents: dict[str, str]
    isolated: dict[str, dict[str, bool]]
    episodes: int
    errors: int
    success: float | None
    files: dict[str, str]
    """Name of a file of the run -> its SHA-256."""
    finished: str
    version: str
    public_key: str
    signature: str = ""
    format: int = FORMAT

    @property
    def message(self) -> bytes:
        """What is signed: everything but the signature."""
        return _canonical(msgspec.to_builtins(msgspec.structs.replace(self, signature="")))


def draw(name: str, options: Mapping[str, str], episodes: int) -> Secret:
    """A new secret for a benchmark that generates instances."""
    benchmark = registry.benchmark(name, **options)
    if next(benchmark.references(SPLIT, 0), None) is None:
        raise HousematesError(f"{name}: generates no instances, so there is nothing to be committed to.")
    return Secret(benchmark.id, name, dict(options), episodes, secrets.token_hex(32))


def write_secret(secret: Secret, path: Path) -> None:
    """Write a secret that only its owner can read; nothing is written over."""
    _write_private(path, msgspec.json.format(msgspec.json.encode(secret)) + b"\n")


def read_secret(path: Path) -> Secret:
    """The secret in a file."""
    found = convert(read_json(path), Secret, str(path))
    if found.format != FORMAT or len(found.secret) != 64 or set(found.secret) - set("0123456789abcdef"):
        raise HousematesError(f"{path}: secret: expected 64 hexadecimal digits of format {FORMAT}.")
    return found


def new_key(path: Path) -> str:
    """Write a new private key that only its owner can read, and return its public key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate()
    _write_private(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return _public(key)


def _write_private(path: Path, content: bytes) -> None:
    if path.exists():
        raise HousematesError(f"{path}: is there already; a secret is not written over: name another file.")
    private_file(path)
    path.write_bytes(content)


def read_key(path: Path) -> Ed25519PrivateKey:
    """The private key in a file."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(read_text(path).encode(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise HousematesError(f"{path}: expected an Ed25519 key, as `housemates referee key` writes it.")
    return key


def _public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def referee(
    secret: Secret,
    words: list[str],
    options: Mapping[str, str],
    key: Ed25519PrivateKey,
    out: Path,
    workers: Workers = None,
    act_timeout: float | None = None,
    memory: int | None = None,
    progress: bool = True,
    hidden: Iterable[Path] = (),
) -> tuple[dict[str, Any], Seal]:
    """Play the episodes of a secret, and sign what came of them: the report, and the seal beside the files.

    Agents sit elsewhere, or in processes of their own; one that leaves or is away has failed. Whatever ends
    the run early leaves it without a seal, and the same call goes on. Files and folders that are hidden, and
    the run's own, must not lie where an agent may read.
    """
    benchmark = registry.benchmark(secret.name, **secret.options)
    if benchmark.id != secret.benchmark:
        raise HousematesError(f"The secret is for {secret.benchmark}, and this is {benchmark.id}.")
    seats = seat_all(type(benchmark), words, options, isolation(memory, act_timeout))
    for role, seating in seats.items():
        if scheme_of(seating.name) is None and not can_be_apart(secret.name, role, seating.name):
            raise HousematesError(
                f"{seating.name}: is privileged: a referee has nobody play who knows the instance."
            )
        if scheme_of(seating.name) is None:
            _keep_from(seating, (*hidden, out))
    run = Run(
        secret.name,
        seats,
        SPLIT,
        secret.episodes,
        secret.seed,
        secret.options,
        act_timeout,
        memory,
        secret.key,
    )
    report = evaluate(run, workers, out, progress)
    if report["halted"] or report["episodes"] != secret.episodes:
        raise HousematesError(f"{out}: holds {report['episodes']} of {secret.episodes} episodes; not signed.")
    seal = Seal(
        secret.commitment,
        benchmark.id,
        report["agents"],
        report["isolated"],
        report["episodes"],
        report["errors"],
        report["success"],
        _hashes(out),
        time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        __version__,
        _public(key),
    )
    signed = msgspec.structs.replace(seal, signature=key.sign(seal.message).hex())
    write_json(out / SEAL, msgspec.to_builtins(signed))
    return report, signed


def _keep_from(seating: Seating, hidden: Iterable[Path]) -> None:
    """Refuse an agent that may read what is hidden from it, by any name of it."""
    for path in may_read(seating.name, {**seating.options}):
        for each in hidden:
            if each.resolve().is_relative_to(path.resolve()):
                raise HousematesError(
                    f"{each}: lies in {path}, which {seating.name} may read: move one of them."
                )


def check(
    folder: Path,
    secret: Secret,
    commitment: str | None,
    public_key: str | None,
    workers: Workers = None,
    label: str | None = None,
) -> Iterator[str]:
    """Say what does not hold of a refereed run, a line each; nothing if all does.

    Args:
        folder: Of the run.
        secret: As it was revealed.
        commitment: As it was published before; that of the seal if None.
        public_key: Of the referee; that of the seal if None.
        workers: Who plays everything again.
        label: Title of a progress bar.
    """
    seal = convert(read_json(folder / SEAL), Seal, str(folder / SEAL))
    if public_key is not None and seal.public_key != public_key.lower():
        yield f"it is signed by {seal.public_key}, not by {public_key}"
    if not _signed(seal):
        yield "the signature is not that of the seal"
        return
    for name, digest in _hashes(folder).items():
        if seal.files.get(name) != digest:
            yield f"{name} is not the file that was signed"
    if commitment is not None and seal.commitment != commitment.lower():
        yield f"the seal is for the commitment {seal.commitment}, not for {commitment}"
    if secret.commitment != seal.commitment:
        yield "the secret is not the one that was committed to"
    yield from _other_instances(folder, secret, seal)
    for line, each in enumerate(replay_run(folder, workers=workers, label=label), start=1):
        if each.differs:
            yield f"line {line}, {each.id}: {each.differs}"


def sealed_by(folder: Path) -> str:
    """The public key of the referee who vouches for the files of a run; nothing if there is no seal.

    Raises:
        HousematesError: the seal is not signed by that key, or other files were signed.
    """
    path = folder / SEAL
    if not path.is_file():
        return ""
    seal = convert(read_json(path), Seal, str(path))
    if not _signed(seal):
        raise HousematesError(f"{path}: the signature is not that of the seal.")
    other = next((name for name, digest in _hashes(folder).items() if seal.files.get(name) != digest), "")
    if other:
        raise HousematesError(f"{path}: {other} is not the file that was signed.")
    return seal.public_key


def _other_instances(folder: Path, secret: Secret, seal: Seal) -> Iterator[str]:
    """What of a run does not follow from its secret, or is not as the seal says."""
    header, results = read_header(folder), list(read_episodes(folder))
    told = {
        "benchmark": (header.benchmark, secret.benchmark, seal.benchmark),
        "episodes": (len(results), secret.episodes, seal.episodes),
        "options": (header.options, secret.options),
        "split": (header.split, SPLIT),
        "seed": (header.seed, secret.seed),
        "agents": ({role: seat.name for role, seat in header.agents.items()}, seal.agents),
        "isolated": (header.isolated, seal.isolated),
        "errors": (sum(bool(each.error) for each in results), seal.errors),
    }
    for name, (here, *elsewhere) in told.items():
        if any(each != here for each in elsewhere):
            yield f"{name}: the run has {here}, expected {elsewhere[0]}"
    benchmark = registry.benchmark(secret.name, **secret.options)
    due = _due(benchmark, secret)
    for line, result in enumerate(results, start=1):
        if (expected := next(due, None)) != result.id:
            yield f"line {line} is {result.id!r}, and the secret's instance {line} is {expected!r}"
            return


def _due(benchmark: Any, secret: Secret) -> Iterator[str]:
    """The ids of the instances of a secret, in order."""
    for reference in benchmark.references(SPLIT, secret.seed):
        try:
            yield from (each.id for each in benchmark.open(reference))
        except HousematesError:
            yield reference.id


def _signed(seal: Seal) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(seal.public_key))
        public.verify(bytes.fromhex(seal.signature), seal.message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _hashes(folder: Path) -> dict[str, str]:
    found = {}
    for name in SIGNED:
        try:
            with (folder / name).open("rb") as stream:
                found[name] = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise HousematesError(f"{folder / name}: cannot be read ({error.strerror or error}).") from None
    return found


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
