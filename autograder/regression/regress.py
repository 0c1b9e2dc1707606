"""Regress: grades a class and writes its results, summary, report and gradebook.

A run that is stopped writes them too, for the submissions done so far, and marks them as incomplete.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from autograder.assignment import Assignment, load_assignment
from autograder.atomic_file import write_atomically
from autograder.grading.identity import identify_grader, list_libraries
from autograder.regression.baseline import SUMMARY, BaselineError, LargestChange, read_baseline
from autograder.regression.class_run import ClassProgress, ClassRun, RegressRequest, compute_key
from autograder.regression.comparison import ChangedWords, collect_changed_words
from autograder.regression.executor import SubmissionExecutor, open_container_executor, open_local_executor
from autograder.regression.findings import Findings, require_penalties
from autograder.regression.gradebooks import FORMATS, build_gradebook
from autograder.regression.grader_pool import RunError
from autograder.regression.item_analysis import collect_hard_checks, compute_distribution
from autograder.regression.junit import render_junit
from autograder.regression.question_store import FOLDER, QuestionStore, remove_unused
from autograder.regression.report import draw_misunderstandings, render_question_pages, render_report
from autograder.regression.reuse import ReuseSettings
from autograder.regression.roster import Entry, Roster, read_roster
from autograder.regression.staff_files import hash_staff_files
from autograder.regression.store import remove_unfinished
from autograder.regression.summary import VERSION, Summary, Timing, label_people
from autograder.similarity.page import render_page
from autograder.similarity.similarity import collect_texts, compare_class
from autograder.submission import Submission, SubmissionError, read_tree, select_questions

REPORT, GRADEBOOK, SIMILARITY = "report.html", "scores.csv", "similarity.html"
PICTURE = "misunderstandings.svg"
_SHOWN_REFUSED = 5


def regress(request: RegressRequest, *, progress: Callable[[ClassProgress], None] = lambda _: None) -> Summary:
    """Grade the class, write everything into `out`, and return the summary.

    Raises RosterError or SubmissionError if the path holds no class, BaselineError if there is nothing to compare with,
    SubmissionError for an unknown question id or a due date without penalties, RunError if no submission can be graded,
    and KeyboardInterrupt if it was stopped, after writing the results so far.
    """
    assignment = load_assignment(request.root)
    select_questions(assignment, request.only or None)
    require_penalties(assignment, request.due)
    baseline = read_baseline(request.baseline) if request.baseline is not None else None
    grader = identify_grader(assignment)
    request.results_dir.mkdir(parents=True, exist_ok=True)
    for folder in (request.out, *(store.folder for store in request.open_stores())):
        remove_unfinished(folder)
    with read_roster(request.path, assignment) as roster:
        if request.against_published and not any(entry.exported.published for entry in roster.entries):
            raise BaselineError(f"{request.path} has no scores to compare with; leave out --published")
        image_id = request.containers.image_id if request.containers is not None else ""
        key = compute_key(grader, request.only, image_id, list_libraries(assignment))
        largest = LargestChange(baseline, request.only) if baseline is not None else None
        run = ClassRun(roster, key, progress, resumes=request.reuses, largest=largest)
        findings = Findings(assignment, request.only, baseline, request.open_stores()[1:], request.due)
        try:
            with _open_executor(request, assignment, run) as executor:
                run.grade(executor, request.open_stores())
                run.recheck(executor, request.open_stores()[0], request.recheck_percent)
        except KeyboardInterrupt:
            _write_findings(request, findings, run)
            raise
        summary = _write_findings(request, findings, run)
        if request.compares_pairs:
            pieces = _render_similar_pairs(request, assignment, roster)
            _write_file(request.out / SIMILARITY, (piece.encode() for piece in pieces))
        return summary


def _open_executor(
    request: RegressRequest, assignment: Assignment, run: ClassRun
) -> AbstractContextManager[SubmissionExecutor]:
    if request.containers is not None:
        return open_container_executor(request.containers, width=request.jobs)
    if not request.cluster:
        return open_local_executor(
            lambda: replace(request.settings, reuse=_open_reuse(request, assignment)),
            processes=request.jobs,
            launched=min(request.jobs, run.count_new(request.open_stores()[0])),
        )
    try:
        from autograder.regression.cluster import open_cluster_executor  # noqa: PLC0415  (Dask is an optional dependency)
    except ModuleNotFoundError as error:
        raise RunError(f"--cluster needs the packages of requirements-cluster.lock: {error}") from error
    return open_cluster_executor(request.settings, request.cluster)


def _open_reuse(request: RegressRequest, assignment: Assignment) -> ReuseSettings | None:
    """Return the settings for the reuse of questions; None where each is graded, as repetitions have to be."""
    if not request.reuses or request.repeat > 1:
        return None
    folders = [each / FOLDER for each in (request.out, request.baseline) if each is not None]
    remove_unused(folders[0])
    store = QuestionStore([folder.absolute() for folder in folders], secrets.token_hex(16))
    return ReuseSettings(store, hash_staff_files(assignment))


def _write_findings(request: RegressRequest, findings: Findings, run: ClassRun) -> Summary:
    store = request.open_stores()[0]
    for entry in run.roster.entries:
        stored = store.load(entry.name)
        if stored is not None and stored.provenance.grader == run.key:
            findings.add(entry, stored, store)
    summary = _build_summary(request, findings, run)
    changed: tuple[ChangedWords, ...] = ()
    if findings.baseline is not None and summary.baseline is not None:
        changed = collect_changed_words(summary.baseline, findings.baseline.store.load, store.load)
    hard = collect_hard_checks(summary, store.load)
    page = render_report(summary, store.load, hard, changed)
    _write_file(request.out / REPORT, (piece.encode() for piece in page))
    texts = {
        **dict(render_question_pages(summary, hard)),
        PICTURE: draw_misunderstandings(summary),
        GRADEBOOK: build_gradebook(summary),
        **{f"grades.{name}.csv": FORMATS[name](summary) for name in request.grades},
    }
    for name, text in texts.items():
        _write_file(request.out / name, [text.encode()])
    if request.junit is not None:
        _write_file(request.junit, [render_junit(summary).encode()])
    _write_file(request.out / SUMMARY, [summary.as_bytes()])
    return summary


def _build_summary(request: RegressRequest, findings: Findings, run: ClassRun) -> Summary:
    questions, table = findings.summarise_questions(), findings.table
    max_score = round(sum(question.max_score for question in questions), 2)
    totals = (row.score for row in findings.students if row.state == "graded")
    published = findings.published.build_if_any()
    return Summary(
        version=VERSION,
        title=findings.assignment.title,
        is_complete=len(findings.students) == len(run.roster.entries),
        grader=findings.grader or identify_grader(findings.assignment),
        key=run.key,
        only=request.only,
        max_score=max_score,
        submissions=len(run.roster.entries),
        students=tuple(findings.students),
        questions=questions,
        tests=tuple(table.analyse_items()),
        redundant=tuple(table.find_redundant()),
        diagnoses=findings.rank_diagnoses(),
        distribution=compute_distribution([score for score in totals if score is not None], max_score),
        baseline=published if request.against_published else findings.build_baseline_comparison(),
        published=None if request.against_published else published,
        repeats=findings.repeated.build_if_any(),
        disagreements=tuple(sorted(run.disagreements)),
        notes=(*run.roster.notes, *_describe_refused(run.refused)),
        timing=Timing(seconds=round(run.seconds, 2), tests=table.summarise_seconds(), **run.counts),
    )


def _describe_refused(refused: Sequence[str]) -> list[str]:
    shown = [f"not reused: {each}" for each in sorted(refused)[:_SHOWN_REFUSED]]
    more = len(refused) - len(shown)
    return [*shown, *([f"not reused: {more} more stored results"] if more else [])]


def _render_similar_pairs(request: RegressRequest, assignment: Assignment, roster: Roster) -> Iterator[str]:
    """Compare the class and render the page in pieces; submissions that cannot be read are left out."""
    entries = {entry.name: entry for entry in roster.entries}
    questions = select_questions(assignment, request.only or None)

    def read(entry: Entry) -> Submission:
        return read_tree(entry.pack(), assignment, request.only or None)

    def find_texts(name: str, stem: str) -> Mapping[str, str]:
        return collect_texts(files for files in read(entries[name]).questions if files.stem == stem)

    def read_all() -> Iterator[tuple[str, Submission]]:
        for entry in roster.entries:
            with contextlib.suppress(SubmissionError):
                yield entry.name, read(entry)

    return render_page(
        compare_class(read_all(), assignment),
        title=assignment.title,
        titles={question.stem: question.title for question in questions},
        labels={name: label_people(entry.exported.people, name) for name, entry in entries.items()},
        find_texts=find_texts,
    )


def _write_file(path: Path, pieces: Iterable[bytes]) -> None:
    write_atomically(
        path, pieces, mode=0o644
    )  # readable by all, for sharing; the results of single students are private
