"""The site is built from the repository: each benchmark's page is its README and its docstrings."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)\s]+)\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that lie elsewhere in the repository."""
    from mkdocs.structure.files import File

    pages = {name: page(ROOT / name) for name in ("README.md", "CONTRIBUTING.md")}
    for name in ("teach", "alfred", "handmethat", "cerealbar"):
        readme = ROOT / "src" / "housemates" / "benchmarks" / name / "README.md"
        pages[f"benchmarks/{name}.md"] = page(readme, "../") + reference(name)
    for path, content in pages.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links of the documents to what lies beside their folder lead to pages of the site."""
    return markdown.replace("](../CONTRIBUTING.md)", "](CONTRIBUTING.md)")


def page(path: Path, up: str = "") -> str:
    """A document of the repository; links to what is no page lead nowhere."""
    known = {each.name for each in (ROOT / "docs").iterdir()}

    def link(found: re.Match[str]) -> str:
        name = Path(found[1].split("#")[0]).name
        return f"]({up}{name})" if name in known else "](#)"

    return LINK.sub(link, path.read_text(encoding="utf-8"))


def reference(name: str) -> str:
    """The benchmarks of a folder as their code describes them: roles, limits, agents and options."""
    from housemates.benchmarks import registry
    from housemates.benchmarks.options import arguments_of

    lines = ["\n\n## From the code\n"]
    for known in registry.specs()[name].benchmarks:
        made = registry.benchmark_class(known)
        lines += [f"### `{known}`\n", inspect.cleandoc(made.__doc__ or ""), ""]
        lines += [f"- id `{made.id}`; roles {', '.join(made.roles)}", f"- limits: {made.limits}"]
        lines += [f"- agents of the {role}: {', '.join(agents)}" for role, agents in made.agents.items()]
        lines += [f"- options: {', '.join(arguments_of(made.Options) or ('none',))}", ""]
    return "\n".join(lines)
