"""Child: runs the checks of one question in a process of its own, and tells the parent what it does.

The parent ends the process where a stage takes too long; what was told by then is all that it knows.
"""

from __future__ import annotations

import importlib
import io
import os
import signal
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from autograder.grading.statement_load import StatementLoad
from autograder.public_checks.check_run import CheckRun, show_failure
from autograder.public_checks.local_student import LocalAttempt, LocalQuestion, Place, Stage
from autograder.public_checks.results import PublicCheck
from autograder.sandbox import limits as limit
from autograder.sandbox.worker.module_code import Source


@dataclass(frozen=True)
class Task:
    """The checks of one question that are left to run.

    `question`: its entry of `questions.json`. `own`: the texts of the student's files by path; `main`: the path of the
    question's, None if there is none. `folder`: the student's, in which their code runs. `material`: the folder of the
    handout's checks. `done`: the number of checks that
    have a result. `load`: what a file that fails as a whole has left out so far; None to load it as a whole.
    """

    question: Mapping[str, Any]
    own: Mapping[str, str]
    main: str | None
    folder: Path
    material: Path
    done: int = 0
    load: StatementLoad | None = None


@dataclass(frozen=True)
class Began:
    """A stage began; `place`: of the statement, where it is one."""

    stage: Stage
    place: Place


@dataclass(frozen=True)
class Printed:
    """The student's code printed a text. `is_too_much`: together with the texts before, it is over the limit."""

    text: str
    is_too_much: bool = False


@dataclass(frozen=True)
class Checked:
    """The result of the next check. `is_final`: it does not change any more."""

    check: PublicCheck
    load: StatementLoad | None
    is_final: bool = True


class Output(io.StringIO):
    """Keeps the first part of what the student's code prints, and tells the parent."""

    def __init__(self, tell: Callable[[Printed], None]) -> None:
        super().__init__()
        self._tell = tell
        self._written = 0

    def write(self, text: str) -> int:
        """Keep what fits, and return the number of characters of the whole text."""
        kept = text[: max(limit.OUTPUT_KEPT_BYTES - self._written, 0)]
        self._written += len(text)
        super().write(kept)
        if kept or self._written > limit.OUTPUT_KILL_BYTES:
            self._tell(Printed(kept, is_too_much=self._written > limit.OUTPUT_KILL_BYTES))
        return len(text)


def run_checks(task: Task, parent: Connection) -> None:
    """Run the checks that are left, and tell the parent each stage and result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, which ends this process
    os.chdir(task.folder)
    warnings.filterwarnings("ignore", "Creating an ndarray from ragged", module="autograder")  # numpy before 1.24
    support = _read_starter_modules(task.material / "support")
    local = _build_local_question(task)
    module = importlib.import_module(f"tests.public.test_{local.stem}")
    load = task.load

    def make_attempt() -> LocalAttempt:
        own = {_name_module(path): Source(path, text, _is_package(path)) for path, text in task.own.items()}
        return LocalAttempt({local.stem: local}, own, support, load=load, watch=watch, output=Output(parent.send))

    def watch(stage: Stage, place: Place) -> None:
        parent.send(Began(stage, place))

    for check in task.question["checks"][task.done :]:
        attempt = make_attempt()
        watch(Stage.RUN, ("", 0, 0))
        run = CheckRun(check, getattr(module, check["function"]), attempt)
        result = run.run()
        attempt.close()
        load = attempt.load
        if run.lines.text:
            parent.send(Checked(result, load, is_final=False))
            result = _try_lines(run, result, make_attempt(), parent)
        parent.send(Checked(result, load))


def _try_lines(run: CheckRun, result: PublicCheck, attempt: LocalAttempt, parent: Connection) -> PublicCheck:
    """Run the lines of a failed check; return its result with them if they show the failure."""
    parent.send(Began(Stage.LINES, ("", 0, 0)))
    attempt.watch = lambda stage, place: None
    attempt.output = io.StringIO()
    try:
        return run.add_lines() if show_failure(run.lines, attempt) else result
    finally:
        attempt.close()


def _build_local_question(task: Task) -> LocalQuestion:
    question = task.question
    return LocalQuestion(
        question["stem"],
        tuple(question["files"]),
        _name_module(task.main) if task.main is not None else None,
        {name: tuple(methods) for name, methods in question["classes"].items()},
        frozenset(question["placeholders"]),
        {name: tuple(names) for name, names in question["parameters"].items()},
    )


def _read_starter_modules(folder: Path) -> dict[str, Source]:
    found = {}
    for path in sorted(folder.rglob("*.py")):
        name, text = _name_module(path.relative_to(folder).as_posix()), path.read_text(encoding="utf-8")
        found[name] = Source(f"support/{name}", text, _is_package(path.name))
    return found


def _name_module(path: str) -> str:
    return path[: -len(".py")].removesuffix("/__init__").replace("/", ".")


def _is_package(path: str) -> bool:
    return path.endswith("__init__.py")
