"""What a report says at its top: which functions are wrong, which to start with, and the list by function."""

from typing import Any

import pytest

from autograder.grading.explain import NOT_LOADED
from autograder.grading.overview import list_functions, write_first_steps, write_list
from autograder.results import CheckResult, Verdict
from tests.selftest.support.reports import check, failed, question, report, undecided


def of(name: str, **changes: Any) -> dict[str, Any]:
    return {"functions": (name,), "number": f"1.{name}", **changes}


def unwritten(name: str, **changes: Any) -> CheckResult:
    return failed("Not written yet", **of(name, verdict=Verdict.NOT_WRITTEN, **changes))


def tell(*checks: CheckResult, **changes: Any) -> str:
    graded = report(*checks, questions=(question(**changes),))
    return write_first_steps(list_functions(graded, graded.graded))


START = "Start with add in hw/algebra.py"
RESTS = check(**of("sub", replaced=("add",)))
RESTS_TOO = check(**of("mul", replaced=("add",)))


@pytest.mark.parametrize(
    ("checks", "told"),
    [
        ([check()], ""),
        ([check(), undecided(**of("sub"))], ""),
        ([failed()], "add in hw/algebra.py is wrong."),
        ([unwritten("sub"), check()], "sub in hw/algebra.py is not written yet."),
        ([failed(), RESTS], "add in hw/algebra.py is wrong: checks of sub need it."),
        ([failed(), failed(**of("sub"))], "add and sub are wrong. Start with add in hw/algebra.py."),
        (
            [failed(**of("norm")), failed(), unwritten("trace"), RESTS, RESTS_TOO],
            f"norm and add are wrong, 1 other is not written yet. {START}: checks of sub and mul need it.",
        ),
        (
            [failed(**of(name)) for name in ("add", "sub", "norm", "trace", "scale")],
            "add, sub and 3 others are wrong. Start with add in hw/algebra.py.",
        ),
        (
            [unwritten(name) for name in ("add", "sub", "norm")],
            "add, sub and norm are not written yet. Start with add in hw/algebra.py.",
        ),
        (
            [failed(), failed(f"{NOT_LOADED}\n  found:    a SyntaxError", **of("sub"))],
            "add and sub are wrong. Start with hw/algebra.py: it could not be loaded.",
        ),
        (  # what passes beside several functions rests on none of them for certain
            [failed(), failed(**of("norm")), check(**of("sub", replaced=("add", "norm")))],
            "add and norm are wrong. Start with add in hw/algebra.py.",
        ),
        (  # methods are replaced with their class
            [failed(**of("Stack.pop")), check(**of("sort", replaced=("Stack",)))],
            "Stack.pop in hw/algebra.py is wrong: checks of sort need it.",
        ),
    ],
)
def test_the_first_steps(checks: list[CheckResult], told: str) -> None:
    assert tell(*checks) == told


def test_a_question_without_a_file_has_no_place_and_an_answer_its_key() -> None:
    assert tell(unwritten("a_b"), file=None, keys={"a_b": "a.b"}) == "a.b is not written yet."


def test_the_list_has_a_line_for_what_is_wrong_and_one_for_the_others_that_are_alike() -> None:
    checks = [
        *(failed(number=number, score=0.5, verdict=Verdict.PARTIAL) for number in ("1.1", "1.2")),
        check(number="1.3"),
        check(**of("sub")),
        check(**of("norm")),
        unwritten("trace"),
        undecided(**of("scale")),
        check(question_id="sets", functions=("union", "member"), number="2.1"),
    ]
    graded = report(*checks, questions=(question(), question(question_id="sets", title="Sets", file=None)))
    assert list(write_list(list_functions(graded, checks))) == [
        "Algebra (hw/algebra.py)",
        "  wrong: add; 3 of 6 points, see checks 1.1, 1.2",
        "  not written yet: trace; 0 of 2 points",
        "  not judged: scale; 0 of 2 points",
        "  right: sub, norm; 4 of 4 points",
        "Sets (no file): right, 2 of 2 points",
    ]
