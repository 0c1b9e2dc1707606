"""Attack: reads `hostile/`: what each attack does, what stops it and its expected outcome.

An attack is a function of a module named after its kind, under the decorator `attack`; it tries one thing and returns
the outcome as a word. A student's file is the module, with the function under the name that is called: `attack`, or
that of the question. What attacks while it is loaded is a file of its own, named by the id, with the same fields in its
docstring, a line each; further lines of a field are indented. The fields, in the decorator with underscores and the
first three by position:

    id              unique; the letter stands for the kind, or G for an attack on the whole grader, I on the import
    stopped by      the layers that each stop it alone, with the outcome then; else another barrier in words
    outcome         with all layers, in every environment; ` or ` between several
    kind            one of KINDS; of a function it is the module
    without them    the outcome without the layers of `stopped by` and with all others: the negative control; `done` for
                    a function that says nothing of a control
    in one process  the negative control if no layer stops it: the outcome in a grader that runs student code itself
    without limit   the negative control if a limit of the grader stops it: its name in `limits`, and the outcome
                    without it
    no control      why there is no negative control
    not defended    why it may succeed
    besides         layers that stay on while others are tested alone
    seconds         of the whole attempt, if the deadline stops it
    machine         the processor that it is written for
    twice           if the outcome in the second of two workers counts
    question        if it is an answer to this question, graded as a whole submission
    right, judge    in a decorator alone: the value that the check expects, RIGHT in the student's file, and the
                    function by which a grader of one process compares

A field followed by ` as user` is for environments in which the grader is not root.
"""

import ast
import platform
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.sandbox.protocol.layers import Layer

FOLDER = Path(__file__).parents[1] / "hostile"
KINDS = ("read", "write", "net", "process", "resource", "protocol", "value", "grader")
ROOT, USER = "root", "user"
_TOOLS = "attacker"
_BY_POSITION = ("id", "stopped by", "outcome")
_OTHER_FIELDS = ("id", "kind", "not defended", "without limit", "seconds", "machine", "twice", "question")
_BY_OWNER = ("stopped by", "outcome", "without them", "in one process", "no control", "besides")
_FIELDS = {*_OTHER_FIELDS, *_BY_OWNER, *(f"{name} as {USER}" for name in _BY_OWNER)}
Code = Callable[..., Any]
_ENDINGS_OF_CONTROL = ("without them", "in one process", "without limit", "no control", "not defended")


class HeaderError(Exception):
    """A header is invalid; the text says which and why."""


@dataclass(frozen=True)
class Attack:
    """One attack: its text and the fields of its header; `judge`: a function that the text may have."""

    name: str
    text: str
    fields: Mapping[str, str]
    right: Any = None
    judge: str = "judge"

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

    @property
    def beside(self) -> Mapping[str, str]:
        """The files beside it."""
        for node in ast.parse(self.text).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "BESIDE":
                return ast.literal_eval(node.value)
        return {}

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
        has_other = self.fields.keys() & {"without limit", "not defended"}
        return not self.get_field("no control", owner) and not has_other


def load_attacks() -> list[Attack]:
    """Load every attack, by id; HeaderError if its fields are invalid."""
    attacks = [_read_file(path) for path in FOLDER.glob("[a-z][0-9][0-9]_*.py")]
    for kind in KINDS:
        attacks.extend(_read_module(kind))
    return sorted(attacks, key=lambda attack: (attack.id[0], int(attack.id[1:])))


def read_tools() -> str:
    """Read the module that attacks import."""
    return (FOLDER / f"{_TOOLS}.py").read_text(encoding="utf-8")


def _read_module(kind: str) -> Iterator[Attack]:
    """Run a module of attacks, and yield the attack of each function that it declares as one."""
    text = (FOLDER / f"{kind}.py").read_text(encoding="utf-8")
    declared: list[Attack] = []

    def declare(*by_position: str, right: object = None, judge: Code | None = None, **named: str) -> Any:
        def keep(function: Code) -> Code:
            fields = {"kind": kind, **dict(zip(_BY_POSITION, by_position, strict=False))}
            fields.update({name.replace("_", " "): value for name, value in named.items()})
            if not fields.keys() & {*_ENDINGS_OF_CONTROL}:
                fields["without them"] = "done"
            declared.append(_make_function_attack(text, function.__name__, fields, right, judge))
            return function

        return keep

    tools, module = ModuleType(_TOOLS), ModuleType(kind)
    exec(compile(read_tools(), f"{_TOOLS}.py", "exec"), vars(tools))
    tools.attack = declare  # type: ignore[attr-defined]
    sys.modules[_TOOLS] = tools
    exec(compile(text, f"{kind}.py", "exec"), vars(module))
    del sys.modules[_TOOLS]
    yield from declared


def _make_function_attack(
    text: str, function: str, fields: Mapping[str, str], right: object, judge: Code | None
) -> Attack:
    identity = fields["id"]
    name = f"{identity[0].lower()}{int(identity[1:]):02}_{function}"
    called = "unit_rows" if "question" in fields else "attack"
    constant = f"RIGHT = {right!r}\n" if right is not None else ""
    whole = f"{text}\n\n{constant}{called} = {function}\n"
    return _make_attack(name, whole, fields, right, "judge" if judge is None else judge.__name__)


def _read_file(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    _, _, header = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")
    pairs = (line.partition(":") for line in header.replace("\n    ", " ").splitlines())
    fields = {field.strip(): value.strip() for field, _, value in pairs}
    return _make_attack(path.stem, text, {"id": f"{path.stem[0].upper()}{int(path.stem[1:3])}", **fields})


def _make_attack(name: str, text: str, fields: Mapping[str, str], right: object = None, judge: str = "judge") -> Attack:
    _require(name, not fields.keys() - _FIELDS, "a field has no meaning")
    _require(name, {"id", "kind", "outcome"} <= fields.keys(), "id, kind or outcome is missing")
    _require(name, fields["kind"] in KINDS, f"its kind is none of {KINDS}")
    _require(name, any(field in fields for field in _ENDINGS_OF_CONTROL), "it says nothing of a control")
    _require(
        name, fields.keys() & {"stopped by", "not defended"}, "it says neither what stops it nor why it may succeed"
    )
    return Attack(name, text, fields, right, judge)


def _require(name: str, holds: object, problem: str) -> None:
    if not holds:
        raise HeaderError(f"{name}: {problem}")
