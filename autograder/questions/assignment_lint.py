"""Assignment lint: finds what is not in order in the folder of an assignment, before a student is graded by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from autograder.assignment import (
    HIDDEN,
    MISTAKES,
    PACKAGES,
    TASKS,
    TEMPLATES,
    Assignment,
    AssignmentError,
    GoneKeyError,
    Question,
    find_owner,
    list_question_files,
    load_assignment,
)
from autograder.diagnosis import KnownReplies, find_rows
from autograder.grader import Grader
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTestError
from autograder.mistakes import MistakeBank
from autograder.plain_text import count
from autograder.questions.right_solution import describe_failures, grade_right_solution
from autograder.submission import find_defined_names, read_submission

_SOLUTIONS = 2  # of the four files of a question: the right solution and the template


def find_problems(root: Path) -> list[str]:
    """Find the problems of an assignment, each a text of one or more lines.

    A question with a broken file is left out of what rests on that file. Where nothing else is found, the right
    solutions and the templates are graded; SandboxError if no worker starts. Last, mistakes are run in the checks.
    """
    try:
        assignment = load_assignment(root)
    except AssignmentError as error:
        return str(error).splitlines()
    unusable = list(_find_unusable(assignment))
    problems = list(unusable)
    whole = []
    for question in assignment.questions:
        broken = list(_find_broken(root, question))
        problems += broken
        if not broken:
            whole.append(question)
    problems += _find_leftovers(assignment)
    if not unusable:
        problems += _find_wrong_checks(assignment, whole)
    return problems or list(_find_wrong_scores(assignment)) or list(_find_uncaught(assignment))


def find_warnings(root: Path) -> list[str]:
    """Find what an assignment without problems lacks, and can be used without."""
    assignment = load_assignment(root)
    bank = MistakeBank(assignment)
    empty = [each for each in assignment.question_ids if not bank.load(each)]
    return [f"{MISTAKES}/{each}.py: has no mistakes, so that no check is known to catch anything" for each in empty]


def _find_unusable(assignment: Assignment) -> Iterator[str]:
    """Yield what is missing for all questions; without it, no file of them can be imported."""
    try:
        assignment.require_libraries()
    except AssignmentError as error:
        yield str(error)
    for path in PACKAGES:
        if not (assignment.root / path).exists():
            yield f"{path}: does not exist"


def _find_broken(root: Path, question: Question) -> Iterator[str]:
    """Yield the files of a question that are missing, or do not define a function that it has."""
    for place, path in enumerate(list_question_files(question)):
        if not (root / path).exists():
            yield f"{path}: does not exist"
        elif place < _SOLUTIONS and not question.answers:
            defined = find_defined_names((root / path).read_text(encoding="utf-8"))
            owners = [find_owner(function.name) for function in question.functions]
            for name in dict.fromkeys(owners):
                if name not in defined:
                    yield f"{path}: does not define {name}, which assignment.toml lists"


def _find_leftovers(assignment: Assignment) -> Iterator[str]:
    """Yield what a question left behind that was removed or is not finished."""
    for path in sorted(assignment.hidden_tests.glob("test_*.py")):
        if path.stem.removeprefix("test_") not in assignment.question_ids:
            advice = "delete the four files of a question that was removed, or add its table"
            yield f"{HIDDEN}/{path.name}: belongs to no question of assignment.toml; {advice}"
    for path in sorted((assignment.root / TASKS).glob("*.md")):
        if path.stem not in assignment.question_ids:
            yield f"{TASKS}/{path.name}: belongs to no question of assignment.toml; delete it"


def _find_wrong_checks(assignment: Assignment, questions: Sequence[Question]) -> Iterator[str]:
    """Yield what is wrong with the checks of these questions, or else with their mistakes."""
    try:
        collect_hidden_tests(assignment, question_ids=[each.question_id for each in questions])
    except HiddenTestError as error:
        yield from str(error).splitlines()
        return
    for question in questions:
        yield from _find_wrong_mistakes(assignment, question)


def _find_wrong_mistakes(assignment: Assignment, question: Question) -> Iterator[str]:
    file = f"{MISTAKES}/{question.question_id}.py"
    bank = MistakeBank(assignment)
    try:
        mistakes = bank.load(question.question_id)
    except (AssignmentError, GoneKeyError) as error:
        yield str(error)
        return
    except Exception as error:  # noqa: BLE001  (a module of staff, which may raise anything)
        yield f"{file}: cannot be imported: {error!r}"
        return
    functions = [function.name for function in question.functions]
    for mistake in mistakes:
        if mistake.function not in functions:
            yield f"{file}: {mistake.id} replaces {mistake.function}, which is no function of the question"


def _find_uncaught(assignment: Assignment) -> Iterator[str]:
    """Yield the mistakes that no check catches, and the checks that catch none."""
    bank = MistakeBank(assignment)
    tests = collect_hidden_tests(assignment, question_ids=assignment.question_ids)
    for question_id in assignment.question_ids:
        file = f"{MISTAKES}/{question_id}.py"
        ours = [each for each in tests if each.test.question_id == question_id]
        known = KnownReplies(bank, {each.test.test_id: each for each in ours})
        rows = {}
        for mistake in bank.load(question_id):
            rows[mistake.id] = find_rows(mistake, known)
        if not rows:
            continue  # a warning
        for name, found in rows.items():
            if not found:
                yield f"{file}: {name} is caught by no check"
        caught = set(chain.from_iterable(rows.values()))
        for test, _ in ours:
            if not test.is_advice and test.name not in caught:
                yield f"{file}: no mistake is caught by {test.name}"


def _find_wrong_scores(assignment: Assignment) -> Iterator[str]:
    """Yield the checks that the right solutions fail, and those that give points to the templates."""
    failures = describe_failures(grade_right_solution(assignment).checks)
    if failures:
        yield failures
    with Grader(assignment) as grader:
        report = grader.grade(read_submission(assignment.templates, assignment))
    for check in report.checks:
        if check.score:
            yield f"{TEMPLATES}: {check.number} {check.title}: {count(check.score, 'point')} for what students receive"
