"""A worker is killed from outside between any two messages: what died once is replaced, and never costs a point.

What dies at the same place again is the student's where their code had run, and ours where it had not.
"""

import pytest

from autograder.results import Verdict
from tests.selftest.support.fault_injection import (
    BODIES,
    Body,
    FaultBench,
    SignalFault,
    assert_ours,
    assert_passed,
    at_moments,
    find_worker,
    simple,
    with_output_pending,
)

pytestmark = [pytest.mark.slow, pytest.mark.once]


@pytest.mark.sampled(second=2)
@at_moments(BODIES, ["entering", "entered"])
def test_a_worker_that_is_killed_is_replaced(body: Body, point: str) -> None:
    fault = SignalFault(find_worker, point=point)
    with FaultBench(fault) as bench:
        assert_passed(bench.judge_body(body))
        assert (fault.left, bench.zygotes) == (0, 2 if point == "entering" else 1)  # there it may be the sandbox


@pytest.mark.sampled(second=1)
@at_moments(BODIES)
def test_one_that_ends_again_is_the_students_and_what_it_printed_is_shown(body: Body, point: str) -> None:
    fault = SignalFault(find_worker, times=2, point=point)
    with FaultBench(fault) as bench:
        result = bench.judge_body(body)
        assert (result.verdict, result.outcome, result.score) == (Verdict.FAILED, "died", 0.0)
        assert "closed its connection or was killed" in result.output
        assert ("Printed by your code:\n  | yyyy" in result.output) is (body is with_output_pending)
        assert fault.left == 0
        assert_passed(bench.judge_body(simple))


@pytest.mark.ci
def test_one_that_is_killed_before_it_has_a_file_again_is_ours() -> None:
    with FaultBench(SignalFault(find_worker, times=2, point="entering")) as bench:
        assert_ours(bench.judge_body(simple))
        assert_passed(bench.judge_body(simple))


@pytest.mark.ci
def test_one_that_is_killed_while_it_compiles_a_file_is_replaced_three_times() -> None:
    with FaultBench(SignalFault(find_worker, times=3, point="entered")) as bench:
        assert_passed(bench.judge_body(simple))
        assert bench.zygotes == 1


def test_a_file_that_kills_each_compiler_is_the_students_fault_and_is_compiled_no_more() -> None:
    fault = SignalFault(find_worker, times=4, point="entered")
    with FaultBench(fault) as bench:
        for _ in range(2):
            result = bench.judge_body(simple)
            assert (result.verdict, result.outcome, result.score) == (Verdict.FAILED, "died", 0.0)
            assert "could not be loaded" in result.output
            assert "Python ended each time it compiled the file" in result.output
        assert fault.left == 0
