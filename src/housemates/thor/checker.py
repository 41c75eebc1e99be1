"""Which of the calls that a code base makes to AI2-THOR are known here; nothing of it is run."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from housemates.errors import HousematesError
from housemates.thor import Controller
from housemates.thor.actions import ANSWERS
from housemates.thor.arguments import known
from housemates.thor.events import Event

NAME = re.compile(r"[A-Z][A-Za-z0-9]+")
"""How actions are called."""
OWN = frozenset(("raise_for_failure", "action"))
"""Arguments of `step` itself."""
EVENT_ONLY = frozenset(
    (
        "cv2img", "depth_frame", "instance_segmentation_frame", "semantic_segmentation_frame",
        "class_segmentation_frame", "instance_masks", "class_masks", "instance_detections2D",
        "class_detections2D", "color_to_object_id", "object_id_to_color", "third_party_camera_frames",
        "third_party_depth_frames",
        "third_party_instance_segmentation_frames", "third_party_semantic_segmentation_frames",
        "third_party_class_segmentation_frames", "third_party_instance_masks", "third_party_class_masks",
        "third_party_normals_frames", "third_party_flows_frames", "normals_frame", "flow_frame",
        "flows_frame", "pose_discrete", "get_object", "objects_by_type",
    )
)  # fmt: skip
"""Names that nothing but AI2-THOR's events has."""
MODULES = frozenset(("ai2thor.controller", "ai2thor.server"))
"""Modules of AI2-THOR's client that have a counterpart in `housemates.thor`."""


class Use(NamedTuple):
    """Something of AI2-THOR that is used in a code base."""

    kind: str
    """`action`, `argument`, `event`, `metadata` or `import`."""
    name: str
    supported: bool
    where: str
    """The file and the line."""


def files_of(target: str) -> list[Path]:
    """The Python files of a file, a folder or an installed package.

    Raises:
        HousematesError: if it is none of them.
    """
    path = Path(target)
    if not path.exists() and re.fullmatch(r"\w+", target):
        spec = importlib.util.find_spec(target)
        found = None if spec is None else spec.origin
        if found is not None:
            path = Path(found).parent if Path(found).name == "__init__.py" else Path(found)
    if path.is_dir():
        return sorted(path.rglob("*.py"))
    if path.is_file():
        return [path]
    raise HousematesError(f"{target}: no such file, folder or installed package.")


def uses(target: str) -> tuple[list[Use], list[str]]:
    """Every use of AI2-THOR, and what could not be read."""
    found: list[Use] = []
    unread: list[str] = []
    for path in files_of(target):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, SyntaxError) as error:
            unread.append(f"{path}: {error}")
            continue
        for node in ast.walk(tree):
            line = f"{path}:{getattr(node, 'lineno', 0)}"
            found += [Use(*what, line) for what in _used(node)]
    return found, unread


@cache
def metadata_fields() -> frozenset[str]:
    """The fields of an event's metadata."""
    with Controller(scene="kitchen-01") as controller:
        return frozenset(controller.last_event.metadata)


Found = tuple[str, str, bool]
"""Kind, name, and whether it is known here."""


def _used(node: ast.AST) -> Iterator[Found]:
    """What of AI2-THOR one place of the code uses."""
    if isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.Dict):
        keys = [
            key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
        ]
        values = dict(zip((getattr(key, "value", None) for key in node.keys), node.values, strict=True))
        if "action" in values:
            yield from _action(values["action"], keys)
        else:
            yield from _listed(node.keys)
            yield from _listed(node.values)
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        yield from _listed(node.elts)
    elif isinstance(node, ast.ClassDef):
        yield from _listed([each.value for each in node.body if isinstance(each, ast.Assign)])
    elif isinstance(node, ast.Attribute) and node.attr in EVENT_ONLY:
        yield "event", node.attr, hasattr(Event, node.attr)
    elif isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == "metadata":
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(key, str):
            yield "metadata", key, key in metadata_fields()
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from _import(node)


def _call(node: ast.Call) -> Iterator[Found]:
    """`step("MoveAhead", ...)`, `step(action="MoveAhead", ...)` or `dict(action="MoveAhead", ...)`."""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    given = {word.arg: word.value for word in node.keywords if word.arg is not None}
    if name not in ("step", "dict"):
        return
    action = given.get("action", node.args[0] if name == "step" and node.args else None)
    yield from _action(action, list(given))


def _action(value: ast.AST | None, names: list[str]) -> Iterator[Found]:
    if not (isinstance(value, ast.Constant) and isinstance(value.value, str) and NAME.fullmatch(value.value)):
        return
    yield "action", value.value, value.value in ANSWERS
    if value.value in ANSWERS:
        open_to_all = value.value == "Initialize"
        yield from (("argument", name, open_to_all or name in known()) for name in names if name not in OWN)


def _listed(values: Sequence[ast.expr | None]) -> Iterator[Found]:
    """The actions in a list or a table, if most of the names in it are actions that are known here."""
    names = [
        value.value
        for value in values
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and NAME.fullmatch(value.value)
    ]
    if sum(name in ANSWERS for name in names) > max(1, len(names) / 2):
        yield from (("action", name, name in ANSWERS) for name in names)


def _import(node: ast.Import | ast.ImportFrom) -> Iterator[Found]:
    modules = [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    for module in modules:
        if module.split(".")[0] == "ai2thor":
            yield "import", module, module in MODULES
