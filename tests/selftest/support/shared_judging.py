"""Shared judging: judges tests of the toy question with workers that checks share, and each check alone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from autograder.checks import checks
from autograder.grading.attempt_run import AttemptRunner, ZygoteHolder
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.judge import Judge
from autograder.grading.material import Material
from autograder.results import CheckResult
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.connection import Connection
from autograder.sandbox.preload import find_modules_to_preload
from autograder.student import Student, TestCall
from autograder.submission import SourceFile
from tests.selftest.support.toy_question import QUESTION, hidden_test, submission

Results = list[tuple[str, float | None, str, str]]


def check_double(student: Student) -> None:
    """Double a number."""
    checks.close("double(x)", student.shapes.double(3.0), 6.0)


def check_area(student: Student) -> None:
    """Ask for an area."""
    checks.close("area(width, height)", student.shapes.area(2.0, 3.0), 6.0)


def check_volume(student: Student) -> None:
    """Ask for a volume."""
    checks.close("volume(width, height, depth)", student.shapes.volume(2.0, 3.0, 4.0), 24.0)


def make_test(body: TestCall, *functions: str, question_id: str = "shapes", **changes: Any) -> RunnableTest:
    """Make a test of two points of these functions."""
    name = f"test_{question_id}.py::{getattr(body, '__name__', 'test')}"
    return RunnableTest(
        hidden_test(*(functions or ("double",)), test_id=name, question_id=question_id, **changes), body
    )


def make_material(text: str) -> dict[str, Material]:
    """Make a submission of the toy question, whose workers load the modules that it names."""
    (material,) = submission(text).values()
    return {"shapes": replace(material, preload=find_modules_to_preload([text]))}


def make_two_questions(first: str, second: str) -> dict[str, Material]:
    """Make a submission of the toy question and of a second one, `plots`, which has the same functions."""
    shapes, plots = make_material(first)["shapes"], make_material(second)["shapes"]
    main = SourceFile("plots.py", second, "plots")
    files = replace(plots.files, question_id="plots", main=main)
    own = {"plots": ("plots.py", second, False)}
    return {
        "shapes": shapes,
        "plots": replace(plots, question=replace(QUESTION, question_id="plots"), files=files, own=own),
    }


def count_requests(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Have the kind of each request to a worker written into the list that is returned."""
    kinds: list[object] = []
    send = Connection.send

    def note(self: Connection, request: tuple[object, ...], **options: Any) -> None:
        kinds.append(request[0])
        send(self, request, **options)

    monkeypatch.setattr(Connection, "send", note)
    return kinds


def judge_all(
    materials: dict[str, Material], tests: Sequence[RunnableTest], zygote: Zygote, *, shares_workers: bool
) -> list[CheckResult]:
    """Judge the tests in one pass."""
    runner = AttemptRunner(materials, shares_workers, ZygoteHolder(zygote=zygote))
    return list(Judge(runner).run_pass(tests, tell=lambda: None).checks)


def summarize(checks: Sequence[CheckResult]) -> Results:
    """Return all that a report says of checks."""
    return [(each.verdict.value, each.score, each.output, each.outcome) for each in checks]


def judge_alone_and_together(
    materials: dict[str, Material], tests: Sequence[RunnableTest], zygote: Zygote
) -> tuple[Results, Results]:
    """Return what reports say of checks alone, and of checks that share a worker."""
    found = [judge_all(materials, tests, zygote, shares_workers=each) for each in (False, True)]
    alone, together = map(summarize, found)
    return alone, together
