"""Report: the third step, which writes what a folder of results says: report.html, summary.json and CSV files.

The page needs no network and is streamed, so that at most one submission is in memory. The template engine escapes
every value; a content security policy allows only the page's own style and script, by their hashes. So student text can
neither run nor load anything.

A CSV file has a row for each person: our own, and those that platforms import. A new one is a function and a line of
`GRADEBOOKS`. Every cell is quoted, and none can start a formula in a worksheet.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from autograder.assignment import Assignment
from autograder.atomic_file import write_atomically
from autograder.plain_text import clean, count
from autograder.regression.class_results import STATES, Person, Run, StoredResult, read_class
from autograder.regression.comparison import Cause, Comparison
from autograder.regression.summary import StudentRow, Summary, Timing, summarise
from autograder.templates import open_template, read_inline

OUTPUT_CHARACTERS = 3_000  # for one test; the result's own file has the whole output
_HERE = Path(__file__).parent
_CAUSES = {
    Cause.GRADER: "Same files, changed grader",
    Cause.CODE: "Changed files",
    Cause.UNKNOWN: "Different points",
}
# A spreadsheet would run such text as a formula; where East Asian text is usual, also behind a wide sign.
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_BREAKS = ("\t", "\r", "\n")
_CANVAS_STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS_POSSIBLE = "    Points Possible"  # as Canvas writes it, with the spaces
_NO_GRADE_IN_MOODLE = "-"


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
        _write_file(folder / f"grades.{name}.csv", [GRADEBOOKS[name](summary).encode()])
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
    if baseline is not None:
        unstable, moved, compared = len(baseline.unstable), len(baseline.differences), baseline.compared
        if unstable:
            told.append(f"{count(unstable, 'score')} changed although nothing else did: the grader is not repeatable.")
        verb = "differ" if moved > 1 else "differs"
        if compared:
            told.append(f"{moved or 'None'} of {count(compared, 'score')} {verb} from {baseline.against}.")
        else:
            told.append(f"Nothing could be compared with {baseline.against}.")
    if run.undecided:
        told.append(f"The grader failed on {count(len(run.undecided), 'submission')}.")
    if not told:
        told.append("Not compared with another run.")
    return " ".join(told)


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


def build_gradebook(run: Summary) -> str:
    """Build the CSV text with all that a course may want; if the grader failed, the score is empty, not 0."""
    question_ids = [question.question_id for question in run.questions]
    rows = [["name", "sid", "email", "submission", "state", "score", "max_score", *question_ids]]
    for student, person in _list_people(run):
        points = [_format_points(student.questions.get(question_id)) for question_id in question_ids]
        whole = [student.member.name, student.state, _format_points(student.score), f"{run.max_score:g}"]
        rows.append([*person, *whole, *points])
    return _write_csv(rows)


def build_canvas(run: Summary) -> str:
    """Build the CSV text that Canvas's gradebook imports: the sid is the SIS user id, the email the login.

    Source: "How do I import grades in the Gradebook?" of Canvas's instructor guide. The five columns of a student come
    first, in this order; Canvas finds a student by one of the three ids. A second row has the points of the assignment.
    An empty score leaves the grade as it is.
    """
    rows = [[*_CANVAS_STUDENT, run.column], [_POINTS_POSSIBLE, "", "", "", "", f"{run.max_score:g}"]]
    for student, (name, sid, email) in _list_people(run):
        rows.append([name, "", sid, email, "", _format_points(student.score)])
    return _write_csv(rows)


def build_moodle(run: Summary) -> str:
    """Build the CSV text for Moodle's grade import.

    Source: "Grade import" of Moodle's documentation. The first row names the columns, of which the importing teacher
    maps one to the user ("Email address" or "ID number") and one to the grade item. "-" stands for no grade.
    """
    rows = [["Full name", "ID number", "Email address", run.column]]
    for student, person in _list_people(run):
        rows.append([*person, _format_points(student.score) or _NO_GRADE_IN_MOODLE])
    return _write_csv(rows)


GRADEBOOKS: Mapping[str, Callable[[Summary], str]] = {"canvas": build_canvas, "moodle": build_moodle}


def _list_people(run: Summary) -> Iterator[tuple[StudentRow, list[str]]]:
    """Yield each submission with name, sid and email of each submitter; without submitters, its name stands for one."""
    for student in run.students:
        for person in student.member.people or (Person(name=student.member.name, sid="", email=""),):
            yield student, [person.name, person.sid, person.email]


def _write_csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        writer.writerow([_escape_formula(cell) for cell in row])
    return text.getvalue()


def _escape_formula(cell: str) -> str:
    """Escape text so that a worksheet shows it and does not run it, where it trims blanks in front too."""
    may_start_one = cell.strip().startswith(_FORMULA) or cell.startswith(_BREAKS)
    return f"'{cell}" if may_start_one and cell != _NO_GRADE_IN_MOODLE else cell


def _format_points(points: float | None) -> str:
    """Return the points; empty, not 0, if there are none, because the grader failed or did not judge the question."""
    return "" if points is None else f"{points:g}"
