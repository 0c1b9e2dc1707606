"""Regress: grades a class into a folder, compares it with an earlier run, and writes its report; READ THIS FIRST.

A run that was killed or stopped resumes from what is stored: a result is used again if both the submission and the
grader are unchanged, and it is no fault of ours. One that is stopped is reported too, for the submissions done so far,
and marked as incomplete. Only a few more submissions than are being graded are in memory, so that it does not grow with
the class. A failure with one submission is its result; only one that concerns all ends the run.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.assignment import load_assignment
from autograder.atomic_file import remove_unfinished
from autograder.grading.identity import compute_key
from autograder.regression.class_results import RESULTS, Member, Run, load_result, read_class, save_result, write_class
from autograder.regression.comparison import compare_runs, read_baseline
from autograder.regression.graders import Graders, GraderSettings, Reply, RunError, open_local_graders
from autograder.regression.roster import Entry, PackedSubmission, Roster, read_roster
from autograder.submission import SubmissionError, select_questions

if TYPE_CHECKING:
    from autograder.regression.summary import Summary

Progress = Callable[[int, int, int, list[str]], None]  # done, of how many, done by an earlier start; those in work


@dataclass(frozen=True, kw_only=True)
class RegressRequest:
    """Input, output and options of a run.

    `root`: the assignment's folder. `baseline`: the folder of an earlier run, or an export. `jobs`: number of
    submissions graded at a time; `cluster`: address of a Dask scheduler to use instead, or "". `grades`: names of
    gradebooks to write files for. `kept`: the folder of what is made once on a machine, or None.
    """

    root: Path
    path: Path
    out: Path
    only: tuple[str, ...] = ()
    baseline: Path | None = None
    jobs: int = 1
    cluster: str = ""
    grades: tuple[str, ...] = ()
    is_strict: bool = False
    kept: Path | None = None


def regress(request: RegressRequest, *, progress: Progress = lambda *_: None) -> Summary:
    """Grade the class, write everything into `out`, and return the summary.

    Raises RosterError or SubmissionError if the path holds no class, BaselineError if there is nothing to compare with,
    SubmissionError for an unknown question id, RunError if no submission can be graded, and KeyboardInterrupt if it was
    stopped, after writing the report on the results so far.
    """
    assignment = load_assignment(request.root)
    select_questions(assignment, request.only or None)
    baseline = None
    if request.baseline is not None:
        baseline = read_baseline(request.baseline, assignment, request.only)
    started, stopped = time.monotonic(), None
    with read_roster(request.path, assignment) as roster:
        members = {entry.member.file: entry.member for entry in roster.entries}
        key = compute_key(assignment, request.only)
        run = Run(str(request.out), request.only, members, lambda _: None, key, roster.notes)
        grading = ClassGrading(request.out, roster, run, progress)
        try:
            with _open_graders(request) as graders:
                grading.grade(graders)
        except KeyboardInterrupt as error:
            stopped = error
    # Loaded when the graders have ended: the templates then need no memory in addition to theirs.
    from autograder.regression.report import write_report  # noqa: PLC0415
    from autograder.regression.summary import Timing  # noqa: PLC0415

    comparison = compare_runs(baseline, read_class(request.out)) if baseline is not None else None
    timing = Timing(seconds=round(time.monotonic() - started, 2), graded=grading.graded, kept=grading.kept)
    summary = write_report(request.out, assignment, baseline=comparison, grades=request.grades, timing=timing)
    if stopped is not None:
        raise stopped
    return summary


def _open_graders(request: RegressRequest) -> AbstractContextManager[Graders]:
    settings = GraderSettings(
        root=str(request.root.resolve()),
        folder=str((request.out / RESULTS).resolve()),
        only=request.only,
        is_strict=request.is_strict,
        kept=str(request.kept or ""),
    )
    if not request.cluster:
        return open_local_graders(settings, request.jobs)
    try:
        from autograder.regression.cluster import open_cluster_graders  # noqa: PLC0415  (Dask is optional)
    except ModuleNotFoundError as error:
        raise RunError(f"--cluster needs the packages of requirements-dev.lock: {error}") from error
    return open_cluster_graders(settings, request.cluster)


@dataclass
class ClassGrading:
    """One start of a run into `folder`; `run`: what it grades, whose `key` is the hash of the grader."""

    folder: Path
    roster: Roster
    run: Run
    progress: Progress
    graded: int = 0
    kept: int = 0
    _pending: dict[Future[Reply], tuple[Member, str]] = field(default_factory=dict)  # those that started come first
    _width: int = 1

    def grade(self, graders: Graders) -> None:
        """Grade the class; RunError if no submission can be graded at all."""
        for folder in (self.folder, self.folder / RESULTS):
            folder.mkdir(parents=True, exist_ok=True)
            remove_unfinished(folder)
        write_class(self.folder, self.run)
        self._width = graders.width
        most = graders.width + (graders.width + 1) // 2  # so that no process waits while the next submission is read
        for entry in self.roster.entries:
            packed = self._pack(entry)
            if packed is None or self._is_stored(entry.member, packed):
                continue
            future = graders.executor.submit(graders.grade, packed)
            self._pending[future] = (entry.member, packed.digest)
            self._tell()
            if len(self._pending) >= most:
                self._save_finished()
        while self._pending:
            self._save_finished()

    def _pack(self, entry: Entry) -> PackedSubmission | None:
        """Pack a submission; store the result of one that cannot be read at once."""
        try:
            return entry.pack()
        except SubmissionError as error:
            reply = Reply(unreadable=str(error))
        except Exception:  # noqa: BLE001  (our fault with one submission; the others are graded)
            reply = Reply(fault=traceback.format_exc(limit=-6))
        self._save(entry.member, "", reply)
        return None

    def _is_stored(self, member: Member, packed: PackedSubmission) -> bool:
        stored = load_result(self.folder, member.file)
        if stored is None or stored.state == "undecided":
            return False
        is_same = (stored.submission, stored.key) == (packed.digest, self.run.key)
        if is_same:
            self.kept += 1
            self._tell()
        return is_same

    def _save_finished(self) -> None:
        finished, _ = wait(self._pending, return_when=FIRST_COMPLETED)
        for future in finished:
            member, digest = self._pending.pop(future)
            self._save(member, digest, _receive_reply(future))

    def _save(self, member: Member, digest: str, reply: Reply) -> None:
        save_result(self.folder, member.file, _build_fields(reply), submission=digest, key=self.run.key)
        self.graded += 1
        self._tell()

    def _tell(self) -> None:
        labels = [member.label for member, _ in self._pending.values()]
        self.progress(self.graded + self.kept, len(self.roster.entries), self.kept, labels[: self._width])


def _receive_reply(future: Future[Reply]) -> Reply:
    try:
        return future.result()
    except RunError:
        raise
    except Exception as error:  # noqa: BLE001  (a cluster raises its own errors for a submission that it gave up)
        return Reply(fault=f"{type(error).__name__}: {error}")


def _build_fields(reply: Reply) -> Mapping[str, Any]:
    """Build the fields of a submission's results.json from a reply."""
    if reply.results is not None:
        return reply.results
    from autograder.gradescope import results_json  # noqa: PLC0415  (slow to load, and needed for few)

    if reply.unreadable:
        return results_json.build_unreadable(reply.unreadable).as_fields()
    return results_json.build_undecided(reply.fault).as_fields()
