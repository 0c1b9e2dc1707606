"""Grade class: the first step, which grades every submission of a roster that has no stored result yet.

A run that was killed or stopped resumes from what is stored: a result is used again if both the submission and the
grader are unchanged, and it is no fault of ours. Only a few more submissions than are being graded are in memory, so
that it does not grow with the class. A failure with one submission is its result; only one that concerns all ends the
run.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.atomic_file import remove_unfinished
from autograder.regression.class_results import (
    RESULTS,
    Member,
    Run,
    StoredResult,
    load_result,
    save_result,
    write_class,
)
from autograder.regression.graders import Graders, Reply, RunError
from autograder.regression.roster import Entry, PackedSubmission, Roster
from autograder.submission import SubmissionError


@dataclass(frozen=True)
class ClassProgress:
    """Progress of a run; `kept`: the `done` submissions whose result an earlier start had stored.

    `labels`: the submissions that are being graded. `news`: the largest changes from the baseline so far, in words.
    """

    done: int
    kept: int
    total: int
    labels: tuple[str, ...] = ()
    news: str = ""


@dataclass
class ClassGrading:
    """One start of a run into `folder`; `run`: what it grades, whose `key` is the hash of the grader.

    `note`: is told each new result, and returns the news for the progress.
    """

    folder: Path
    roster: Roster
    run: Run
    report_progress: Callable[[ClassProgress], None] = lambda _: None
    note: Callable[[Member, StoredResult], str] = lambda *_: ""
    graded: int = 0
    kept: int = 0
    _news: str = ""
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
        fields = _build_fields(reply)
        stored = save_result(self.folder, member.file, fields, submission=digest, key=self.run.key)
        self._news = self.note(member, stored)
        self.graded += 1
        self._tell()

    def _tell(self) -> None:
        labels = tuple(member.label for member, _ in self._pending.values())[: self._width]
        done, total = self.graded + self.kept, len(self.roster.entries)
        self.report_progress(ClassProgress(done, self.kept, total, labels, self._news))


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
