"""Collection: turns the files of hidden tests into tests that a judge can call, once for many submissions.

A hidden test is a row of a contract's table, or a function named test... of one argument, the student. pytest takes
longer to load than the tests and is not used; whatever it alone would understand (fixtures, marks, classes, setup
functions) is refused by name, because a test that is silently dropped gives no points to anybody.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

from autograder import UserError
from autograder.assignment import Assignment
from autograder.grading.hidden_test import HiddenTest, HiddenTestError, RunnableTest, make_row, make_runnable
from autograder.plain_text import count

if TYPE_CHECKING:
    from autograder.contracts import RowTable

_RUN_BY_PYTEST = {f"{when}_{what}" for when in ("setup", "teardown") for what in ("module", "function")}
_RUN_BY_PYTEST |= {"setUpModule", "tearDownModule", "pytestmark"}
_ADVICE = "write each test as a function `def test_x(student: Student)`, see docs/writing_checks.md"


def collect_hidden_tests(assignment: Assignment, *, question_ids: Sequence[str]) -> tuple[RunnableTest, ...]:
    """Every hidden test of the questions `question_ids`, in the order of their numbers.

    Raises HiddenTestError, with one line a problem, when the files cannot be imported or the tests are not in order.
    """
    paths = [assignment.find_hidden_tests(question_id) for question_id in question_ids]
    missing = [str(path) for path in paths if not os.path.exists(path)]
    if missing:
        raise HiddenTestError(f"no hidden tests for a question: {', '.join(missing)} does not exist")
    assignment.put_on_path()
    tests = read_files(paths, assignment)
    validate([each.test for each in tests], assignment, question_ids=question_ids)
    return tuple(sorted(tests, key=lambda each: each.test.order))


def validate(tests: Sequence[HiddenTest], assignment: Assignment, *, question_ids: Iterable[str]) -> None:
    """`HiddenTestError` where numbers are mixed up, or a question's points do not add up."""
    problems = []
    for number in dict.fromkeys(test.number for test in tests):
        same = [test for test in tests if test.number == number]
        if len(same) > 1:
            problems.append(f"the number {number} is used by {len(same)} tests: {_list_ids(same)}")
    problems += _find_mixed_numbers(tests)
    for question in assignment.questions:
        total = sum(test.points for test in tests if test.question_id == question.question_id)
        if question.question_id in set(question_ids) and abs(total - question.points) > 1e-9:
            points = f"the tests give {count(total, 'point')}, assignment.toml says {question.points:g}"
            problems.append(f"{assignment.locate(question.question_id, 'points')}{question.question_id}: {points}")
    if problems:
        raise HiddenTestError("\n".join(problems))


def _find_mixed_numbers(tests: Sequence[HiddenTest]) -> Iterator[str]:
    """Find the questions whose tests do not all begin with one number, or begin with an earlier question's."""
    firsts: dict[str, HiddenTest] = {}  # by the number of a question
    numbers: dict[str, str] = {}
    for test in tests:
        own = test.number.partition(".")[0]
        number = numbers.setdefault(test.question_id, own)
        first = firsts.setdefault(number, test)
        if first.question_id != test.question_id:
            like = f"{first.number} of {first.question_id}"
            yield f"{test.test_id} has the number {test.number}, which begins like {like}"
        elif own != number:
            yield f"{test.test_id} has the number {test.number}; the numbers of {test.question_id} begin with {number}"


def _list_ids(tests: Iterable[HiddenTest]) -> str:
    return ", ".join(test.test_id for test in tests)


def read_files(paths: Sequence[Path], assignment: Assignment) -> list[RunnableTest]:
    """The tests of these files, in the order in which they are written; HiddenTestError names every problem."""
    tests: list[RunnableTest] = []
    problems: list[str] = []
    for path in paths:
        try:
            tests += _read_file(path, assignment, problems)
        except HiddenTestError as error:
            problems.append(str(error))
    if problems:
        raise HiddenTestError("\n".join(problems))
    return tests


