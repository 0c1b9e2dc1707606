"""Report: the third step, which writes what a folder of results says: report.html, scores.csv and summary.json.

The page needs no network and is streamed, so that at most one submission is in memory. The template engine escapes
every value; a content security policy allows only the page's own style and script, by their hashes. So student text can
neither run nor load anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from autograder.assignment import Assignment
from autograder.atomic_file import write_atomically
from autograder.plain_text import clean, count
from autograder.regression.class_results import STATES, Run, StoredResult, read_class
from autograder.regression.comparison import Cause, Comparison
from autograder.regression.gradebooks import FORMATS, build_gradebook
from autograder.regression.summary import Item, StudentRow, Summary, Timing, summarise
from autograder.templates import open_template, read_inline

OUTPUT_CHARACTERS = 3_000  # for one test; the result's own file has the whole output
_HERE = Path(__file__).parent
_LEAST = 0.1  # a row that correlates less with its question does not tell submissions apart
_APART, _HARDLY, _ALL, _NOBODY = "Told apart by", "Hardly told apart by", "Passed by all", "Passed by nobody"
_CAUSES = {
    Cause.GRADER: "Same files, changed grader",
    Cause.CODE: "Changed files",
    Cause.UNKNOWN: "Different points",
}


def write_report(
    folder: Path,
    assignment: Assignment,
    *,
    baseline: Comparison | None = None,
    grades: Sequence[str] = (),
    timing: Timing = Timing(),  # noqa: B008  (frozen)
) -> Summary:
    """Write the report of the run in a folder, with `grades` for these gradebooks, and return the summary."""
    run = read_class(folder)
    summary = summarise(run, assignment, baseline=baseline, timing=timing)
    _write_file(folder / "report.html", (piece.encode() for piece in render_report(summary, run)))
    _write_file(folder / "scores.csv", [build_gradebook(summary).encode()])
    for name in grades:
        _write_file(folder / f"grades.{name}.csv", [FORMATS[name](summary).encode()])
    _write_file(folder / "summary.json", [summary.as_bytes()])
    return summary


def _write_file(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that all can read, to share it; the results of single students are private."""
    write_atomically(path, pieces, mode=0o644)


def render_report(summary: Summary, run: Run) -> Iterator[str]:
    """Render the page in pieces; `run` has the results."""
    (style, style_hash), (script, script_hash) = (read_inline(_HERE / name) for name in ("report.css", "report.js"))
    distribution = summary.distribution
    stream = open_template(_HERE / "report.html.jinja").stream(
        run=summary,
        conclusion=conclude(summary),
        position={student.member.file: position for position, student in enumerate(summary.students, 1)},
        label_of=run.label,
        bars=list(zip(pairwise(distribution.edges), distribution.counts, strict=True)) if distribution else [],
        changes={found.file: found.total for found in summary.baseline.changed} if summary.baseline else {},
        any_named=any(student.member.people for student in summary.students),
        telling=describe_telling(summary.rows),
        stories={(known.question, known.mistake): known.story for known in summary.mistakes},
        asked=_list_asked(summary, run),
        read_results=partial(_read_results, summary, run),
        shorten=partial(clean, limit=OUTPUT_CHARACTERS),
        causes=_CAUSES,
        states=STATES,
        count=count,
        style=style,
        script=script,
        style_hash=style_hash,
        script_hash=script_hash,
    )
    stream.enable_buffering(100)
    yield from stream


def conclude(run: Summary) -> str:
    """Summarise the result of the run in one line."""
    told = []
    baseline = run.baseline
    unstable = {found.file for found in (*(baseline.unstable if baseline else ()), *run.twins)}
    if unstable:
        told.append(f"{count(len(unstable), 'score')} changed although nothing else did: the grader is not repeatable.")
    if baseline is not None:
        moved, compared = len(baseline.differences), count(baseline.compared, "score")
        verb = "differ" if moved > 1 else "differs"
        told.append(f"{moved or 'None'} of {compared} {verb} from {baseline.against}.")
        if baseline.removed or baseline.added:
            told.append(f"{count(len(baseline.removed), 'row')} removed, {len(baseline.added)} added.")
    if run.undecided:
        told.append(f"The grader failed on {count(len(run.undecided), 'submission')}.")
    if not told:
        told.append(f"{count(len(run.students), 'submission')}; not compared with another run.")
    return " ".join(told)


def describe_telling(items: Sequence[Item]) -> list[tuple[str, str]]:
    """Describe which rows tell submissions apart, and which do not: each sort with the numbers of its rows."""
    sorts: dict[str, list[str]] = {sort: [] for sort in (_APART, _HARDLY, _ALL, _NOBODY)}
    for item in items:
        number = item.number or item.title
        if item.passed in (0.0, 1.0):
            sorts[_ALL if item.passed else _NOBODY].append(number)
        elif item.discrimination is not None:
            sorts[_APART if item.discrimination >= _LEAST else _HARDLY].append(number)
    return [(sort, ", ".join(numbers)) for sort, numbers in sorts.items() if numbers]


def _read_results(summary: Summary, run: Run) -> Iterator[tuple[StudentRow, StoredResult]]:
    for student in summary.students:
        stored = run.load(student.member.file)
        if stored is not None:
            yield student, stored


def _list_asked(summary: Summary, run: Run) -> list[tuple[str, str]]:
    """List number and title of each text that a person grades, as the first judged submission has them."""
    for _, result in _read_results(summary, run):
        if result.rows:
            return [(test.number, test.title) for test in result.tests if test.answer is not None]
    return []
