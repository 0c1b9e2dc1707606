"""Public question: turns the visible checks of a question into the data file that students receive.

A check of a contract is recorded as its requests and right values, and run on the right solution. One that is written
by hand, or that needs what the handout has not, runs on Gradescope: it has a number, a title and points here.
"""

from __future__ import annotations

import gzip
import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from autograder.assignment import Assignment, Question
from autograder.contracts import CheckBody
from autograder.contracts.body import judge_check
from autograder.grading.hidden_test import RunnableTest
from autograder.packaging.tree import PackagingError
from autograder.public_checks import expected
from autograder.public_checks.question_run import HomeModule
from autograder.public_checks.student_file import StudentFile
from autograder.results import Visibility

_FIELDS = ("number", "title", "points", "functions", "hide_errors")


def describe_question(assignment: Assignment, question: Question, tests: Sequence[RunnableTest]) -> dict[str, Any]:
    """Describe a question for `check.py`: its files and its visible checks; those with `data` run at home.

    `tests`: those of the question. PackagingError for a visible check that fails on the right solution.
    """
    visible = [each for each in tests if each.test.visibility is Visibility.VISIBLE]
    hidden = [each.test for each in tests if each.test.visibility is not Visibility.VISIBLE]
    functions = _describe_functions(assignment, question)
    return {
        "id": question.stem,
        "place": assignment.stems.index(question.stem),
        "title": question.title,
        "files": question.files,
        **functions,
        "variants": [asdict(variant) for variant in question.variants],
        "placeholders": sorted({name for function in question.functions for name in function.placeholders}),
        "seconds": assignment.limits.cpu_seconds,  # None where the assignment declares none
        "more": [len(hidden), round(sum(test.points for test in hidden), 2)],
        "checks": [_record_check(assignment, question, functions, each) for each in visible],
    }


def write_data(described: Mapping[str, Any]) -> bytes:
    """Write a question as compressed JSON; the same bytes for the same question."""
    return gzip.compress(json.dumps(described, separators=(",", ":")).encode(), mtime=0)


def _record_check(
    assignment: Assignment, question: Question, functions: Mapping[str, Any], runnable: RunnableTest
) -> dict[str, Any]:
    check = {name: getattr(runnable.test, name) for name in _FIELDS}
    if not isinstance(runnable.call, CheckBody):
        return check
    try:
        data = json.loads(json.dumps(expected.encode(runnable.call.derived)))
    except expected.OnlyOnGradescope:
        return check
    described = {"files": question.files, "placeholders": (), **functions}
    file = StudentFile(described, str(assignment.find_reference(question.stem)), lambda _: None)
    try:
        derived = expected.decode(data)
        judgement = judge_check(derived, HomeModule(file).run(derived.programs))
        if judgement.failure is not None:
            raise judgement.failure
    except Exception as error:
        raise PackagingError(f"{runnable.test.test_id} fails on the right solution: {error}") from error
    finally:
        file.close()
    return check | {"data": data}


def _describe_functions(assignment: Assignment, question: Question) -> dict[str, Any]:
    """Describe the parameters of each graded function and class, and the graded methods of each class."""
    module = assignment.import_reference(question.stem)
    owners = dict.fromkeys(function.name.partition(".")[0] for function in question.functions)
    parameters = {name: tuple(inspect.signature(getattr(module, name)).parameters) for name in owners}
    classes: dict[str, list[str]] = {name: [] for name in owners if isinstance(getattr(module, name), type)}
    for function in question.functions:
        owner, _, method = function.name.partition(".")
        if method:
            classes[owner].append(method)
    return {"parameters": parameters, "classes": classes}
