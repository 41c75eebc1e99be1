"""The site is built from the repository: each benchmark's page is its README and its docstrings."""

from __future__ import annotations

import inspect
import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BENCHMARKS = {
    f"src/housemates/benchmarks/{name}/README.md": f"benchmarks/{name}.md"
    for name in ("teach", "alfred", "handmethat", "cerealbar", "alfworld", "home")
}
PAGES = (
    *("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"),
    *("MIGRATING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"),
)
ELSEWHERE = {
    **{name: name for name in PAGES},
    **BENCHMARKS,
    "src/housemates/models/README.md": "models.md",
    "src/housemates/models/segmentation/README.md": "eyes.md",
    "src/housemates/studio/README.md": "studio.md",
    "perf/README.md": "perf.md",
}
"""Documents of the repository that lie in no folder of documents -> where they are on the site."""
ORIGIN = {place: document for document, place in ELSEWHERE.items()}
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that lie elsewhere in the repository."""
    from mkdocs.structure.files import File

    for document, place in ELSEWHERE.items():
        content = (ROOT / document).read_text(encoding="utf-8")
        if document in BENCHMARKS:
            content += reference(Path(document).parent.name)
        files.append(File.generated(config, place, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links lead to where the documents are on the site."""
    return linked(markdown, page.file.src_uri)


def linked(markdown: str, place: str) -> str:
    """The text of a page with links as they are on the site; to what is no page of it there are none."""
    folder = posixpath.dirname(ORIGIN.get(place, f"docs/{place}"))

    def link(found: re.Match[str]) -> str:
        picture, words, target, anchor = found.groups()
        path = posixpath.normpath(posixpath.join(folder, target))
        readme = f"{path}/README.md"
        there = ELSEWHERE.get(path) or ELSEWHERE.get(readme) or path.removeprefix("docs/")
        if there == path:
            return words
        return (
            f"{picture}[{words}]({posixpath.relpath(there, posixpath.dirname(place) or '.')}{anchor or ''})"
        )

    return LINK.sub(link, markdown)


def reference(name: str) -> str:
    """The benchmarks of a folder as their code describes them: roles, limits, agents and options."""
    from housemates.core import registry
    from housemates.core.options import arguments_of

    lines = ["\n\n## From the code\n"]
    for known in registry.specs()[name].benchmarks:
        made = registry.benchmark_class(known)
        lines += [f"### `{known}`\n", inspect.cleandoc(made.__doc__ or ""), ""]
        lines += [f"- id `{made.id}`; roles {', '.join(made.roles)}", f"- limits: {made.limits}"]
        lines += [f"- agents of the {role}: {', '.join(agents)}" for role, agents in made.agents.items()]
        lines += [f"- options: {', '.join(arguments_of(made.Options) or ('none',))}", ""]
    return "\n".join(lines)
