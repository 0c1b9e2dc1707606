"""Grade: one submission from its folder to its results.json; READ THIS FIRST.

A placeholder result is written before anything else, so that a valid results.json exists whatever happens. Then the
submission is read into memory, its hidden tests are judged one by one in workers of their own (`judge`, `attempt`,
`sandbox`), and the report replaces the placeholder. This is the one module that writes results.
"""

from __future__ import annotations

import hashlib
import importlib
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from autograder import __version__, gradescope
from autograder.assignment import Assignment, load_assignment
from autograder.attempt import Material, Sources
from autograder.circular_credit import without_circular_credit
from autograder.hidden_test import HiddenTest
from autograder.judge import Judge, TestCall
from autograder.plugin import run_hidden_tests
from autograder.results import CheckResult, GraderIdentity, LayerStatus, QuestionStatus, Report
from autograder.sandbox import limits as limit
from autograder.sandbox.box import SandboxError, Zygote
from autograder.sandbox.canary import Targets
from autograder.sandbox.layers import CANARIES, LayerReport, combined
from autograder.sandbox.preload import modules_to_preload
from autograder.sandbox.proof import proved_layers, require_strength
from autograder.submission import Submission, SubmissionError, read_submission
from autograder.support_modules import support_sources

PROJECT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class GradeRequest:
    """What to grade and where the result goes.

    `deadline_s`: seconds for the whole run, after which the rest is `not_run`. `private`: files and folders that are
    closed to every other user before student code runs, as on Gradescope, where the harness makes them readable by
    all. `is_strict`: nobody is graded unless every indispensable layer of the sandbox holds. `proofs`: the folder in
    which is remembered which layers hold on this machine.
    """

    submission: Path
    results_dir: Path
    only: tuple[str, ...] = ()
    deadline_s: float = 480.0
    private: tuple[Path, ...] = ()
    is_strict: bool = False
    proofs: Path | None = None
    project: Path = PROJECT


@dataclass(frozen=True)
class Progress:
    """How far a run is: how many tests are `done`, and the title of the last."""

    done: int
    title: str


def grade(request: GradeRequest, *, progress: Callable[[Progress], None] | None = None) -> Report:
    """Grade one submission and write `results_dir/results.json`.

    Raises SubmissionError for a submission that cannot be read, AssignmentError or HiddenTestError for staff files
    that are not in order, SandboxError where no worker can be had or a strict run lacks a layer; a valid results.json
    that says so exists even then. ResultsError where it cannot be written.
    """
    started = time.monotonic()
    destination = request.results_dir / "results.json"
    gradescope.write_results(destination, gradescope.placeholder())
    _close_to_others(request.private)
    try:
        assignment = load_assignment(request.project / "reference" / "assignment.toml")
        submission = read_submission(request.submission, assignment, only=request.only or None)
    except SubmissionError as error:
        gradescope.write_results(destination, gradescope.unreadable(str(error)))
        raise
    report = grade_submission(submission, assignment, request, started=started, progress=progress)
    try:
        gradescope.write_results(destination, gradescope.results_of(report))
    except gradescope.ResultsError as error:
        error.report = report
        raise
    return report


def grade_submission(
    submission: Submission,
    assignment: Assignment,
    request: GradeRequest,
    *,
    started: float,
    progress: Callable[[Progress], None] | None = None,
) -> Report:
    """The report of a submission that was read; writes nothing."""
    judge = Judge(_materials(submission, assignment), deadline=started + request.deadline_s)
    done: list[CheckResult] = []

    def judge_one(test: HiddenTest, call: TestCall) -> CheckResult:
        done.append(judge.judge(test, call))
        if progress is not None:
            progress(Progress(len(done), test.title))
        return done[-1]

    try:
        proved = _proved_layers(judge.start(), submission, request)
        stems = [files.stem for files in submission.questions]
        checks = run_hidden_tests(request.project / "tests" / "hidden", assignment, stems=stems, judge=judge_one)
    finally:
        judge.close()
    return Report(
        checks=tuple(without_circular_credit(checks)),
        questions=_statuses(submission, assignment),
        notes=submission.notes,
        grader=identity(request.project),
        layers=_statuses_of_layers(combined(proved, judge.memory.layers)),
        seconds=time.monotonic() - started,
    )


def _proved_layers(zygote: Zygote, submission: Submission, request: GradeRequest) -> tuple[LayerReport, ...]:
    if not request.results_dir.is_dir():
        return ()
    source = request.project / "reference" / f"{submission.questions[0].stem}.py"
    try:
        reports = proved_layers(
            zygote, Targets(source.absolute(), request.results_dir.absolute()), memory=request.proofs
        )
    except (SandboxError, OSError) as error:  # the tests' own workers are given a second chance
        reports = (LayerReport(CANARIES, False, str(error)),)
    if request.is_strict:
        require_strength(reports)
    return reports


def _statuses_of_layers(reports: Sequence[LayerReport]) -> tuple[LayerStatus, ...]:
    return tuple(LayerStatus(name=name, is_active=active, reason=reason) for name, active, reason in reports)


def identity(project: Path) -> GraderIdentity:
    """Which grader this is: its version and the hash of every file that a result depends on."""
    digest = hashlib.sha256()
    for folder in ("autograder", "reference", "tests/hidden", "tests/mistakes", "student_template"):
        for path in sorted((project / folder).rglob("*.py")) + sorted((project / folder).rglob("*.toml")):
            digest.update(str(path.relative_to(project)).encode() + b"\0" + path.read_bytes() + b"\0")
    return GraderIdentity(
        version=__version__,
        content_hash=digest.hexdigest(),
        seed=limit.WORKER_SEED,
        python=platform.python_version(),
        numpy=np.__version__,
    )


def _close_to_others(paths: Sequence[Path]) -> None:
    for path in paths:
        if path.exists() and not path.is_symlink():
            path.chmod(0o700 if path.is_dir() else 0o600)


def _materials(submission: Submission, assignment: Assignment) -> dict[str, Material]:
    questions = {question.stem: question for question in assignment.questions}
    support: Sources = {
        name: (f"support/{name}", text, is_package) for name, (text, is_package) in support_sources().items()
    }
    materials = {}
    for files in submission.questions:
        own = files.sources
        materials[files.stem] = Material(
            question=questions[files.stem],
            files=files,
            own=own,
            support=support,
            preload=modules_to_preload(source[1] for source in (*own.values(), *support.values())),
            reference=importlib.import_module(f"reference.{files.stem}"),
        )
    return materials


def _statuses(submission: Submission, assignment: Assignment) -> tuple[QuestionStatus, ...]:
    questions = {question.stem: question for question in assignment.questions}
    return tuple(
        QuestionStatus(
            stem=files.stem,
            title=questions[files.stem].title,
            points=questions[files.stem].points,
            file=files.main.path if files.main else None,
            notes=files.notes,
        )
        for files in submission.questions
    )
