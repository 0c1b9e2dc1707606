"""Grader: turns submissions that were read into reports, one after another, each as if it were the only one.

What does not depend on a submission is done once: the hidden tests are collected, the zygote is started and its layers
are proved. The zygote runs no student code, and what was learnt of one submission is forgotten before the next.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from autograder import PROJECT, __version__
from autograder.assignment import Assignment
from autograder.grading.answers import module_sources
from autograder.grading.attempt import Material, Memory, Sources
from autograder.grading.circular_credit import without_circular_credit
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.evidence import Evidence
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.judge import Judge
from autograder.grading.second_process import Lane, zygotes_for
from autograder.grading.written_questions import Written, read_written
from autograder.results import CheckResult, GraderIdentity, LayerStatus, QuestionStatus, Report
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.host.known_layers import find_known_layers, require_strength
from autograder.sandbox.host.launcher import Launcher
from autograder.sandbox.host.self_check import Targets
from autograder.sandbox.preload import find_modules_to_preload
from autograder.sandbox.protocol.layers import SELF_CHECK, LayerReport, combine_reports
from autograder.student import TestCall
from autograder.submission import (
    Module,
    QuestionFiles,
    Submission,
    find_reachable,
    read_starter_modules,
    select_questions,
)

if TYPE_CHECKING:
    from autograder.diagnosis import Bank


@dataclass(frozen=True)
class Proving:
    """How the layers of the sandbox are proved before any student code runs.

    `folder`: where the results go, which no student may write to. `memory`: the folder in which is remembered what
    holds on this machine. `is_strict`: nobody is graded unless every indispensable layer holds.
    """

    folder: Path
    memory: Path | None = None
    is_strict: bool = False


@dataclass(frozen=True)
class Progress:
    """How far a run is: how many tests are `done`, and the title of the last."""

    done: int
    title: str


class Grader:
    """Grades many submissions with the same hidden tests and one zygote; a context manager, or call `close`."""

    def __init__(
        self,
        assignment: Assignment,
        *,
        project: Path = PROJECT,
        only: Sequence[str] | None = None,
        proving: Proving | None = None,
        at_once: int = 1,
        launcher: Launcher | None = None,
        shares_code: bool = True,
    ) -> None:
        """Make everything ready for submissions with the questions of the stems `only`, or all.

        Raises SubmissionError for a stem that no question has, HiddenTestError for tests that are not in order,
        SandboxError where no zygote can be had or a layer is missing that has to hold. `at_once`: how many tests of one
        submission may run at the same time; more than two do as two, and few questions as one. `launcher`: of zygotes
        that are starting already; where there are two, so many tests run at a time. `shares_code`: whether a
        submission's files are compiled once for all of its workers.
        """
        self._questions = {question.stem: question for question in select_questions(assignment, only)}
        self._support: Sources = {
            name: (f"support/{name}", text, is_package) for name, (text, is_package) in read_starter_modules().items()
        }
        self._identity = identity(project)
        self._shares_code = shares_code
        launcher = launcher or Launcher(zygotes=zygotes_for(at_once, len(self._questions)))
        self._has_lane = len(launcher.endpoints) > 1
        self._zygote: Zygote | None = Zygote(launcher)
        self._second = Zygote(launcher, number=1) if self._has_lane else None
        try:
            self._tests = collect_hidden_tests(project / "tests" / "hidden", assignment, stems=tuple(self._questions))
            source = project / "reference" / f"{next(iter(self._questions))}.py"
            self._proved = _proved_layers(self._zygote, proving, source)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the zygotes."""
        for zygote in filter(None, (self._second, self._zygote)):
            zygote.close()
        self._zygote = self._second = None

    def grade(
        self,
        submission: Submission,
        *,
        deadline_s: float = limit.DEADLINE_S,
        progress: Callable[[Progress], None] | None = None,
    ) -> Report:
        """The report on a submission; after `deadline_s` seconds the rest of its tests is `not_run`.

        ValueError for a question that this grader was not made for.
        """
        started = time.monotonic()
        materials = {files.stem: self._material(files) for files in submission.questions}
        tests = [(test, call) for test, call in self._tests if test.stem in materials]
        memory = Memory(shares_code=self._shares_code)
        judge = Judge(materials, deadline=started + deadline_s, memory=memory, zygote=self._zygote)
        checks: list[CheckResult] = []
        try:
            with self._lane(judge, tests) as judge.lane:
                # First, because a person is to read the texts also where a test uses up the time.
                written = {stem: read_written(judge, each) for stem, each in materials.items() if each.question.answers}
                for test, call in tests:
                    checks.append(judge.judge(test, call))
                    if progress is not None:
                        progress(Progress(len(checks), test.title))
        finally:
            self._zygote = judge.zygote
        if judge.evidence:
            checks = _diagnosed(checks, judge.evidence, materials)
        return Report(
            checks=tuple(without_circular_credit(checks)),
            questions=tuple(_status(material, written.get(stem)) for stem, material in materials.items()),
            texts=tuple(text for each in written.values() for text in each.texts),
            notes=submission.notes,
            grader=self._identity,
            layers=_statuses_of_layers(
                combine_reports(self._proved, (*judge.memory.layers, *judge.memory.layers_ahead))
            ),
            seconds=time.monotonic() - started,
        )

    @contextlib.contextmanager
    def _lane(self, judge: Judge, tests: Sequence[tuple[HiddenTest, TestCall]]) -> Iterator[Lane | None]:
        """Who tries the tests ahead in another process, as `judge` would; None where nobody is to, or can."""
        with contextlib.ExitStack() as opened:
            lane = None
            if self._has_lane:
                with contextlib.suppress(SandboxError, OSError), contextlib.ExitStack() as opening:
                    zygote, self._second = self._second, None
                    other = replace(judge, zygote=opening.enter_context(zygote or Zygote()))
                    lane = opening.enter_context(Lane(len(tests), lambda number: other.ahead(*tests[number])))
                    opened.enter_context(opening.pop_all())
            yield lane

    def _material(self, files: QuestionFiles) -> Material:
        if files.stem not in self._questions:
            raise ValueError(f"this grader was not made for the question {files.stem!r}")
        question = self._questions[files.stem]
        own = module_sources(question, files) if question.answers else files.sources
        support = {} if question.answers else self._support_of(own)
        return Material(
            question=question,
            files=files,
            own=own,
            support=support,
            preload=find_modules_to_preload(source[1] for source in (*own.values(), *support.values())),
            reference=importlib.import_module(f"reference.{files.stem}"),
        )

    def _support_of(self, own: Sources) -> Sources:
        """The support modules that these texts may import; each worker of the question is sent them."""
        modules = {name: Module(name, is_package) for name, (_, _, is_package) in self._support.items()}
        texts = [text for _, text, _ in own.values()]
        return {
            name: self._support[name] for name in find_reachable(modules, texts, lambda name: self._support[name][1])
        }


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


