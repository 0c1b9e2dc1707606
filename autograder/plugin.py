"""Plugin: pytest glue; collects the hidden tests, checks their decorators, and hands each to a judge as a plain call.

pytest finds the tests, resolves their fixtures and nothing else: whether a test passed is the judge's word. A failure
of pytest itself (a file that does not import, a fixture that raises) is the staff's error and stops the run before
any student is graded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import Assignment
from autograder.hidden_test import HiddenTest, HiddenTestError, read_hidden_test, validate
from autograder.judge import TestCall
from autograder.results import CheckResult
from autograder.student import Student

JudgeTest = Callable[[HiddenTest, TestCall], CheckResult]


def run_hidden_tests(
    folder: Path, assignment: Assignment, *, stems: Sequence[str], judge: JudgeTest
) -> list[CheckResult]:
    """Judge every hidden test of the questions `stems`, in the order of their numbers.

    Raises HiddenTestError when the tests cannot be collected or are not in order.
    """
    if not stems:  # without a path pytest would collect the working directory
        return []
    plugin = _HiddenTests(assignment, stems, judge)
    paths = [str(folder / f"test_{stem}.py") for stem in stems]
    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        raise HiddenTestError(f"no hidden tests for a question: {', '.join(missing)} does not exist")
    with _without_variables("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        status = pytest.main([*_arguments(folder), *paths], plugins=[plugin])
    if plugin.interruption is not None:
        raise plugin.interruption
    problems = plugin.errors or plugin.not_judged() or ([f"pytest: {status!r}"] if status else [])
    if problems:
        raise HiddenTestError("\n".join(problems))
    return plugin.results


def _arguments(folder: Path) -> list[str]:
    # The trusted tree only: no ini file, no conftest and no plugin from elsewhere, nothing printed, nothing cached.
    switched_off = "cacheprovider terminal capture logging warnings junitxml doctest faulthandler"
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


class _HiddenTests:
    """The plugin of one run; keeps what was collected and what was judged."""

    def __init__(self, assignment: Assignment, stems: Sequence[str], judge: JudgeTest) -> None:
        self._assignment = assignment
        self._stems = tuple(stems)
        self._judge = judge
        self._tests: dict[str, HiddenTest] = {}
        self.errors: list[str] = []
        self.results: list[CheckResult] = []
        self.interruption: KeyboardInterrupt | None = None

    def not_judged(self) -> list[str]:
        """A line for each test that was collected and is not among the results."""
        judged = {result.test_id for result in self.results}
        tests = [test.test_id for test in self._tests.values() if test.test_id not in judged]
        return [f"{test_id}: was not run; a graded test cannot be skipped" for test_id in tests]

    @pytest.fixture
    def student(self) -> None:
        """Stands for the proxy; each attempt puts its own in its place."""

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the reason why a file could not be collected."""
        if report.failed:
            self.errors.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Read the decorators of every test and put the tests in the order of their numbers."""
        for item in items:
            try:
                self._tests[item.nodeid] = self._read(item)
            except HiddenTestError as error:
                self.errors.append(str(error))
        if not self.errors:
            self._validate()
        items.sort(key=lambda item: self._tests[item.nodeid].order if item.nodeid in self._tests else ())

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run nothing where the tests are not in order."""
        return True if self.errors else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        """Have the judge run the body of one test, as often as it wants."""
        names = pyfuncitem._fixtureinfo.argnames
        fixtures = {name: pyfuncitem.funcargs[name] for name in names}
        test = self._tests[pyfuncitem.nodeid]
        self.results.append(self._judge(test, _call_of(pyfuncitem.obj, fixtures)))
        return True

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Remember that the user, and not a test, ended the run."""
        self.interruption = excinfo.value if isinstance(excinfo.value, KeyboardInterrupt) else None

    def pytest_internalerror(self, excrepr: object) -> bool:
        """Keep the reason why pytest gave up."""
        self.errors.append(f"pytest: {excrepr}")
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the reason why a fixture failed."""
        if report.failed:
            self.errors.append(f"{report.nodeid}: {report.longreprtext}")

    def _read(self, item: pytest.Item) -> HiddenTest:
        stem = item.path.stem.removeprefix("test_")
        return read_hidden_test(getattr(item, "obj", None), file_stem=stem, assignment=self._assignment)

    def _validate(self) -> None:
        try:
            validate(list(self._tests.values()), self._assignment, stems=self._stems)
        except HiddenTestError as error:
            self.errors.append(str(error))


def _call_of(function: Any, fixtures: dict[str, Any]) -> TestCall:
    def call(student: Student) -> float | None:
        vars(function).pop("__score__", None)
        function(**{**fixtures, "student": student})
        score = getattr(function, "__score__", None)
        return None if score is None else float(score)

    return call
