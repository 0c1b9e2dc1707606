"""Lines to run: adds the first failing case of a visible check, as lines to paste, to a result, if they show it.

Its program runs once more in a fresh worker, where nothing runs before it. A reply that is right there is told instead:
the student's code keeps something from call to call. That is told of a hidden check, too, whose lines are not shown.
A program that takes too long is not run again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from autograder.checks.checks import is_right
from autograder.contracts.body import FailingCase
from autograder.grading import explain
from autograder.grading.attempt import Attempt, Tried
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.ending import Failed, NoValue, Partial
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.material import Material
from autograder.grading.memory import ResultMemory
from autograder.grading.student_module import StudentModule
from autograder.programs.calls import give_function
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.program import run_program
from autograder.results import Visibility
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.host.exports import TOO_MANY_CALLS


def add_lines(
    runner: AttemptRunner, memory: ResultMemory, test: HiddenTest, tried: Tried, failing: FailingCase
) -> Tried:
    """Add the lines, or that the case is right alone; neither where student code ends there in another way.

    A program that does not end there was late. Of a hidden check, a case is tried that others ran before.
    Where the student's functions agree with each other alone, that is told of both kinds of check.
    """
    is_visible = test.visibility is Visibility.VISIBLE
    if not is_visible and failing.end is not None:
        return tried
    attempt = Attempt(test.functions, runner.deadline, need=test.need)
    material = runner.materials[test.question_id]
    try:
        with runner.open_run(attempt) as run:
            module = run.module(test.question_id)
            lines = failing.write(material.adapt, module.spell)
            is_told = lines if is_visible else failing.number
            if not is_told:
                return _add_partner(material, module, tried, failing)
            reply = None if _is_too_long(tried, failing) else module.run([failing.program])[0]
            end = next(iter(module.ends), None)
            is_shown = reply is not None and end is None and failing.is_shown_by(reply)
            if is_shown:
                tried = _add_partner(material, module, tried, failing)
    except (CallFailed, SandboxError, OSError):
        return tried
    has_ended = failing.end is not None
    if end is not None and not has_ended:  # only here
        if end.kind is OutcomeKind.TIMED_OUT:
            memory.add_late(test)
        return tried
    if reply is None or end is not None or (is_shown and not has_ended):
        return _add(tried, explain.explain_reproducer(lines)) if is_visible else tried
    is_replaced = isinstance(tried.ending, (Partial, Failed, NoValue)) and tried.ending.replaced
    return tried if has_ended or is_replaced else _add(tried, explain.RIGHT_ALONE)


def _add(tried: Tried, text: str) -> Tried:
    return replace(tried, lines="\n".join(filter(None, [tried.lines, text])))


def _add_partner(material: Material, module: StudentModule, tried: Tried, failing: FailingCase) -> Tried:
    """Add that the case is right with an earlier function of the student's in place of one that the test gives."""
    for function in material.question.list_prerequisites(failing.check.function.split()):
        program = give_function(failing.program, function.name)
        if program is None or function.name in material.classes:
            continue
        (right,) = run_program(program, partial(getattr, material.reference))
        (found,) = module.run([program])[0]
        if not isinstance(right, Outcome) and is_right(found, right):
            return _add(tried, explain.PAIR.format(function.name))
    return tried


def _is_too_long(tried: Tried, failing: FailingCase) -> bool:
    ending, end = tried.ending, failing.end
    if isinstance(ending, NoValue) and ending.outcome.refusal == TOO_MANY_CALLS:
        return True
    return end is not None and end.kind is OutcomeKind.TIMED_OUT
