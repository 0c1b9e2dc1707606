"""Attack: reads `hostile/`: what each attack does, what stops it and its expected outcome.

An attack is a function of a module named after its kind, under the decorator `attack`; it tries one thing and returns
the outcome as a word. It becomes a student's file: the function by the name that is called, `attack` or that of the
question, with what it uses of its module. What attacks while it is loaded is a file of its own, named by the id, with
the same fields in its docstring, a line each; further lines of a field are indented. The fields, in the decorator with
underscores and the first three by position:

    id              unique; the letter stands for the kind, or G for an attack on the whole grader, I on the import
    stopped by      the layers that each stop it alone, with the outcome then; else another barrier in words
    outcome         with all layers, in every environment; ` or ` between several
    kind            one of KINDS; of a function it is the module
    without them    the outcome without the layers of `stopped by` and with all others: the negative control
    in one process  the negative control if no layer stops it: the outcome in a grader that runs student code itself
    no control      why there is no negative control
    not defended    why it may succeed
    besides         layers that stay on while others are tested alone
    seconds         of the whole attempt, if the deadline stops it
    machine         the processor that it is written for
    twice           if the outcome in the second of two workers counts
    question        if it is an answer to this question, graded as a whole submission
    right, judge    in a decorator alone: the value that the check expects, and the function by which a grader of one
                    process compares; the file has them as RIGHT and judge

A field followed by ` as user` is for environments in which the grader is not root.
"""

from __future__ import annotations

import ast
import platform
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.sandbox.protocol.layers import Layer

FOLDER = Path(__file__).parents[1] / "hostile"
KINDS = ("read", "write", "net", "process", "resource", "protocol", "value", "grader")
ROOT, USER = "root", "user"
_TOOLS = "attacker"
_BY_POSITION = ("id", "stopped by", "outcome")
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
    """Load every attack, by id; HeaderError if its fields are invalid."""
    attacks = [_read_file(path) for path in FOLDER.glob("[a-z][0-9][0-9]_*.py")]
    for kind in KINDS:
        attacks.extend(_AttackModule(kind).read_attacks())
    return sorted(attacks, key=lambda attack: (attack.id[0], int(attack.id[1:])))


def read_tools() -> str:
    """Read the module that attacks import."""
    return (FOLDER / f"{_TOOLS}.py").read_text(encoding="utf-8")


class _AttackModule:
    """A module of attacks: its text, and what it imports and defines, by name."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._text = (FOLDER / f"{kind}.py").read_text(encoding="utf-8")
        self._body = ast.parse(self._text).body
        self._defined: dict[str, ast.stmt] = {}
        for node in self._body:
            self._defined.update(dict.fromkeys(_list_defined(node), node))

    def read_attacks(self) -> Iterator[Attack]:
        """Yield the attack of each decorated function."""
        for node in self._body:
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                yield self._read_attack(node)

    def _read_attack(self, function: ast.FunctionDef) -> Attack:
        (call,) = function.decorator_list
        assert isinstance(call, ast.Call)
        values = dict(zip(_BY_POSITION, call.args, strict=False))
        values.update({str(keyword.arg).replace("_", " "): keyword.value for keyword in call.keywords})
        right, judge = values.pop("right", None), values.pop("judge", None)
        fields = {"kind": self._kind, **{name: self._find_text(value) for name, value in values.items()}}
        identity = fields.get("id", " 0")
        name = f"{identity[0].lower()}{int(identity[1:]):02}_{function.name}"
        lines = self._write_used(function, judge)
        if right is not None:
            lines.append(f"RIGHT = {self._cut(right)}")
        called = "unit_rows" if "question" in fields else "attack"
        lines.append(self._cut(function).replace(f"def {function.name}(", f"def {called}(", 1))
        if judge is not None:
            lines.append(f"judge = {self._cut(judge)}")
        return _make_attack(name, "\n\n".join(lines) + "\n", fields)

    def _find_text(self, value: ast.expr) -> str:
        """Return a field's text, which may be a constant of the module."""
        named = self._defined.get(value.id) if isinstance(value, ast.Name) else None
        return str(ast.literal_eval(named.value if isinstance(named, ast.Assign) else value))

    def _write_used(self, *roots: ast.AST | None) -> list[str]:
        """Write the imports and definitions that the nodes use, also by one another, in the module's order."""
        used: set[str] = set()
        found = [root for root in roots if root is not None]
        while found:
            names = _list_used(found.pop()) - used
            used |= names
            found.extend(self._defined[name] for name in names & self._defined.keys())
        return [self._write_statement(node, used) for node in self._body if used.intersection(_list_defined(node))]

    def _write_statement(self, node: ast.stmt, used: set[str]) -> str:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            return self._cut(node)
        kept = [alias for alias in node.names if _find_bound(alias) in used]
        if isinstance(node, ast.Import):
            return ast.unparse(ast.Import(kept))
        return ast.unparse(ast.ImportFrom(node.module, kept, node.level))

    def _cut(self, node: ast.AST) -> str:
        return ast.get_source_segment(self._text, node) or ""


def _list_defined(node: ast.stmt) -> list[str]:
    """List the names that a statement of a module binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [_find_bound(alias) for alias in node.names]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]


def _list_used(node: ast.AST) -> set[str]:
    """List the names that a node mentions, without those of its decorator."""
    decorators = getattr(node, "decorator_list", [])
    in_decorators = {id(each) for decorator in decorators for each in ast.walk(decorator)}
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and id(each) not in in_decorators}


def _find_bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _read_file(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    _, _, header = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")
    pairs = (line.partition(":") for line in header.replace("\n    ", " ").splitlines())
    fields = {field.strip(): value.strip() for field, _, value in pairs}
    return _make_attack(path.stem, text, {"id": f"{path.stem[0].upper()}{int(path.stem[1:3])}", **fields})


def _make_attack(name: str, text: str, fields: Mapping[str, str]) -> Attack:
    _require(name, not fields.keys() - _FIELDS, "a field has no meaning")
    _require(name, {"id", "kind", "outcome"} <= fields.keys(), "id, kind or outcome is missing")
    _require(name, fields["kind"] in KINDS, f"its kind is none of {KINDS}")
    _require(name, any(field in fields for field in _ENDINGS_OF_CONTROL), "it says nothing of a control")
    _require(
        name, fields.keys() & {"stopped by", "not defended"}, "it says neither what stops it nor why it may succeed"
    )
    return Attack(name, text, fields)


def _require(name: str, holds: object, problem: str) -> None:
    if not holds:
        raise HeaderError(f"{name}: {problem}")
