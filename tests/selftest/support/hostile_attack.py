"""Attack: reads the files of `hostile/`: what stops each attack and its expected outcome.

An attack is a submission: a file whose function `attack` tries one thing and returns the outcome as a word. Its
docstring is a header: a sentence, then fields, a line each; further lines of a field are indented.

    id              unique; the letter stands for the kind, or G for an attack on the whole grader, I on the import
    kind            one of KINDS
    stopped by      the layers that each stop it alone, with the outcome then; else another barrier in words
    outcome         with all layers, in every environment; ` or ` between several
    without them    the outcome without the layers of `stopped by` and with all others: the negative control
    in one process  the negative control if no layer stops it: the outcome in a grader that runs student code itself
    no control      why there is no negative control
    not defended    why it may succeed
    besides         layers that stay on while others are tested alone
    seconds         of the whole attempt, if the deadline stops it
    machine         the processor that it is written for
    twice           if the outcome in the second of two workers counts
    question        if it is an answer to this question, graded as a whole submission

A field followed by ` as user` is for environments in which the grader is not root.
"""

from __future__ import annotations

import ast
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.sandbox.protocol.layers import Layer

FOLDER = Path(__file__).parents[1] / "hostile"
KINDS = ("read", "write", "net", "process", "resource", "protocol", "value", "grader")
ROOT, USER = "root", "user"
_TOOLS = "attacker"
_OTHER_FIELDS = ("id", "kind", "not defended", "seconds", "machine", "twice", "question")
_BY_OWNER = ("stopped by", "outcome", "without them", "in one process", "no control", "besides")
_FIELDS = {*_OTHER_FIELDS, *_BY_OWNER, *(f"{name} as {USER}" for name in _BY_OWNER)}
_ENDINGS_OF_CONTROL = ("without them", "in one process", "no control", "not defended")


class HeaderError(Exception):
    """A header is invalid; the text says which and why."""


@dataclass(frozen=True)
class Attack:
    """One attack: its text and the fields of its header."""

    name: str
    text: str
    fields: Mapping[str, str]

    @property
    def id(self) -> str:
        """The short name, such as R1."""
        return self.fields["id"]

    @property
    def kind(self) -> str:
        """One of KINDS."""
        return self.fields["kind"]

    @property
    def seconds(self) -> float:
        """The time limit of the whole attempt."""
        return float(self.fields.get("seconds", "20"))

    @property
    def runs_here(self) -> bool:
        """Tell whether it is written for this machine's processor."""
        return self.fields.get("machine", platform.machine()) == platform.machine()

    def read_constant(self, name: str) -> Any:
        """Read a constant of the file: RIGHT, the value that the check expects, or BESIDE, the files beside it."""
        for node in ast.parse(self.text).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
                return ast.literal_eval(node.value)
        return None

    def get_field(self, name: str, owner: str) -> str:
        """Return a field for graders of this owner; empty if missing."""
        return self.fields.get(f"{name} as {owner}", self.fields.get(name, ""))

    def get_outcomes(self, name: str, owner: str) -> tuple[str, ...]:
        """Return the outcomes that a field allows."""
        return tuple(re.split(r" or (?=\S)", self.get_field(name, owner)))

    def get_stoppers(self, owner: str) -> dict[Layer, str]:
        """Return the layers that each stop it alone, with the outcome then; empty if another barrier does."""
        parts = self.get_field("stopped by", owner).split("; ")
        pairs = [(layer, part) for part in parts for layer in Layer if part.startswith(layer.value + " ")]
        return {layer: part[len(layer.value) + 1 :] for layer, part in pairs}

    def get_besides(self, owner: str) -> frozenset[Layer]:
        """Return the layers that stay on while one is tested alone."""
        names = self.get_field("besides", owner).split("; ")
        return frozenset(layer for layer in Layer if layer.value in names)

    def has_control(self, owner: str) -> bool:
        """Tell whether the attack must succeed here once its barriers are off."""
        return not self.get_field("no control", owner) and "not defended" not in self.fields


def load_attacks() -> list[Attack]:
    """Load every attack, by id; HeaderError if a header is invalid."""
    attacks = [_read_attack(path) for path in FOLDER.glob("*.py") if path.stem != _TOOLS]
    return sorted(attacks, key=lambda attack: (attack.id[0], int(attack.id[1:])))


def read_tools() -> str:
    """Read the module that attacks import."""
    return (FOLDER / f"{_TOOLS}.py").read_text(encoding="utf-8")


def _read_attack(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    _, _, header = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")
    pairs = (line.partition(":") for line in header.replace("\n    ", " ").splitlines())
    fields = {field.strip(): value.strip() for field, _, value in pairs}
    _require(path, not fields.keys() - _FIELDS, "a field has no meaning")
    _require(path, {"id", "kind", "outcome"} <= fields.keys(), "id, kind or outcome is missing")
    _require(path, fields["kind"] in KINDS, f"its kind is none of {KINDS}")
    _require(path, path.stem[0].upper() + path.stem[1:3].lstrip("0") == fields["id"], "its name is not that of its id")
    _require(path, any(field in fields for field in _ENDINGS_OF_CONTROL), "it says nothing of a control")
    _require(
        path, fields.keys() & {"stopped by", "not defended"}, "it says neither what stops it nor why it may succeed"
    )
    return Attack(path.stem, text, fields)


def _require(path: Path, holds: object, problem: str) -> None:
    if not holds:
        raise HeaderError(f"{path.name}: {problem}")
