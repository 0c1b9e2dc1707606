"""Hidden tests of machine: a new one, its steps, a run, and several at once."""

import copy
from collections.abc import Sequence
from typing import Any

from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Callback, Refuse, Student, checks
from reference import machine as reference

OPERATIONS = ("push", "push", "join", "push", "join")
TEXTS = (("a", "b"), ("c",), ("d", "e", "f"))


def check_steps(student: Student, words: Sequence[str], *all_operations: Sequence[str]) -> None:
    """Compare a machine after each step."""
    found = [take_steps(student.machine.Machine(list(words)), operations) for operations in all_operations]
    for got, operations in zip(found, all_operations, strict=True):
        right = take_steps(reference.Machine(list(words)), operations)
        for what, value in right.items():
            checks.equal(what, got[what], value)


def take_steps(machine: Any, operations: Sequence[str]) -> dict[str, Any]:
    """Return the attributes of a machine after each step."""
    found = {}
    for count, operation in enumerate(operations, 1):
        machine.step(operation)
        for name in ("stack", "queue", "joined"):
            found[f"{name} after step {count}, {operation}"] = copy.copy(getattr(machine, name))
    return found


def choose_for(stack: Sequence[str]) -> str:
    """Join where two words are on the stack."""
    return "join" if len(stack) > 1 else "push"


def choose(machines: Sequence[reference.Machine]) -> list[str]:
    """Choose an operation for each machine of the reference."""
    return [choose_for(each.stack) for each in machines]


def answer(machines: object) -> list[str]:
    """Choose an operation for each machine of a student."""
    states = [getattr(each, "attributes", None) for each in machines] if isinstance(machines, list) else [None]
    stacks = [state.get("stack") if isinstance(state, dict) else None for state in states]
    if not all(isinstance(stack, list) for stack in stacks):
        raise Refuse("choose takes a list of Machine objects, each with its stack")
    return [choose_for(stack) for stack in stacks]


def check_run_all(student: Student, texts: Sequence[Sequence[str]]) -> None:
    """Compare the pairs of all texts."""
    right = reference.run_all([list(text) for text in texts], choose)
    chooser = Callback(answer, keywords=(("machines",),), snapshot=("stack", "queue"))
    checks.equal("run_all(texts, choose)", student.machine.run_all([list(text) for text in texts], chooser), right)


@weight(1)
@number("6.1")
@visibility("visible")
@tags("Machine")
def test_machine_new(student: Student) -> None:
    """Machine: a new one has all words in its queue"""
    made = student.machine.Machine(["a", "b"])
    queue, stack = made.queue, made.stack
    checks.equal("queue", queue, ["a", "b"])
    checks.equal("stack", stack, [])


@weight(1.5)
@number("6.2")
@visibility("visible")
@tags("Machine.step")
def test_step_push_and_join(student: Student) -> None:
    """Machine.step: two words are pushed and joined"""
    check_steps(student, "ab", OPERATIONS[:3])


@weight(1.5)
@number("6.3")
@visibility("after_due_date")
@tags("Machine.step")
def test_step_more(student: Student) -> None:
    """Machine.step: three words"""
    check_steps(student, "abc", OPERATIONS, ("push", "push", "push", "join", "join"))


@weight(1)
@number("6.4")
@visibility("visible")
@tags("Machine.run")
def test_run_pairs(student: Student) -> None:
    """Machine.run: the pairs of three words"""
    got = student.machine.Machine(["a", "b", "c"]).run(list(OPERATIONS))
    checks.equal("run(operations)", got, reference.Machine(["a", "b", "c"]).run(OPERATIONS))


@weight(1)
@number("6.5")
@visibility("visible")
@tags("run_all")
def test_run_all_one(student: Student) -> None:
    """run_all: one text"""
    check_run_all(student, TEXTS[:1])


@weight(2)
@number("6.6")
@visibility("after_due_date")
@tags("run_all")
def test_run_all_several(student: Student) -> None:
    """run_all: texts of different lengths"""
    check_run_all(student, TEXTS)
