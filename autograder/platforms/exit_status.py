"""Exit status: turns results into what a platform reads that runs commands: a text, and whether the command succeeded.

Such platforms, autograder.io among them, know no file of results. Each command of a test suite has points, which a
submission gets if the command ends with the expected exit status; students see its output if staff allow it. So the
output has no more than students see at once, and there is a command for each part that has points of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.gradescope.schema import GradedTest, Results
from autograder.platforms.test_kinds import is_advice, is_text
from autograder.results import Visibility

_INDENT = "    "


def describe_for_student(results: Results) -> str:
    """Describe the checks that students see at once, and count the others; without tests, say why there are none."""
    tests = _list_graded(results)
    return "\n".join(_write_lines(tests) if tests else [results.output or "There is no result yet."]) + "\n"


def has_all_points(results: Results) -> bool:
    """Whether each test has all of its points, those included that students do not see; False without a test."""
    tests = _list_graded(results)
    return bool(tests) and all(map(_is_passed, tests))


def _write_lines(tests: Sequence[GradedTest]) -> Iterator[str]:
    shown = [test for test in tests if test.visibility is Visibility.VISIBLE]
    for test in shown:
        yield f"{test.number} {test.name}: {'passed' if _is_passed(test) else 'not passed'}"
        yield from (_INDENT + line for line in ("" if _is_passed(test) else test.output or "").splitlines())
    if len(tests) > len(shown):
        yield f"{len(tests) - len(shown)} of {len(tests)} checks count here and are not shown."


def _list_graded(results: Results) -> list[GradedTest]:
    if (results.extra_data or {}).get("state") != "graded":
        return []
    return [test for test in results.tests or () if not is_text(test) and not is_advice(test)]


def _is_passed(test: GradedTest) -> bool:
    """Whether it has all of its points; a test that could not be judged has none."""
    return test.score is not None and test.score >= (test.max_score or 0.0)
