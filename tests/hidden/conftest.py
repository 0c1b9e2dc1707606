"""Plain pytest: runs the hidden tests against a submission: pytest tests/hidden --submission=PATH [--number 4.5].

pytest selects and reports. The grader grades, in the sandbox and once, the questions of the selected tests, so that
each test ends as `run_autograder grade` says. docs/writing_checks.md explains the use.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from autograder import UserError
from autograder.assignment import AssignmentError, load_assignment
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest, HiddenTestError
from autograder.results import CheckResult, Report, Verdict
from autograder.sandbox.host.launcher import SandboxError
from autograder.submission import SubmissionError, read_submission

ROOT = Path(__file__).resolve().parents[2]
USAGE = "name the submission to grade, a folder, a zip or one file: pytest tests/hidden --submission=PATH"
OUR_FAULT = 3
REPORT = pytest.StashKey[Report]()


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options; refuse a submission that pytest would run itself."""
    group = parser.getgroup("hidden tests")
    group.addoption("--submission", metavar="PATH", help="the submission: a folder, a zip, a .py or .toml file")
    group.addoption("--number", action="append", default=[], metavar="4.5,4.6", help="only tests of these numbers")
    config = pluginmanager.get_plugin("pytestconfig")
    _refuse_conftest_files(config.invocation_params.args, config.invocation_params.dir)


def _refuse_conftest_files(arguments: Sequence[object], folder: Path) -> None:
    # Until the options are known, pytest takes the word after --submission for a folder of tests, and runs the
    # conftest.py that it finds there, outside of the sandbox.
    for option, value in pairwise(map(str, arguments)):
        if option == "--submission":
            path = (folder / value).absolute()
            places = [path, *path.parents, *(path.glob("test*") if path.is_dir() else ())]
            if any((place / "conftest.py").exists() for place in places):
                raise pytest.UsageError(
                    f"{value} brings a conftest.py, which pytest would run outside of the sandbox; "
                    f"write it in one word: --submission={value}"
                )


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say in one line what to pass, before anything is printed."""
    if not session.config.option.collectonly:
        _require_submission(session.config)


def _require_submission(config: pytest.Config) -> Path:
    path = config.getoption("submission", None)
    if not path:
        raise pytest.UsageError(USAGE)
    return config.invocation_params.dir / path


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector:
    """Collect hidden tests as the grader does."""
    return HiddenTestFile.from_parent(parent, path=module_path)


class HiddenTestFile(pytest.File):
    """The hidden tests of one question."""

    def collect(self) -> Iterator[pytest.Item]:
        """The tests, in the order of their numbers; an error where they are not in order."""
        try:
            assignment = load_assignment(ROOT)
            question_id = self.path.stem.removeprefix("test_")
            tests = collect_hidden_tests(assignment, question_ids=[question_id])
        except (AssignmentError, HiddenTestError, UserError) as error:
            raise self.CollectError(str(error)) from error
        for test, _ in tests:
            yield HiddenTestItem.from_parent(self, name=test.name, test=test)


class HiddenTestItem(pytest.Item):
    """One hidden test, which ends as the grader's result says; an error where the grader itself failed."""

    def __init__(self, *, test: HiddenTest, **others: object) -> None:
        super().__init__(**others)  # type: ignore[arg-type]
        self.test = test

    def setup(self) -> None:
        """Look the result up."""
        self.result = next(each for each in self.config.stash[REPORT].checks if each.test_id == self.test.test_id)
        fields = ("number", "points", "score")
        self.user_properties += [(name, getattr(self.result, name)) for name in fields]
        self.user_properties.append(("verdict", self.result.verdict.value))
        if self.result.verdict is Verdict.UNDECIDED:
            pytest.fail(describe(self.result), pytrace=False)

    def runtest(self) -> None:
        """Fail where points are lost; what a passed test or one that gives advice says is a section of its report."""
        if self.result.verdict is not Verdict.PASSED and not self.result.is_advice:
            pytest.fail(describe(self.result), pytrace=False)
        if self.result.output != "Passed.":
            self.add_report_section("call", "output", self.result.output)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where the test is, and its name."""
        return self.path, None, self.name


def describe(result: CheckResult) -> str:
    """A result as text: its title, verdict and score, its output, and what staff alone should know."""
    verdict = result.verdict.value.replace("_", " ")
    points = "no score" if result.score is None else f"{result.score:g} of {result.points:g} points"
    lines = [f"{result.number} {result.title}: {verdict}, {points} ({result.visibility.value})", result.output]
    lines += [f"known mistake: {result.diagnosis}"] if result.diagnosis else []
    return "\n".join([*lines, *([result.fault] if result.fault else [])])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the numbers that were asked for."""
    hidden = [item for item in items if isinstance(item, HiddenTestItem)]
    if hidden and not config.option.collectonly:
        _require_submission(config)
    wanted = {number for text in config.getoption("number", []) for number in text.split(",")}
    unknown = wanted - {item.test.number for item in hidden}
    if unknown and not session.testsfailed:
        raise pytest.UsageError(f"no hidden test here has the number {', '.join(sorted(unknown))}")
    others = [item for item in hidden if wanted and item.test.number not in wanted]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Grade the questions of the selected tests, before the first of them is reported."""
    question_ids = {item.test.question_id for item in session.items if isinstance(item, HiddenTestItem)}
    if not question_ids or session.config.option.collectonly or session.testsfailed:
        return
    try:
        session.config.stash[REPORT] = grade(_require_submission(session.config), question_ids)
    except SubmissionError as error:
        raise pytest.UsageError(str(error)) from error
    except (AssignmentError, HiddenTestError, SandboxError) as error:
        pytest.exit(f"the grader cannot grade; nothing was graded: {error}", OUR_FAULT)


def grade(path: Path, question_ids: set[str]) -> Report:
    """The report on these questions of the submission, as `run_autograder grade` makes it."""
    from autograder.grader import Grader  # noqa: PLC0415  (slow to load, and not for --collect-only)

    assignment = load_assignment(ROOT)
    only = [question_id for question_id in assignment.question_ids if question_id in question_ids]
    submission = read_submission(path, assignment)
    submission = replace(
        submission, questions=tuple(each for each in submission.questions if each.question_id in question_ids)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # what is an error in the self-tests is none in the grader
        with Grader(assignment, only=only) as grader:
            return grader.grade(submission)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which layers of the sandbox were missing."""
    report = config.stash.get(REPORT, None)
    missing = [f"{each.name} ({each.reason})" for each in report.layers if not each.is_active] if report else []
    if missing:
        terminalreporter.write_line(f"Layers of the sandbox that were not active: {', '.join(missing)}")