def _read_file(path: Path, assignment: Assignment, problems: list[str]) -> list[RunnableTest]:
    """Read the tests of a file and add its problems; HiddenTestError where it cannot be imported."""
    module = _import_file(path)
    question_id = path.stem.removeprefix("test_")
    problems += [f"{path.name}: {problem}" for problem in _find_unsupported(module)]
    tests = []
    for table in list_tables(module):
        try:
            for row in table.rows:
                tests.append(make_row(row, place=table.place, question_id=question_id, assignment=assignment))
        except HiddenTestError as error:
            problems.append(str(error))
    for function in _list_functions(module):
        try:
            tests.append(make_runnable(function, question_id=question_id, assignment=assignment))
        except HiddenTestError as error:
            problems.append(str(error))
        except Exception as error:  # noqa: BLE001  (an argument of a decorator may raise when it is read)
            problems.append(f"{path.name}::{function.__name__}: it cannot be read: {error!r}")
    return tests


def _import_file(path: Path) -> ModuleType:
    """The module, under its file's name; another one of that name, as of another assignment, is not taken for it."""
    known = sys.modules.get(path.stem)
    if known is not None:
        file = getattr(known, "__file__", None) or ""
        if os.path.realpath(file) == os.path.realpath(path):
            return known
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None  # noqa: S101  (it ends with .py)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[path.stem]
        if isinstance(error, (KeyboardInterrupt, UserError)):  # what is written there is gone
            raise
        raise HiddenTestError(f"{path.name}: it cannot be imported:\n{_format_error(error, path)}") from error
    return module


def _format_error(error: BaseException, path: Path) -> str:
    """The traceback from the file on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != str(path):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


def list_tables(module: ModuleType) -> list[RowTable]:
    """List the tables of rows that a file has; RowError where a name or a number is there twice."""
    from autograder.contracts import Contract, require_distinct  # noqa: PLC0415  (slow to load)

    contracts = [value for value in vars(module).values() if isinstance(value, Contract)]
    tables = [each.table for each in dict.fromkeys(contracts) if each.table is not None]
    own = [table for table in tables if table.file == module.__file__]
    numbers = {each.__name__: getattr(each, "__number__", "") for each in _list_functions(module)}
    require_distinct(own, numbers)
    return own


def _list_functions(module: ModuleType) -> Iterator[FunctionType]:
    for name, value in vars(module).items():
        if name.startswith("test") and type(value) is FunctionType:
            yield value


def _find_unsupported(module: ModuleType) -> Iterator[str]:
    """Sentences on everything in a module that looks like a test, or is meant for pytest, and would not be run."""
    for name, value in list(vars(module).items()):
        is_class = isinstance(value, type)
        if is_class and _is_test_case(value):
            yield f"{name} is a unittest.TestCase, which is not run; {_ADVICE}"
        elif is_class and value.__module__ == module.__name__ and _has_tests(value):
            yield f"{name} is a class of tests, which is not run; {_ADVICE}"
        elif type(value).__module__ == "_pytest.fixtures":
            yield f"{name} is a fixture of pytest, which is not run; make what it makes in the body of each test"
        elif name in _RUN_BY_PYTEST or (name.startswith("pytest_") and not isinstance(value, ModuleType)):
            yield f"{name} is for pytest, and is ignored here; do in the body of each test what it does"
        elif name == "__test__" or _is_test_elsewhere(name, value):
            yield f"{name} says what pytest runs, and is ignored here; give tests names that begin with test_"
        elif name.startswith("test") and callable(value) and type(value) is not FunctionType:
            yield f"{name} is no function: give each decorator its parentheses, and {_ADVICE}"


def _is_test_case(kind: type) -> bool:
    bases = [(base.__module__, base.__name__) for base in kind.__mro__]
    is_own = not kind.__module__.startswith("unittest")
    return is_own and ("unittest.case", "TestCase") in bases


def _has_tests(kind: type) -> bool:
    return any(name.startswith("test") and callable(value) for name, value in vars(kind).items())


def _is_test_elsewhere(name: str, value: object) -> bool:
    """Whether it is a function that asks pytest to run it under a name that is no test's."""
    return isinstance(value, FunctionType) and not name.startswith("test") and "__test__" in vars(value)
