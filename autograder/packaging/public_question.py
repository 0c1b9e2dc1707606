"""Public question: turns the visible checks of a question into the data file that students receive.

A check of a contract is recorded as its requests and right values. One that is written by hand is run on the right
solution, whose results are recorded; its text is in the zip beside.
"""

from __future__ import annotations

import dataclasses
import gzip
import inspect
import io
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from autograder.assignment import Assignment, Question
from autograder.contracts import CheckBody
from autograder.contracts.body import run_check
from autograder.contracts.judgement import DerivedCheck
from autograder.grading.hidden_test import RunnableTest
from autograder.packaging.recording import Recorder
from autograder.packaging.tree import PackagingError
from autograder.public_checks.home_student import HomeAttempt, OnlyOnGradescope
from autograder.public_checks.recorded_check import NotRecordable, decode_check, encode_check
from autograder.public_checks.student_file import StudentFile
from autograder.results import Visibility
from autograder.sandbox.calls.by_position import find_by_name
from autograder.student import Student

_FIELDS = ("number", "title", "points", "functions", "hide_errors")


@dataclass
class PublicQuestions:
    """The visible checks of an assignment as data. `checks`: by question; `by_hand`: their functions, by question.

    `results`: of the right solutions, by question; `left_out`: the numbers of visible checks that only Gradescope has.
    """

    checks: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    by_hand: dict[str, list[str]] = field(default_factory=dict)
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def record_checks(assignment: Assignment, tests: Sequence[RunnableTest]) -> PublicQuestions:
    """Record the visible tests; PackagingError for one that fails on the right solution."""
    made = PublicQuestions({stem: [] for stem in assignment.stems})
    visible = [each for each in tests if each.test.visibility is Visibility.VISIBLE]
    derived = {each.test.test_id: each.call.derived for each in visible if isinstance(each.call, CheckBody)}
    recorders = {stem: Recorder(assignment.import_reference(stem)) for stem in assignment.stems}
    with ExitStack() as listening:
        for recorder in recorders.values():
            listening.enter_context(recorder.listen())
        for each in visible:
            try:
                made.checks[each.test.stem].append(_record_check(assignment, each, derived.get(each.test.test_id)))
            except (NotRecordable, OnlyOnGradescope):
                made.left_out.append(each.test.number)
    made.by_hand = {stem: [check["test"] for check in own if "test" in check] for stem, own in made.checks.items()}
    asked = {stem: recorder.serialize() for stem, recorder in recorders.items()}
    made.results = {stem: own for stem, own in asked.items() if own["results"] or made.by_hand[stem]}
    return made


def _record_check(assignment: Assignment, each: RunnableTest, derived: DerivedCheck | None) -> dict[str, Any]:
    """Record one test, after a run on the right solution."""
    test = each.test
    check = {name: getattr(test, name) for name in _FIELDS}
    if derived is None:
        run_on_reference(assignment, each, each.call)
        return check | {"test": test.name}
    data = json.loads(json.dumps(encode_check(derived)))
    run_on_reference(assignment, each, lambda student: run_check(decode_check(data), student, test.stem))
    return check | {"data": data}


def run_on_reference(assignment: Assignment, runnable: RunnableTest, call: Callable[[Any], object]) -> None:
    """Call a test's body on the text of the right solution; PackagingError if it fails."""
    stem = runnable.test.stem
    question = assignment.get_question(stem)
    described = {"files": question.files, "placeholders": (), **_describe_functions(assignment, question)}
    file = StudentFile(described, str(assignment.find_reference(stem)), lambda _: None, io.StringIO())
    try:
        call(Student(HomeAttempt(file)))
    except OnlyOnGradescope:
        raise
    except Exception as error:
        raise PackagingError(f"{runnable.test.test_id} fails on the right solution: {error}") from error
    finally:
        file.close()


def describe_question(
    assignment: Assignment, question: Question, tests: Sequence[RunnableTest], made: PublicQuestions
) -> dict[str, Any]:
    """Describe a question for `check.py`: its files and its checks."""
    own = [each.test for each in tests if each.test.stem == question.stem]
    checks = made.checks[question.stem]
    shown = {check["number"] for check in checks}
    more = [test for test in own if test.number not in shown]
    described = {
        "id": question.stem,
        "place": assignment.stems.index(question.stem),
        "title": question.title,
        "files": question.files,
        **_describe_functions(assignment, question),
        "variants": [dataclasses.asdict(variant) for variant in question.variants],
        "placeholders": sorted({name for function in question.functions for name in function.placeholders}),
        "seconds": assignment.limits.cpu_seconds,  # None where the assignment declares none
        "more": [len(more), round(sum(test.points for test in more), 2)],
        "checks": checks,
    }
    results = made.results.get(question.stem)
    return described if results is None else described | {"recorded": results}


def write_data(described: Mapping[str, Any]) -> bytes:
    """Write a question as compressed JSON; the same bytes for the same question."""
    return gzip.compress(json.dumps(described, separators=(",", ":")).encode(), mtime=0)


def _describe_functions(assignment: Assignment, question: Question) -> dict[str, Any]:
    """Describe the parameters of each graded function and class, and the graded methods of each class."""
    module = assignment.import_reference(question.stem)
    owners = dict.fromkeys(function.name.partition(".")[0] for function in question.functions)
    parameters = {name: tuple(inspect.signature(getattr(module, name)).parameters) for name in owners}
    by_name = {name: find_by_name(getattr(module, name)) for name in owners}
    classes: dict[str, list[str]] = {name: [] for name in owners if isinstance(getattr(module, name), type)}
    for function in question.functions:
        owner, _, method = function.name.partition(".")
        if method:
            classes[owner].append(method)
    return {
        "parameters": parameters,
        "by_name": {name: each for name, each in by_name.items() if each.names},
        "classes": classes,
    }
