"""Collection: turns the files of hidden tests into tests that a judge can call, once for many submissions.

What pytest would find, found without it where that is plain to see, because pytest takes longer to load than the tests.
Plain is a file in which nothing means anything to pytest but functions named test..., each with one argument, the
student. Any other file, and whatever is not in order, is left to pytest, which says what it finds and what is wrong.
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType, ModuleType

from autograder.assignment import Assignment
from autograder.grading.hidden_test import HiddenTestError, validate
from autograder.grading.runnable_test import STUDENT, RunnableTest, runnable

_NAMES_OF_PYTEST = ("Test", "__test__", "pytest", "setup", "setUp", "teardown", "tearDown")
_PACKAGES_OF_PYTEST = ("_pytest", "pytest")


class NotPlainError(Exception):
    """Something in a file may mean something to pytest; the text says what."""


def collect_hidden_tests(folder: Path, assignment: Assignment, *, stems: Sequence[str]) -> tuple[RunnableTest, ...]:
    """Every hidden test of the questions `stems`, in the order of their numbers.

    Raises HiddenTestError when the tests cannot be collected or are not in order.
    """
    paths = [folder / f"test_{stem}.py" for stem in stems]
    missing = [str(path) for path in paths if not os.path.exists(path)]
    if missing:
        raise HiddenTestError(f"no hidden tests for a question: {', '.join(missing)} does not exist")
    try:
        tests = list(plain_tests(paths, assignment))
        validate([each.test for each in tests], assignment, stems=stems)
    except (Exception, SystemExit):  # noqa: BLE001  (whatever is wrong with the files, pytest says it)
        from autograder.grading.plugin import found_by_pytest  # noqa: PLC0415  (slow to load, and only for what is not plain)

        tests = found_by_pytest(paths, assignment)
        validate([each.test for each in tests], assignment, stems=stems)
    return tuple(sorted(tests, key=lambda each: each.test.order))


def plain_tests(paths: Sequence[Path], assignment: Assignment) -> Iterator[RunnableTest]:
    """The tests of these files as pytest would find them; NotPlainError where it might find something else."""
    for path in paths:
        for function in _functions(_imported(path)):
            yield runnable(function, file_stem=path.stem.removeprefix("test_"), assignment=assignment)


def _imported(path: Path) -> ModuleType:
    """The module, under the name that pytest gives it."""
    if path.stem in sys.modules:
        return sys.modules[path.stem]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise NotPlainError(str(path))
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[path.stem]
        raise
    return module


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    for name, value in list(vars(module).items()):
        is_test = name.startswith("test") and callable(value)
        if _is_for_pytest(name, value) or (is_test and not _is_plain(value)):
            raise NotPlainError(f"{module.__name__}: {name}")
        if is_test:
            yield value


def _is_for_pytest(name: str, value: object) -> bool:
    """Whether pytest may do something with it, beyond running it as a test."""
    if name.startswith(_NAMES_OF_PYTEST) or getattr(value, "__test__", None) is not None:
        return True
    homes = (type(value).__module__, getattr(value, "__module__", None), getattr(value, "__name__", None))
    return any(str(home).partition(".")[0] in _PACKAGES_OF_PYTEST for home in homes)


def _is_plain(function: object) -> bool:
    """Whether pytest would take it for one test, without marks, that wants the student and nothing else."""
    if type(function) is not FunctionType or inspect.isgeneratorfunction(function) or hasattr(function, "pytestmark"):
        return False
    taken = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.kind in taken and each.default is each.empty] == [STUDENT]
