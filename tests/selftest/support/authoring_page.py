"""Authoring page: turns docstrings of authoring.py and of `mistake` into the last part of docs/writing_checks.md.

Started as a program it writes them there: python -m tests.selftest.support.authoring_page
"""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autograder import authoring
from autograder.mistakes import mistake, mistake_edit
from autograder.student import Function, Remote, Student

PAGE = Path(__file__).resolve().parents[3] / "docs" / "writing_checks.md"
BEGIN, END = "<!-- made by python -m tests.selftest.support.authoring_page -->", "<!-- end of what is made -->"
# Their objects are given to a test; it makes none.
GIVEN = {"CallFailed", "Handle", "Remote", "Student"}
OWNERS = {"student": Student, "student.<id>.<function>": Function, "remote": Remote}
SECTIONS = ("The student's code", "A function or class of the student's", "An object of the student's")


class Entry(NamedTuple):
    """A public name as the page shows it."""

    name: str
    signature: str
    docstring: str


def list_entries() -> dict[str, list[Entry]]:
    """Every public name, by the title of its section."""
    own = set(authoring.__all__)
    exported = {name: getattr(authoring, name) for name in authoring.__all__}
    modules = {name: value for name, value in exported.items() if isinstance(value, ModuleType)}
    sections = {"Names of `autograder.authoring`": [_make_entry(name, "", authoring) for name in own - modules.keys()]}
    for title, (owner, kind) in zip(SECTIONS, OWNERS.items(), strict=True):
        sections[title] = [_make_method_entry(name, owner, kind) for name in list_methods(kind)]
    for prefix, module in modules.items():
        names = set(module.__all__) - own
        sections[f"Names of `{prefix}`"] = [_make_entry(name, f"{prefix}.", module) for name in names]
    sections["Known mistakes"] = [
        Entry(each.__name__, _write_signature(each), _join(inspect.getdoc(each))) for each in (mistake, mistake_edit)
    ]
    return {title: sorted(entries, key=lambda entry: entry.name.lower()) for title, entries in sections.items()}


def list_methods(kind: type) -> list[str]:
    """The public methods and properties of a class, and that it can be called."""
    return [name for name in vars(kind) if not name.startswith("_") or name == "__call__"]


def update(page: str) -> str:
    """Return the page with its made part made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + "\n".join([BEGIN, *_write_sections(), END]) + after


def _write_sections() -> Iterator[str]:
    for title, entries in list_entries().items():
        yield from ("", f"### {title}", "")
        for entry in entries:
            yield f"- `{entry.name}{entry.signature}`:"
            yield textwrap.fill(entry.docstring, 120, initial_indent="  ", subsequent_indent="  ")
    yield ""


def _make_entry(name: str, prefix: str, module: ModuleType) -> Entry:
    value = getattr(module, name)
    if not callable(value) or isinstance(value, type(dict[str, int])):
        return Entry(prefix + name, "", _find_attribute_docstring(name, module))
    is_shown = name not in GIVEN and not (isinstance(value, type) and value.__init__ is Exception.__init__)
    signature = _write_signature(value) if is_shown else ""
    return Entry(prefix + name, signature, _join(inspect.getdoc(value)))


def _make_method_entry(name: str, owner: str, kind: type) -> Entry:
    value = vars(kind)[name]
    signature = "" if isinstance(value, property) else _write_signature(value)
    return Entry(owner if name == "__call__" else f"{owner}.{name}", signature, _join(inspect.getdoc(value)))


def _write_signature(value: Any) -> str:
    """The parameters, the same for every version of Python."""
    signature = inspect.signature(value)
    parameters = [each for name, each in signature.parameters.items() if name != "self"]
    parts = list(map(_write_parameter, parameters))
    keywords = [place for place, each in enumerate(parameters) if each.kind is each.KEYWORD_ONLY]
    if keywords:
        parts.insert(keywords[0], "*")
    returned = "" if isinstance(value, type) else f" -> {_write_annotation(signature.return_annotation)}"
    return f"({', '.join(parts)}){returned}"


def _write_parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = f"{stars}{parameter.name}: {_write_annotation(parameter.annotation)}"
    return text if parameter.default is parameter.empty else f"{text} = {_write_default(parameter.default)}"


def _write_annotation(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _write_default(default: Any) -> str:
    if is_dataclass(default):
        return f"{type(default).__name__}()"
    return "..." if type(default).__module__ == "dataclasses" else repr(default)


def _find_attribute_docstring(name: str, module: ModuleType) -> str:
    """The text below the assignment of a name, in the module that this one imports it from."""
    tree = ast.parse(inspect.getsource(module))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return _find_attribute_docstring(name, importlib.import_module(str(node.module)))
    for node, following in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name:
            return _join(following.value.value)
    raise LookupError(f"{name} has no docstring")


def _join(docstring: str | None) -> str:
    """A docstring as one paragraph."""
    return " ".join((docstring or "").split())


def main() -> None:
    """Write the page."""
    PAGE.write_text(update(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
