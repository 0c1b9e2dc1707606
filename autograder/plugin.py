"""Plugin: pytest glue; turns the files of hidden tests into tests that a judge can call, once for many submissions.

pytest finds the tests and nothing else: whether a test passed is the judge's word. A file that does not import, or a
test that wants more of pytest than a plain call gives it (a fixture, a mark), is the staff's error and stops the run
before any student is graded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from autograder.assignment import Assignment
from autograder.hidden_test import HiddenTest, HiddenTestError, read_hidden_test, validate
from autograder.student import Enough, Student, TestCall

_STUDENT = "student"
_COLLECTED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # none: then the points do not add up


class RunnableTest(NamedTuple):
    """A hidden test, and its body as a plain call."""

    test: HiddenTest
    call: TestCall


def collect_hidden_tests(folder: Path, assignment: Assignment, *, stems: Sequence[str]) -> tuple[RunnableTest, ...]:
    """Every hidden test of the questions `stems`, in the order of their numbers.

    Raises HiddenTestError when the tests cannot be collected or are not in order.
    """
    if not stems:  # without a path pytest would collect the working directory
        return ()
    plugin = _Collection(assignment)
    paths = [str(folder / f"test_{stem}.py") for stem in stems]
    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        raise HiddenTestError(f"no hidden tests for a question: {', '.join(missing)} does not exist")
    with _without_variables("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        status = pytest.main([*_arguments(folder), *paths], plugins=[plugin])
    if plugin.interruption is not None:
        raise plugin.interruption
    problems = plugin.errors or ([f"pytest: {status!r}"] if status not in _COLLECTED else [])
    if problems:
        raise HiddenTestError("\n".join(problems))
    validate([each.test for each in plugin.tests], assignment, stems=stems)
    return tuple(sorted(plugin.tests, key=lambda each: each.test.order))


def _arguments(folder: Path) -> list[str]:
    # The trusted tree only: no ini file, no conftest and no plugin from elsewhere, nothing printed, nothing cached.
    # The last ones only take time: one of them goes through the whole memory twice.
    switched_off = "cacheprovider terminal capture logging warnings junitxml doctest faulthandler"
    switched_off += " unraisableexception threadexception unittest pastebin setuponly setupplan"
    arguments = ["-c", os.devnull, "--rootdir", str(folder), "--confcutdir", str(folder), "--noconftest"]
    arguments += ["--import-mode=importlib", "--assert=plain", "--disable-plugin-autoload"]
    return arguments + [f"-pno:{name}" for name in switched_off.split()]


@contextmanager
def _without_variables(*names: str) -> Iterator[None]:
    # pytest has no option that makes it ignore these.
    kept = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


class _Collection:
    """The plugin of one collection; keeps what was found and what is not in order."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self.tests: list[RunnableTest] = []
        self.errors: list[str] = []
        self.interruption: KeyboardInterrupt | None = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the reason why a file could not be collected."""
        if report.failed:
            self.errors.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Read the decorators of every test."""
        for item in items:
            try:
                self.tests.append(self._read(item))
            except HiddenTestError as error:
                self.errors.append(str(error))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> bool:
        """Run nothing."""
        return True

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Remember that the user, and not a file, ended the run."""
        self.interruption = excinfo.value if isinstance(excinfo.value, KeyboardInterrupt) else None

    def pytest_internalerror(self, excrepr: object) -> bool:
        """Keep the reason why pytest gave up."""
        self.errors.append(f"pytest: {excrepr}")
        return True

    def _read(self, item: pytest.Item) -> RunnableTest:
        function = getattr(item, "obj", None)
        stem = item.path.stem.removeprefix("test_")
        test = read_hidden_test(function, file_stem=stem, assignment=self._assignment)
        problems = [f"{test.test_id}: {problem}" for problem in _wishes(item)]
        if problems:
            raise HiddenTestError("\n".join(problems))
        return RunnableTest(test, _call_of(function))


def _wishes(item: pytest.Item) -> Iterator[str]:
    """What a test wants of pytest that a plain call does not give it."""
    names = getattr(item, "fixturenames", ())
    if _STUDENT not in names:
        yield f"the argument `{_STUDENT}` is missing; without it a test asks nothing of a submission"
    for name in names:
        if name != _STUDENT:
            yield f"the fixture or parameter {name!r} is not for hidden tests; make what is needed in the test's body"
    for mark in item.iter_markers():
        yield f"the mark {mark.name!r} is not for hidden tests; a graded test is always run, and as it stands"


def _call_of(function: Any) -> TestCall:
    def call(student: Student) -> float | None:
        vars(function).pop("__score__", None)
        try:
            function(student=student)
        except (Exception, KeyboardInterrupt, Enough):
            raise
        except BaseException as error:  # SystemExit, a skip of pytest's: none of them is an Exception
            raise RuntimeError(f"a hidden test ended itself: {error!r}") from error
        score = getattr(function, "__score__", None)
        return None if score is None else float(score)

    return call
