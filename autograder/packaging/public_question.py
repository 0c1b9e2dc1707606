"""Public question: turns the visible checks of a question into the data file that students receive.

A check of a contract is recorded as its requests and right values. One that is written by hand is run on the right
solution, whose results are recorded; its text is in the zip beside.
"""

from __future__ import annotations

import functools
import gzip
import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from types import FunctionType, ModuleType
from typing import Any

from autograder.assignment import Assignment, Question
from autograder.contracts import CheckBody
from autograder.contracts.body import DerivedCheck, run_check
from autograder.grading.hidden_test import RunnableTest
from autograder.packaging.tree import PackagingError
from autograder.public_checks.expected import (
    OnlyOnGradescope,
    compute_key,
    decode_plain,
    encode_check,
    encode_rounded,
)
from autograder.public_checks.question_run import HomeAttempt
from autograder.public_checks.student_file import StudentFile
from autograder.results import Visibility
from autograder.student import Student

_FIELDS = ("number", "title", "points", "functions", "hide_errors")


def describe_questions(assignment: Assignment, tests: Sequence[RunnableTest]) -> dict[str, dict[str, Any]]:
    """Describe each question for `check.py`, by its id: its files and its visible checks that students can run.

    PackagingError for a visible test that fails on the right solution.
    """
    visible = [each for each in tests if each.test.visibility is Visibility.VISIBLE]
    derived = {each.test.test_id: each.call.derived for each in visible if isinstance(each.call, CheckBody)}
    recorders = {stem: _Recorder(assignment.import_reference(stem)) for stem in assignment.stems}
    checks: dict[str, list[dict[str, Any]]] = {stem: [] for stem in assignment.stems}
    with ExitStack() as listening:
        for recorder in recorders.values():
            listening.enter_context(recorder.listen())
        for each in visible:
            with suppress(OnlyOnGradescope):
                check = _record_check(assignment, each, derived.get(each.test.test_id))
                checks[each.test.stem].append(check)
    described = {}
    for question in assignment.questions:
        stem = question.stem
        own, recorded = checks[stem], recorders[stem].serialize()
        described[stem] = _describe_question(assignment, question, tests, own)
        if recorded["results"] or list_by_hand(own):
            described[stem]["recorded"] = recorded
    return described


def list_by_hand(checks: Sequence[Mapping[str, Any]]) -> list[str]:
    """List the functions of checks that are written by hand."""
    return [check["test"] for check in checks if "test" in check]


def write_data(described: Mapping[str, Any]) -> bytes:
    """Write a question as compressed JSON; the same bytes for the same question."""
    return gzip.compress(json.dumps(described, separators=(",", ":")).encode(), mtime=0)


def _record_check(assignment: Assignment, each: RunnableTest, derived: DerivedCheck | None) -> dict[str, Any]:
    """Record one test, after a run on the right solution."""
    test = each.test
    check = {name: getattr(test, name) for name in _FIELDS}
    if derived is None:
        _run_on_reference(assignment, each, each.call)
        return check | {"test": test.name}
    data = json.loads(json.dumps(encode_check(derived)))
    _run_on_reference(assignment, each, lambda student: run_check(decode_plain(data), student, test.stem))
    return check | {"data": data}


def _run_on_reference(assignment: Assignment, runnable: RunnableTest, call: Callable[[Any], object]) -> None:
    """Call a test's body on the text of the right solution; PackagingError if it fails."""
    stem = runnable.test.stem
    question = assignment.get_question(stem)
    described = {"files": question.files, "placeholders": (), **_describe_functions(assignment, question)}
    file = StudentFile(described, str(assignment.find_reference(stem)), lambda _: None)
    try:
        call(Student(HomeAttempt(file)))
    except OnlyOnGradescope:
        raise
    except Exception as error:
        raise PackagingError(f"{runnable.test.test_id} fails on the right solution: {error}") from error
    finally:
        file.close()


def _describe_question(
    assignment: Assignment, question: Question, tests: Sequence[RunnableTest], checks: list[dict[str, Any]]
) -> dict[str, Any]:
    shown = {check["number"] for check in checks}
    more = [each.test for each in tests if each.test.stem == question.stem and each.test.number not in shown]
    return {
        "id": question.stem,
        "place": assignment.stems.index(question.stem),
        "title": question.title,
        "files": question.files,
        **_describe_functions(assignment, question),
        "variants": [asdict(variant) for variant in question.variants],
        "placeholders": sorted({name for function in question.functions for name in function.placeholders}),
        "seconds": assignment.limits.cpu_seconds,  # None where the assignment declares none
        "more": [len(more), round(sum(test.points for test in more), 2)],
        "checks": checks,
    }


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


class _Recorder:
    """Records the results of a module of the reference where a test calls it, never where the module calls itself."""

    def __init__(self, module: ModuleType) -> None:
        own = {name: each for name, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__}
        self._functions = {name: each for name, each in own.items() if isinstance(each, FunctionType)}
        self._classes = {name: each for name, each in own.items() if isinstance(each, type)}
        self._module = module
        self._depth = 0
        self._results: dict[str, Any] = {}

    def serialize(self) -> dict[str, Any]:
        """Return the content of the file that `expected.load_recorded` reads."""
        classes = {name: sorted(_find_methods(kind)) for name, kind in self._classes.items()}
        return {"functions": list(self._functions), "classes": classes, "results": dict(sorted(self._results.items()))}

    @contextmanager
    def listen(self) -> Iterator[None]:
        """Record the results of the module's functions and methods inside the block."""
        owners = [(self._module, self._functions), *((kind, _find_methods(kind)) for kind in self._classes.values())]
        held = [(owner, name, function) for owner, own in owners for name, function in own.items()]
        for owner, name, function in held:
            setattr(owner, name, self._wrap(owner, name, function))
        try:
            yield
        finally:
            for owner, name, function in held:
                setattr(owner, name, function)

    def _wrap(self, owner: Any, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        is_method = owner is not self._module
        full_name = f"{owner.__name__}.{name}" if is_method else name

        @functools.wraps(function)
        def record_call(*arguments: Any, **keywords: Any) -> Any:
            if keywords:
                arguments = inspect.signature(function).bind(*arguments, **keywords).args
            self._depth += 1
            try:
                given = (dict(vars(arguments[0])), *arguments[1:]) if is_method else arguments
                key = compute_key(full_name, given)
                value = function(*arguments)
                if self._depth == 1:
                    self._keep(key, full_name, (dict(vars(arguments[0])), value) if is_method else value)
                return value
            finally:
                self._depth -= 1

        return record_call

    def _keep(self, key: str, name: str, value: Any) -> None:
        plain = encode_rounded(value)
        if self._results.setdefault(key, plain) != plain:
            raise PackagingError(f"two visible tests call {name} with arguments that the handout cannot tell apart")


def _find_methods(kind: type) -> dict[str, FunctionType]:
    return {name: each for name, each in vars(kind).items() if isinstance(each, FunctionType)}
