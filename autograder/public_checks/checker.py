"""Checker: turns a student's folder into the results of the public checks, with Gradescope's messages."""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.checks import CheckFailed, NotWritten
from autograder.grading import explain
from autograder.plain_text import clean_line
from autograder.public_checks.expected import NotRecorded
from autograder.public_checks.local_student import LocalAttempt, LocalQuestion
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol.outcome import CallFailed
from autograder.sandbox.worker.module_code import Source
from autograder.student import Student
from autograder.submission.source_text import decode_source

OURS = frozenset({"check.py", "public_checks"})  # in the student's folder
_NOT_THE_STUDENTS = OURS | {"__pycache__", "venv", "env", "site-packages", "node_modules"}
_FILES = 500  # more files are an environment, or a whole disk
_SHOWN_CHARACTERS = 160


class UnknownQuestionError(Exception):
    """The question does not exist; the text lists the existing ones."""


@dataclass(frozen=True)
class PublicCheck:
    """The result of one check: its number, title and points, whether it passed, and its output."""

    number: str
    title: str
    points: float
    passed: bool
    output: str
    was_late: bool = False


@dataclass(frozen=True)
class PublicQuestion:
    """The results of one question.

    `not_public`: number and points of the other checks on Gradescope. `notes`: lines of the file that were left out.
    """

    title: str
    file: str | None
    checks: tuple[PublicCheck, ...]
    not_public: tuple[int, float]
    notes: tuple[str, ...] = ()


def check_folder(folder: Path, material: Path, wanted: Sequence[str]) -> Iterator[PublicQuestion]:
    """Check the questions `wanted` by stem, file name or number of a check, or all, and yield each question's results.

    `material`: the folder of the handout that contains the checks.
    """
    questions = json.loads((material / "questions.json").read_text(encoding="utf-8"))
    own = _read_sources(folder)
    support = _read_starter_modules(material / "support")
    for question in _choose_questions(questions, wanted):
        path = _find_main_file(own, question["files"])
        local = _build_local_question(question, path)
        module = importlib.import_module(f"tests.public.test_{local.stem}") if question["checks"] else None
        checks: list[PublicCheck] = []
        notes: list[str] = []
        for check in question["checks"]:
            is_slow = any(each.was_late for each in checks)
            seconds = limit.CPU_AFTER_TIMEOUT_S if is_slow else limit.CPU_S
            attempt = LocalAttempt({local.stem: local}, _build_modules(own), support, limit_s=seconds)
            attempt.by_statements = bool(notes)
            checks.append(_run_check(check, getattr(module, check["function"]), attempt))
            notes = notes or attempt.load_notes
        yield PublicQuestion(question["title"], path, tuple(checks), tuple(question["not_public"]), tuple(notes))


def render(question: PublicQuestion) -> str:
    """Render a question's results as text."""
    lines = [f"{question.title} ({clean_line(question.file or 'no file', _SHOWN_CHARACTERS)})"]
    lines += [f"  {note}" for note in question.notes]
    for check in question.checks:
        word = "PASS" if check.passed else "FAIL" if check.points else "NOTE"
        worth = f"{check.points:g} points" if check.points else "advice, no points"
        lines.append(f"  {word} {check.number} {check.title} ({worth})")
        if not (check.passed and check.output == "Passed."):
            lines += [f"      {line}" for line in check.output.splitlines()]
    count, points = question.not_public
    lines.append(f"  On Gradescope {count} more checks, worth {points:g} points.\n")
    return "\n".join(lines)


def render_total(questions: Sequence[PublicQuestion]) -> str:
    """Render the last line."""
    checks = [check for question in questions for check in question.checks if check.points]
    passed = [check for check in checks if check.passed]
    earned, worth = (f"{sum(check.points for check in each):g}" for each in (passed, checks))
    return f"{len(passed)} of {len(checks)} public checks passed, {earned} of {worth} points"