def _diagnosed(
    checks: Sequence[CheckResult], evidence: Sequence[Evidence], materials: Mapping[str, Material]
) -> list[CheckResult]:
    from autograder.diagnosis import add_diagnoses  # noqa: PLC0415  (only where something failed)

    references = {stem: material.reference for stem, material in materials.items()}
    return add_diagnoses(checks, evidence, references, open_bank)


def open_bank() -> Bank:
    """The bank of known mistakes, loaded only where something failed."""
    bank: Bank = importlib.import_module("tests.mistakes")
    return bank


def _proved_layers(zygote: Zygote, proving: Proving | None, source: Path) -> tuple[LayerReport, ...]:
    if proving is None or not proving.folder.is_dir():
        return ()
    targets = Targets(source.absolute(), proving.folder.absolute())
    try:
        reports = find_known_layers(zygote, targets, memory=proving.memory)
    except (SandboxError, OSError) as error:  # the tests' own workers are given a second chance
        reports = (LayerReport(SELF_CHECK, False, str(error)),)
    if proving.is_strict:
        require_strength(reports)
    return reports


def _statuses_of_layers(reports: Sequence[LayerReport]) -> tuple[LayerStatus, ...]:
    return tuple(LayerStatus(name=name, is_active=active, reason=reason) for name, active, reason in reports)


def _status(material: Material, written: Written | None) -> QuestionStatus:
    question, files = material.question, material.files
    return QuestionStatus(
        stem=files.stem,
        title=question.title,
        points=question.points,
        file=files.main.path if files.main else None,
        notes=(*files.notes, *(written.notes if written is not None else ())),
        keys={answer.name: answer.key for answer in question.answers},
    )
