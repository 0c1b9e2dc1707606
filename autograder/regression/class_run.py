"""Class run: grades every submission of a class that has no stored result yet; READ THIS FIRST.

A roster lists the submissions, an executor grades them, and a store keeps the results. A run that was killed or stopped
resumes from its store; a stored result is used again if both the submission and the grader are unchanged.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.gradescope import results_json
from autograder.regression.baseline import LargestChange
from autograder.regression.executor import SubmissionExecutor
from autograder.regression.grader_pool import Job, Reply
from autograder.regression.roster import Entry, Roster
from autograder.regression.store import Provenance, ResultStore
from autograder.submission import SubmissionError


@dataclass(frozen=True)
class ClassProgress:
    """Progress of a run; `kept`: those of the `done` submissions whose result an earlier start had stored.

    `names`: the submissions that are being graded. `surprise`: the largest change from the baseline so far, in words.
    """

    done: int
    kept: int
    total: int
    names: tuple[str, ...] = ()
    surprise: str = ""


@dataclass
class ClassRun:
    """One start of a run over a class.

    `store`: for the results. `largest`: the change to tell of. `counts`: of submissions, as in `Timing`.
    """

    roster: Roster
    key: str
    store: ResultStore
    report_progress: Callable[[ClassProgress], None] = lambda _: None
    largest: LargestChange | None = None
    counts: Counter[str] = field(default_factory=Counter)
    _pending: dict[str, None] = field(default_factory=dict)  # the first of them are being graded
    _width: int = 1
    _started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    def grade(self, executor: SubmissionExecutor) -> None:
        """Grade every submission; RunError if no submission can be graded at all."""
        self._width = executor.width
        for job, reply in executor.run(self._prepare_jobs()):
            self._save(job.name, job.packed.digest, reply)

    def _prepare_jobs(self) -> Iterator[Job]:
        """Yield a job for each submission without a result; store the result of unreadable ones at once."""
        for entry in self.roster.entries:
            job = self._prepare_job(entry)
            if job is None:
                continue
            stored = self.store.load(entry.name)
            if stored is not None and stored.is_of(job.packed.digest, self.key):
                self.counts["kept"] += 1
                self._tell()
            else:
                self._pending[entry.name] = None
                self._tell()
                yield job

    def _prepare_job(self, entry: Entry) -> Job | None:
        try:
            return Job(entry.name, entry.pack())
        except SubmissionError as error:
            reply = Reply(unreadable=str(error))
        except Exception:  # noqa: BLE001  (our fault with one submission; the others are graded)
            reply = Reply(fault=traceback.format_exc(limit=-6))
        self._save(entry.name, "", reply)
        return None

    def _save(self, name: str, submission: str, reply: Reply) -> None:
        provenance = Provenance(name=name, submission=submission, grader=self.key)
        stored = self.store.save(_build_results(reply), provenance)
        if self.largest is not None:
            self.largest.note(name, stored)
        self.counts["graded"] += 1
        self._pending.pop(name, None)
        self._tell()

    def _tell(self) -> None:
        names = tuple(self._pending)[: self._width]
        surprise = self.largest.text if self.largest is not None else ""
        kept = self.counts["kept"]
        done = self.counts["graded"] + kept
        self.report_progress(ClassProgress(done, kept, len(self.roster.entries), names, surprise))


def _build_results(reply: Reply) -> Mapping[str, Any]:
    """Build the fields of a submission's results.json from a reply."""
    if reply.results is not None:
        return reply.results
    if reply.unreadable:
        return results_json.build_unreadable(reply.unreadable).as_fields()
    return results_json.build_undecided(reply.fault).as_fields()
