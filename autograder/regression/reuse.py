"""Reuse: grades a submission, and takes the results of questions for which nothing changed from a store.

A question's key is a hash of all that its results depend on: the submission's files that it sees, the files of the
staff, Python, numpy, declared libraries and the layers of the sandbox. Questions of a submission also share its time.
Where one might have had less of it because of another, the whole submission is graded.

A sample of the reused questions is graded again. A difference then means that a result depends on something that its
key does not cover: chance, time, or a file that only a name computed at run time leads to. So nothing that was reused
can be trusted.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from autograder.plain_text import count, order_naturally
from autograder.regression.question_store import QuestionResult, QuestionStore, is_slow, open_adapter, split_report
from autograder.regression.scores import Scores, TestScore, restrict_scores
from autograder.regression.staff_files import StaffFiles
from autograder.results import Report, Verdict
from autograder.submission import QuestionFiles, Submission

_FORMAT = 2  # raised when stored results get another meaning
_OPEN = (Verdict.UNDECIDED.value, Verdict.NOT_RUN.value)
_SHARE_OF_TIME = 0.5  # of the deadline: a submission that takes longer may come near it another time
Grade = Callable[[Submission], Report]


@dataclass(frozen=True)
class ReusedReport:
    """A report, and the ids of the questions whose results were stored by an earlier run.

    `refused`: stored results that were not accepted, and why.
    """

    report: Report
    reused: Sequence[str] = ()
    refused: Sequence[str] = ()


class ReusingGrader:
    """Grades with a function and a store of results; `deadline_s`: seconds for a submission."""

    def __init__(self, grade: Grade, store: QuestionStore, staff: StaffFiles, *, deadline_s: float) -> None:
        from importlib.metadata import version  # noqa: PLC0415  (not for the run's process)

        self._grade, self._store, self._staff = grade, store, staff
        self._longest_s = _SHARE_OF_TIME * deadline_s
        open_adapter()  # before the processes are forked that share it
        self._layers = grade(Submission(())).layers
        self._machine = [
            _FORMAT,
            sys.version,
            platform.machine(),
            [version(name) for name in ("numpy", "gradescope-utils")],
            deadline_s,
            self._layers,
        ]

    def grade(self, submission: Submission, again: Collection[str] = ()) -> ReusedReport:
        """Return the report on a submission; with `again`, grade only these questions, and reuse nothing.

        The whole submission is graded where its questions may have had less time because of each other.
        """
        keys = self._compute_keys(submission)
        found = {} if again else self._find(keys)
        wanted = [stem for stem in keys if stem not in found and (not again or stem in again)]
        chosen = tuple(files for files in submission.questions if files.stem in wanted)
        report = self._grade(replace(submission, questions=chosen))
        if len(wanted) < len(keys) and self._may_interact(report, found.values()):
            found, report = {}, self._grade(submission)
        self._save(report, {status.stem: keys[status.stem] for status in report.questions})
        return ReusedReport(_merge(report, submission, found), tuple(found), self._store.take_refused())

    def _compute_keys(self, submission: Submission) -> dict[str, str]:
        """Return a key for each question, which covers all questions of its group."""
        files = {each.stem: each for each in submission.questions}
        groups = ([files[stem] for stem in group if stem in files] for group in self._staff.groups)
        return {stem: key for group in groups for stem, key in self._compute_group_keys(group).items()}

    def _compute_group_keys(self, group: Sequence[QuestionFiles]) -> dict[str, str]:
        content = [[files.stem, self._staff.hashes[files.stem], asdict(files)] for files in group]
        texts = {files.stem: json.dumps([self._machine, content, files.stem]) for files in group}
        return {stem: hashlib.sha256(text.encode("ascii")).hexdigest() for stem, text in texts.items()}

    def _find(self, keys: Mapping[str, str]) -> dict[str, QuestionResult]:
        """Find the stored results that belong together: whole groups, and slow questions graded beside each other."""
        stored = {stem: self._store.find(key, stem) for stem, key in keys.items()}
        found = {stem: result for stem, result in stored.items() if result is not None}
        slow = {result.key for result in found.values() if result.beside}
        found = {stem: each for stem, each in found.items() if not each.beside or set(each.beside) == slow}
        torn = {stem for group in self._staff.groups if not {*group} & {*keys} <= {*found} for stem in group}
        found = {stem: each for stem, each in found.items() if stem not in torn}
        return found if self._leaves_time(found.values()) else {}

    def _may_interact(self, report: Report, found: Collection[QuestionResult]) -> bool:
        """Whether the questions just graded might have had, or left, less time in a run of the whole."""
        if any(check.verdict is Verdict.NOT_RUN for check in report.checks):
            return True
        is_slow_beside = not found or any(each.beside for each in found)
        if is_slow_beside and any(map(is_slow, report.checks)):
            return True
        return not self._leaves_time(found, report)

    def _leaves_time(self, found: Iterable[QuestionResult], report: Report | None = None) -> bool:
        """Whether the time is enough for these results and those of a report together."""
        seconds = sum(each.seconds for each in found) + (report.seconds if report else 0.0)
        return seconds <= self._longest_s

    def _save(self, report: Report, keys: dict[str, str]) -> None:
        """Store the final results of what was graded, under the layers of which the keys tell."""
        is_late = any(check.verdict is Verdict.NOT_RUN for check in report.checks)
        if is_late or report.layers != self._layers or not self._leaves_time((), report):
            return
        for result in split_report(report, keys, self._store.run):
            if result.is_final:
                self._store.save(result)


def _merge(report: Report, submission: Submission, found: Mapping[str, QuestionResult]) -> Report:
    """Return the report with the results that were found, in the order of a report on the whole submission."""
    if not found:
        return report
    checks = [*report.checks, *(check for each in found.values() for check in each.checks)]
    texts = [*report.texts, *(text for each in found.values() for text in each.texts)]
    statuses = [*report.questions, *(each.status for each in found.values())]
    order = [files.stem for files in submission.questions]
    return replace(
        report,
        checks=tuple(sorted(checks, key=lambda check: [int(part) for part in check.number.split(".")])),
        questions=tuple(sorted(statuses, key=lambda status: order.index(status.stem))),
        texts=tuple(sorted(texts, key=lambda text: order.index(text.stem))),
    )


def choose_sample(reused: Mapping[str, Sequence[str]], percent: int, *, seed: str) -> dict[str, tuple[str, ...]]:
    """Choose so many percent of the reused questions, at least one, by submission; the same for the same seed."""
    pairs = [(name, stem) for name, stems in reused.items() for stem in stems]
    pairs.sort(key=lambda pair: hashlib.sha256("\0".join((seed, *pair)).encode(errors="surrogatepass")).digest())
    chosen = pairs[: -(-len(pairs) * percent // 100)]
    return {name: tuple(stem for each, stem in chosen if each == name) for name in sorted({name for name, _ in chosen})}


def compare(name: str, stored: Scores, again: Scores | None, stems: Collection[str]) -> list[str] | None:
    """List the checks of a submission's questions that have another score, verdict or diagnosis when graded again.

    None if the grader failed on one of the questions.
    """
    before, after = (restrict_scores(each, stems).tests for each in (stored, again or Scores(None, {})))
    if again is None or any(test.verdict in _OPEN for test in after.values()):
        return None
    return list(_describe_differences(name, before, after))


def _describe_differences(name: str, before: Mapping[str, TestScore], after: Mapping[str, TestScore]) -> Iterator[str]:
    for key in sorted({*before, *after}, key=order_naturally):
        old, new = before.get(key), after.get(key)
        if old != new:
            yield f"{name}, check {key}: {_describe(old)} was reused, graded again it is {_describe(new)}"


def _describe(test: TestScore | None) -> str:
    if test is None:
        return "no result"
    score = "no score" if test.score is None else count(test.score, "point")
    return f"{score} ({', '.join(filter(None, [test.verdict, *test.diagnosis]))})"
