"""Blame: names what the grader's code replaced of a student's when a check passed; only what the student wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable

from autograder.grading.material import Material
from autograder.grading.prerequisites import find_owner
from autograder.submission import find_defined_names

_WORD = re.compile(r"\w+")


def list_written(material: Material, functions: Iterable[str]) -> tuple[str, ...]:
    """Return those of the functions and methods that a file of the student's defines; all where none does."""
    named = tuple(functions)
    defined = {name for _, text, _ in material.own.values() for name in find_defined_names(text)}
    written = [name for name in named if not defined.isdisjoint(_list_spellings(material, name))]
    return tuple(written) or named


def describe_copies(material: Material) -> tuple[str, ...]:
    """Describe the student's copies of modules that the grader supplies, as `softmax in q1_softmax.py`.

    A copy from which no other file uses a function is left out, unless all are.
    """
    copies = sorted(material.own.keys() & material.support.keys())
    used = {name: _list_used_functions(material, name) for name in copies}
    named = [f"{' and '.join(used[name])} in {material.own[name][0]}" for name in copies if used[name]]
    return tuple(named or (material.own[name][0] for name in copies))


def _list_used_functions(material: Material, module: str) -> list[str]:
    """List the functions of a copy that the supplied module has too, and that the student's other files name."""
    functions = find_defined_names(material.own[module][1]) & set(_WORD.findall(material.support[module][1]))
    words = {word for name, (_, text, _) in material.own.items() if name != module for word in _WORD.findall(text)}
    return sorted(functions & words)


def _list_spellings(material: Material, name: str) -> set[str]:
    owner = find_owner(name)
    return {owner, material.find_spelling(owner)}
