"""Class run: grades every submission of a class that has no stored result yet; READ THIS FIRST.

A roster lists the submissions, an executor grades them, and a store keeps the results. A run that was killed, stopped
or repeated resumes from its store; a stored result is reused if both the submission and the grader are unchanged. Where
one of them changed, `reuse` takes the results of those questions for which nothing did.
"""

from __future__ import annotations

import contextlib
import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.gradescope import results_json
from autograder.plain_text import clean
from autograder.regression.baseline import LargestChange
from autograder.regression.executor import SubmissionExecutor
from autograder.regression.grader_pool import Job, Reply
from autograder.regression.reuse import choose_sample, compare
from autograder.regression.roster import Entry, Roster
from autograder.regression.scores import read_scores
from autograder.regression.store import Provenance, ResultStore
from autograder.submission import SubmissionError

_FAULT_CHARACTERS = 2_000


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

    `stores`: for the results, then for those of each repetition. `resumes`: whether results of an earlier start count.
    `largest`: the change to tell of. `counts`: of submissions and questions, as in `Timing`. `refused`: stored results
    that were not accepted, and why. `disagreements`: the checks that have another result when they are graded again.
    """

    roster: Roster
    key: str
    stores: Sequence[ResultStore]
    report_progress: Callable[[ClassProgress], None] = lambda _: None
    resumes: bool = True
    largest: LargestChange | None = None
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)
    _reused: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of the kept submissions too
    _pending: dict[str, None] = field(default_factory=dict)  # the first of them are being graded
    _width: int = 1
    _total: int = 0
    _started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    def count_new(self) -> int:
        """Count the submissions that have no result at all."""
        return sum(not self.stores[0].get_path(entry.name).exists() for entry in self.roster.entries)

    def grade(self, executor: SubmissionExecutor) -> None:
        """Grade every submission once for each store; RunError if no submission can be graded at all."""
        self._total = len(self.roster.entries) * len(self.stores)
        self._width = executor.width
        for number, store in enumerate(self.stores):
            for job, reply in executor.run(self._prepare_jobs(store, repetition=number)):
                self._save(store, job.name, job.packed.digest, reply)

    def recheck(self, executor: SubmissionExecutor, percent: int) -> None:
        """Grade some percent of the reused questions again, and note where the results differ from the stored ones."""
        sample = choose_sample(self._reused, percent, seed=self.key)
        for job, reply in executor.run(self._prepare_rechecks(sample)):
            stored = self.stores[0].load(job.name)
            if stored is None or not stored.is_of(job.packed.digest, self.key):
                continue  # its files have changed meanwhile
            found = compare(job.name, stored.scores, read_scores(reply.results or {}), job.again)
            if found is None:
                self.refused.append(f"{job.name}: the grader failed when it was graded again")
            else:
                self.disagreements += found
                self.counts["rechecked"] += len(job.again)

    def _prepare_rechecks(self, sample: Mapping[str, tuple[str, ...]]) -> Iterator[Job]:
        """Yield a job for each submission of the sample that can be read."""
        for entry in self.roster.entries:
            with contextlib.suppress(SubmissionError):
                if entry.name in sample:
                    yield Job(entry.name, entry.pack(), sample[entry.name])

    def _prepare_jobs(self, store: ResultStore, *, repetition: int) -> Iterator[Job]:
        """Yield a job for each submission without a result; store the result of unreadable ones at once."""
        entries = list(self.roster.entries)
        if repetition:
            random.Random(repetition).shuffle(entries)  # noqa: S311  (an order, not a secret)
        for entry in entries:
            job = self._prepare_job(store, entry)
            if job is None:
                continue
            stored = store.load(entry.name)
            if self.resumes and stored is not None and stored.is_of(job.packed.digest, self.key):
                self.counts["kept"] += 1
                self._reused[entry.name] = stored.provenance.reused
                self._tell()
            else:
                self._pending[entry.name] = None
                self._tell()
                yield job

    def _prepare_job(self, store: ResultStore, entry: Entry) -> Job | None:
        try:
            return Job(entry.name, entry.pack())
        except SubmissionError as error:
            reply = Reply(unreadable=str(error))
        except Exception:  # noqa: BLE001  (our fault with one submission; the others are graded)
            reply = Reply(fault=traceback.format_exc(limit=-6))
        self._save(store, entry.name, "", reply)
        return None

    def _save(self, store: ResultStore, name: str, submission: str, reply: Reply) -> None:
        provenance = Provenance(
            name=name,
            submission=submission,
            grader=self.key,
            seconds=reply.seconds,
            reused=tuple(reply.reused),
        )
        stored = store.save(_build_results(reply), provenance)
        if self.largest is not None:
            self.largest.note(name, stored)
        self.counts.update(graded=1, questions=reply.questions, reused=len(reply.reused))
        self.refused += reply.refused
        self._reused[name] = provenance.reused
        self._pending.pop(name, None)
        self._tell()

    def _tell(self) -> None:
        names = tuple(self._pending)[: self._width]
        surprise = self.largest.text if self.largest is not None else ""
        kept = self.counts["kept"]
        self.report_progress(ClassProgress(self.counts["graded"] + kept, kept, self._total, names, surprise))


def _build_results(reply: Reply) -> Mapping[str, Any]:
    """Build the fields of a submission's results.json from a reply."""
    if reply.results is not None:
        return reply.results
    if reply.unreadable:
        return results_json.build_unreadable(reply.unreadable).as_fields()
    fault = clean(reply.fault, _FAULT_CHARACTERS)
    undecided = replace(results_json.build_placeholder(), extra_data={"state": "undecided", "fault": fault})
    return undecided.as_fields()
