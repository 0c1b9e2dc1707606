"""Hidden rows name the first twenty errors of a submission by type and line, as code can choose each by its inputs."""

from contextlib import closing

import pytest

from autograder.checks import checks
from autograder.checks.check_failed import describe_error
from autograder.grading.explain import explain_check
from autograder.grading.memory import WorkerMemory
from autograder.programs.outcome import Frame, Outcome, OutcomeKind
from autograder.results import Visibility
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.limits import NAMED_ERRORS
from autograder.student import Student, TestCall
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.shared_judging import make_test
from tests.selftest.support.toy_question import submission

pytestmark = [pytest.mark.slow, pytest.mark.once]

CASES = NAMED_ERRORS + 5


def tell(error: str) -> str:
    """Write a function that has a line of its own for each input."""
    return "def double(x):\n" + "".join(f"    if x == {case}: raise {error}\n" for case in range(CASES))


def ask(number: int) -> TestCall:
    """Ask for the double of a number."""

    def body(student: Student) -> None:
        checks.close("double(x)", student.shapes.double(number), 2 * number)

    return body


def judge_rows(zygote: Zygote, visibility: Visibility, error: str = "KeyError") -> list[str]:
    """Judge a row for each input, and the first again; return what is said of each."""
    numbers = [*range(CASES), 0]
    tests = [make_test(ask(number), visibility=visibility) for number in numbers]
    first, second = (make_judge(submission(tell(error)), zygote=zygote) for _ in range(2))
    with closing(first), closing(second):
        if visibility is Visibility.VISIBLE:
            return [each.output for each in first.run_pass(tests, tell=lambda: None).checks]
        second.learn(first)
        return [each.output for each in second.run_pass(tests, tell=lambda: None).checks]


@pytest.mark.parametrize("error", ["KeyError", "MemoryError"])
def test_hidden_rows_name_the_first_errors_alone(zygote: Zygote, error: str) -> None:
    """What is named once may be named again: it says nothing new. Where memory is missing, only the place is."""
    outputs = judge_rows(zygote, Visibility.AFTER_DUE_DATE, error)
    named = [f"shapes.py line {number + 2}" in output for number, output in enumerate(outputs)]
    assert named[:CASES] == [True] * NAMED_ERRORS + [False] * (CASES - NAMED_ERRORS)
    assert "shapes.py line 2" in outputs[-1]
    kinds = {output.splitlines()[1] for output in outputs}
    if error == "KeyError":
        assert kinds == {"  found:    a KeyError", "  found:    an exception"}
        assert set(outputs[NAMED_ERRORS:CASES]) == {"FAIL Your function gave no value.\n  found:    an exception"}
    else:
        assert len(kinds) == 1


def test_no_place_of_a_hidden_row_is_named_where_code_is_not_written() -> None:
    """Functions that are not written have many places, which would use up those of errors."""
    memory = WorkerMemory(named=set())
    stub = Outcome(OutcomeKind.NOT_WRITTEN, error_type="NotImplementedError", frames=(Frame("shapes.py", 9, "double"),))
    failed = describe_error("double", memory.hide_error(stub))
    assert memory.named == set()
    assert "shapes.py line 9" in explain_check(failed, shows_values=True)
    assert "shapes.py" not in explain_check(failed, shows_values=False)


def test_visible_rows_name_all(zygote: Zygote) -> None:
    """Their inputs are no secret."""
    outputs = judge_rows(zygote, Visibility.VISIBLE)
    assert all("shapes.py line" in output for output in outputs)
