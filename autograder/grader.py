"""Grader: turns submissions into reports, one after another, each as if it were the only one.

`grade.py` uses it for one submission, `regression` for a class; the package `grading` judges a single check.

What does not depend on a submission is done once: collecting the hidden tests, starting the zygote and checking the
layers of the sandbox. No student code runs in a zygote, and nothing learned of one submission reaches the next.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.assignment import DERIVED_MISTAKES, Assignment
from autograder.grading.attempt_run import AttemptRunner, Observe, ZygoteHolder
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.identity import identify_grader
from autograder.grading.judge import Judge, PassResult, split_into_passes
from autograder.grading.kept_data import KeptChecks, KeptFile
from autograder.grading.material import Material, Sources, select_support
from autograder.grading.memory import WorkerMemory
from autograder.grading.written_questions import read_written, write_answer_module
from autograder.results import CheckResult, Report
from autograder.sandbox import limits as limit
from autograder.sandbox.host.bounds import limit_memory
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.host.launcher import Launcher, require_limits
from autograder.sandbox.host.self_check import Targets, require_strength, run_self_check
from autograder.sandbox.preload import find_modules_to_preload
from autograder.sandbox.protocol.layers import SELF_CHECK, LayerReport, combine_reports
from autograder.submission import QuestionFiles, Submission, select_questions

if TYPE_CHECKING:
    from autograder.diagnosis import KnownReplies

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class SelfCheck:
    """Attacks that are tried against the layers of the sandbox before any student code runs.

    `folder`: the results folder, which no student may write to. `is_strict`: grading is refused unless every
    indispensable layer holds.
    """

    folder: Path
    is_strict: bool = False


class Grader(contextlib.AbstractContextManager["Grader"]):
    """Grades many submissions with the same hidden tests and one zygote; a context manager, or call `close`."""

    def __init__(
        self,
        assignment: Assignment,
        *,
        only: Sequence[str] | None = None,
        choose: Callable[[Sequence[RunnableTest]], Sequence[RunnableTest]] | None = None,
        observe: Observe = lambda *_: None,
        self_check: SelfCheck | None = None,
        kept: Path | None = None,
        launcher: Launcher | None = None,
        shares_workers: bool = True,
    ) -> None:
        """Collect the hidden tests and start the zygote, for the questions `only`, or all.

        Raises AssignmentError for a library that is not installed, SubmissionError for the id of no question,
        HiddenTestError for tests that are not in order, SandboxError where no zygote starts or a required layer is
        missing. `choose` returns the tests to judge; by default all. `observe` is told each attempt at one, with its
        transcript and result. `self_check`: by default no attack is tried, and the layers are those that workers
        read back. `kept`: the folder of the data of checks that are made once on a machine. `launcher`: of a zygote
        that is starting already; without the assignment's libraries it is not used.
        `shares_workers`: whether the tests of a pass are first tried in one worker, which is not done with
        libraries whose state it could not put back.
        """
        assignment.require_libraries()
        declared = assignment.limits
        self._limits = require_limits(limit.choose_limits(declared.cpu_seconds, declared.memory_mib))
        self._assignment = assignment
        self._questions = {question.question_id: question for question in select_questions(assignment, only)}
        self._support: Sources = {}
        for name, (text, is_package) in assignment.starter_modules.items():
            self._support[name] = (f"support/{name}", text, is_package)
        self._identity = identify_grader(assignment)
        self._kept = kept
        self._shares_workers = shares_workers and not assignment.libraries
        self._observe = observe
        if launcher is None or launcher.libraries != assignment.libraries:
            launcher = Launcher(libraries=assignment.libraries)
        self._zygotes = ZygoteHolder(self._make_zygote, Zygote(launcher))
        try:
            checks = KeptChecks(assignment, self._identity, kept, _measure_need)
            tests = checks.give(collect_hidden_tests(assignment, question_ids=tuple(self._questions)))
            self._tests = tests if choose is None else choose(tests)
            source = assignment.find_reference(next(iter(self._questions)))
            self._layers = _check_layers(self._zygotes.get(), self_check, source)
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote."""
        self._zygotes.close()

    def grade(
        self,
        submission: Submission,
        *,
        deadline_s: float = limit.DEADLINE_S,
        progress: Progress | None = None,
    ) -> Report:
        """Return the report on a submission; after `deadline_s` seconds the rest of its tests is `not_run`.

        `progress` gets the number of tests that are done, and of all. ValueError for a question that this grader was
        not made for.
        """
        started = time.monotonic()
        materials = {files.question_id: self._build_material(files) for files in submission.questions}
        tests = [each for each in self._tests if each.test.question_id in materials]
        visible, hidden = split_into_passes(tests, self._questions)
        tell = _count_progress(progress, len(tests))
        deadline = started + deadline_s
        first = Judge(runner := self._make_runner(materials, deadline))
        second = Judge(self._make_runner(materials, deadline))
        with contextlib.closing(first), contextlib.closing(second):
            # First, because a person reads the texts even where a test uses up the time.
            answered = [question_id for question_id, each in materials.items() if each.question.answers]
            written = {question_id: read_written(runner, materials[question_id]) for question_id in answered}
            seen = first.run_pass(visible, tell=tell)
            visible_seconds = time.monotonic() - started
            load_notes = {each: runner.memory.loads[each, False, ()].write_notes() for each in materials}
            second.learn(first)
            unseen = second.run_pass(hidden, tell=tell)
        explained = self._explain_failures(seen, unseen)
        results = {check.test_id: check for check in explained}
        questions = []
        for question_id, material in materials.items():
            notes = written[question_id].notes if question_id in written else ()
            questions.append(material.describe([*load_notes[question_id], *notes]))
        return Report(
            checks=tuple(results[test.test_id] for test, _ in tests),
            questions=tuple(questions),
            texts=tuple(text for each in written.values() for text in each.texts),
            notes=submission.notes,
            grader=self._identity,
            layers=combine_reports(self._layers, (*seen.layers, *unseen.layers)),
            seconds=time.monotonic() - started,
            visible_seconds=visible_seconds,
        )

    def _make_zygote(self) -> Zygote:
        """Start a zygote in place of one that failed."""
        return Zygote(Launcher(libraries=self._assignment.libraries))

    def _make_runner(self, materials: Mapping[str, Material], deadline: float) -> AttemptRunner:
        """Make the runner of one pass, with an empty memory."""
        memory = WorkerMemory(declared=self._assignment.packages)
        return AttemptRunner(
            materials,
            self._shares_workers,
            self._zygotes,
            memory,
            limits=self._limits,
            deadline=deadline,
            observe=self._observe,
        )

    def _build_material(self, files: QuestionFiles) -> Material:
        if files.question_id not in self._questions:
            raise ValueError(f"this grader was not made for the question {files.question_id!r}")
        question = self._questions[files.question_id]
        own = write_answer_module(question, files) if question.answers else files.sources
        support = {} if question.answers else select_support(self._support, own)
        return Material(
            question=question,
            files=files,
            own=own,
            support=support,
            preload=find_modules_to_preload(text for _, text, _ in (*own.values(), *support.values())),
            reference=self._assignment.import_reference(files.question_id),
        )

    def _explain_failures(self, seen: PassResult, unseen: PassResult) -> tuple[CheckResult, ...]:
        """Return the results with names and hints of known mistakes."""
        if not seen.evidence and not unseen.evidence:
            return (*seen.checks, *unseen.checks)
        from autograder.diagnosis import explain_passes  # noqa: PLC0415  (slow to load)

        try:
            with limit_memory(limit.measure_address_space() + limit.BODY_MEMORY_BYTES):
                return explain_passes(seen, unseen, self._known)
        except MemoryError:  # of replies that are too large for it: the results stand without names
            return (*seen.checks, *unseen.checks)

    @cached_property
    def _known(self) -> KnownReplies:
        """The replies of known mistakes, of which those to a failed check are made where they are not kept."""
        from autograder.diagnosis import KnownReplies  # noqa: PLC0415  (as above)
        from autograder.mistakes import MistakeBank  # noqa: PLC0415  (as above)

        kept = KeptFile(self._assignment, self._identity, self._kept, DERIVED_MISTAKES)
        tests = {each.test.test_id: each for each in self._tests}
        return KnownReplies(MistakeBank(self._assignment), tests, kept.values, kept.save)


def _measure_need(test: RunnableTest, assignment: Assignment) -> limit.Need | None:
    from autograder.diagnosis import measure_need  # noqa: PLC0415  (slow to load, and only at a first start)

    return measure_need(test, assignment)


def _count_progress(progress: Progress | None, total: int) -> Callable[[], None]:
    """Return a function that is called for each test that is done, and reports their number."""
    done = itertools.count(1)
    return lambda: progress(next(done), total) if progress is not None else None


def _check_layers(zygote: Zygote, self_check: SelfCheck | None, source: Path) -> tuple[LayerReport, ...]:
    if self_check is None or not self_check.folder.is_dir():
        return ()
    targets = Targets(source.absolute(), self_check.folder.absolute())
    try:
        reports = run_self_check(zygote, targets)
    except (SandboxError, OSError) as error:  # the tests' own workers are given a second chance
        reports = (LayerReport(SELF_CHECK, False, str(error)),)
    if self_check.is_strict:
        require_strength(reports)
    return reports
