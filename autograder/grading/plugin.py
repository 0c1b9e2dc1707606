"""Plugin: pytest glue; turns the files of hidden tests into tests that a judge can call.

pytest finds the tests and nothing else: whether a test passed is the judge's word. A file that does not import, or a
test that wants more of pytest than a plain call gives it (a fixture, a mark), is the staff's error and stops the run
before any student is graded. Loaded only for files that `collection` does not read by itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder.assignment import Assignment
from autograder.grading.hidden_test import HiddenTestError
from autograder.grading.runnable_test import STUDENT, RunnableTest, runnable

_COLLECTED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # none: then the points do not add up


def found_by_pytest(paths: Sequence[Path], assignment: Assignment) -> list[RunnableTest]:
    """Every hidden test in these files, which are in one folder; HiddenTestError when they are not in order."""
    if not paths:  # without a path pytest would collect the working directory
        return []
    plugin = _Collection(assignment)
    with _without_variables("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        status = pytest.main([*_arguments(paths[0].parent), *map(str, paths)], plugins=[plugin])
    if plugin.interruption is not None:
        raise plugin.interruption
    problems = plugin.errors or ([f"pytest: {status!r}"] if status not in _COLLECTED else [])
    if problems:
        raise HiddenTestError("\n".join(problems))
    return plugin.tests


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
        found = runnable(function, file_stem=stem, assignment=self._assignment)
        problems = [f"{found.test.test_id}: {problem}" for problem in _wishes(item)]
        if problems:
            raise HiddenTestError("\n".join(problems))
        return found


def _wishes(item: pytest.Item) -> Iterator[str]:
    """What a test wants of pytest that a plain call does not give it."""
    names = getattr(item, "fixturenames", ())
    if STUDENT not in names:
        yield f"the argument `{STUDENT}` is missing; without it a test asks nothing of a submission"
    for name in names:
        if name != STUDENT:
            yield f"the fixture or parameter {name!r} is not for hidden tests; make what is needed in the test's body"
    for mark in item.iter_markers():
        yield f"the mark {mark.name!r} is not for hidden tests; a graded test is always run, and as it stands"
