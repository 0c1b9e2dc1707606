"""In-process student: gives hidden tests their interface to modules that are imported into the tests' process.

For comparison only, as graders without a sandbox do it: nothing is copied, limited or isolated. It has what those tests
of the course ask for that are written by hand; the rows of contracts are judged without it.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import types
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from autograder import ENGINE as PROJECT
from autograder.assignment import Assignment, load_assignment
from autograder.contracts import CheckBody, TableRow, judge_functions
from autograder.grading.collection import list_tables
from autograder.grading.kept_data import find_kept_file
from autograder.programs.recipes import Toy
from autograder.sandbox.protocol.decoder import decode


def question_ids_of(submission: Path) -> list[str]:
    """Return the questions for which the submission has a module; written questions have none."""
    return [
        question_id
        for question_id in load_assignment(PROJECT).question_ids
        if (submission / f"{question_id}.py").exists()
    ]


def hidden_tests_of(submission: Path) -> dict[str, Callable[..., None]]:
    """Return the hidden tests of those questions, under unique names."""
    return {
        f"test_{question_id}_{name.removeprefix('test_')}": test
        for question_id in question_ids_of(submission)
        for name, test in tests_of(question_id).items()
    }


def tests_of(question_id: str) -> dict[str, Callable[..., None]]:
    """Return the hidden tests of a question by name, each as a function of the student."""
    module = importlib.import_module(f"tests.hidden.test_{question_id}")
    by_hand = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    rows = [row for table in list_tables(module) for row in table.rows]
    return {row.name: body_of(row, question_id) for row in rows} | by_hand


def body_of(row: TableRow, question_id: str) -> Callable[..., None]:
    """Return a row of a contract's table as a function of the student."""
    body = CheckBody(row.check, seed=_load_assignment().seed)
    body.kept, *_others = _read_kept_checks().get(f"test_{question_id}.py::{row.name}", (b"",))

    def run(student: InProcessStudent) -> None:
        module = importlib.import_module(question_id)
        _, failure = judge_functions(body.derived, lambda name: getattr(module, name))
        if failure is not None:
            raise failure

    run.__name__ = run.__qualname__ = row.name
    return run


@functools.cache
def _load_assignment() -> Assignment:
    return load_assignment(PROJECT)


@functools.cache
def _read_kept_checks() -> Mapping[str, Any]:
    """Read the data of the checks that the grader, run before, keeps in the benchmark's folder: no peer derives them.

    The key is not looked at: to hash the files that it is made of is a cost of the grader's.
    """
    folder = os.environ.get("XDG_CACHE_HOME")
    file = find_kept_file(_load_assignment(), Path(folder, "nlp-autograder")) if folder else None
    if file is None or not file.exists():
        return {}
    _key, kept = decode(file.read_bytes())
    return dict(kept)


class InProcessStudent:
    """One submission, whose files have the names of their questions."""

    def __init__(self, submission: Path) -> None:
        sys.path.insert(0, str(submission))

    def __getattr__(self, question_id: str) -> _Module:
        if question_id.startswith("_"):
            raise AttributeError(question_id)
        return _Module(importlib.import_module(question_id))


class _Module:
    def __init__(self, module: types.ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> _Function:
        return _Function(getattr(self._module, name))


class _Function:
    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*(each.build() if isinstance(each, Toy) else each for each in arguments))

    def with_warnings(self, *arguments: Any) -> tuple[Any, list[str]]:
        """Return the value, and the categories of warnings."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            value = self(*arguments)
        return value, [warning.category.__name__ for warning in caught]