def _run_check(check: Mapping[str, Any], body: Callable[..., object], attempt: LocalAttempt) -> PublicCheck:
    try:
        passed, output = _run_body(body, attempt, check["points"])
    finally:
        attempt.close()
    if not passed and check["hide_errors"] is not None:
        output = check["hide_errors"]
    return PublicCheck(check["number"], check["title"], check["points"], passed, output, attempt.left_s <= 0)


def _run_body(body: Callable[..., object], attempt: LocalAttempt, points: float) -> tuple[bool, str]:
    scores: list[float] = []
    try:
        body(Student(attempt), **_choose_setters(body, scores))
    except CheckFailed as failed:
        text = explain.explain_check(failed, shows_values=True)
    except NotWritten as stub:
        return False, explain.clean_student_text(f"Not written yet: {stub}", _SHOWN_CHARACTERS)
    except CallFailed as error:
        text = explain.explain_outcome(error.outcome, shows_values=True)
    except NotRecorded as problem:
        return False, f"Not checked here: {problem}. Gradescope checks it."
    else:
        is_passed = not scores or scores[-1] >= points
        return is_passed, "\n".join(["Passed." if is_passed else "Partial.", *attempt.notes])
    text = text if points else explain.mark_as_advice(text)
    printed = explain.explain_printed(attempt.printed)
    return False, f"{text}\n{printed}" if printed else text


def _choose_setters(body: Callable[..., object], scores: list[float]) -> dict[str, Callable[[Any], None]]:
    """The arguments that a decorator hands over on Gradescope: the handout has none of the decorators."""
    setters = {"set_score": scores.append, "set_leaderboard_value": lambda value: None}
    parameters = inspect.signature(body).parameters
    takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    return {name: setter for name, setter in setters.items() if takes_any or name in parameters}


def _choose_questions(questions: Sequence[dict[str, Any]], wanted: Sequence[str]) -> list[dict[str, Any]]:
    chosen = []
    for word in wanted:
        name = Path(word).name.lower()
        found = [each for each in questions if name in (each["stem"].lower(), *map(str.lower, each["files"]))]
        if not found:
            found = [{**each, "checks": [one]} for each in questions for one in each["checks"] if one["number"] == word]
        if not found:
            stems = ", ".join(each["stem"] for each in questions)
            raise UnknownQuestionError(f"there is no question {word!r}; there are: {stems}")
        chosen += found
    return chosen or list(questions)


def _build_local_question(question: Mapping[str, Any], path: str | None) -> LocalQuestion:
    classes = {name: tuple(methods) for name, methods in question["classes"].items()}
    module = _build_module_name(path) if path is not None else None
    return LocalQuestion(
        question["stem"], tuple(question["files"]), module, classes, frozenset(question["placeholders"])
    )


def _read_sources(folder: Path) -> dict[str, str]:
    """Read the student's Python files by path; files of a folder come before those of its subfolders."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py"), key=lambda each: (len(each.parts), each.as_posix())):
        parts = path.relative_to(folder).parts
        is_theirs = not any(part.startswith(".") or part.lower() in _NOT_THE_STUDENTS for part in parts)
        if is_theirs and path.is_file() and len(found) < _FILES:
            found["/".join(parts)] = decode_source(path.read_bytes())[0]
    return found


def _read_starter_modules(folder: Path) -> dict[str, Source]:
    found = {}
    for path in sorted(folder.rglob("*.py")):
        shown = path.relative_to(folder).as_posix()
        name, text = _build_module_name(shown), path.read_text(encoding="utf-8")
        found[name] = Source(f"support/{name}", text, path.name == "__init__.py")
    return found


def _find_main_file(own: Mapping[str, str], names: Sequence[str]) -> str | None:
    for name in names:
        for path in own:
            if path.rpartition("/")[2].lower() == name.lower():
                return path
    return None


def _build_modules(own: Mapping[str, str]) -> dict[str, Source]:
    return {_build_module_name(path): Source(path, text, path.endswith("__init__.py")) for path, text in own.items()}


def _build_module_name(path: str) -> str:
    return path[: -len(".py")].removesuffix("/__init__").replace("/", ".")
