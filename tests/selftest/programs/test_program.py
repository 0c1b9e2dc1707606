"""What the interpreter of programs promises: when a value is copied, what rests on what, that runs share nothing."""

from typing import Any

import numpy as np
import pytest

from autograder.contracts.driver import error_of, fresh, in_worker, left, trace
from autograder.programs.calls import lay_out, write_call
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.program import Call, Make, Name, Program, StepResult, run_program
from autograder.programs.recipes import SLICED, TRANSPOSED, Copy, Generator, make_toy
from tests.selftest.programs.toy_student import Right, find_in

NOT_WRITTEN = Outcome(OutcomeKind.NOT_WRITTEN, error_type="NotImplementedError")
RAISED = Outcome(OutcomeKind.RAISED, error_type="ValueError")


class Stub(Right):
    """One method is not written, one function raises."""

    class Pile(Right.Pile):
        def push(self, item: Any) -> list[Any]:
            raise NotImplementedError

    @staticmethod
    def fill(items: list[Any], item: Any) -> list[Any]:
        raise ValueError


def ask(driver: Any, *arguments: Any, of: Any = Right) -> list[Any]:
    """Trace a driver and run its program."""
    return run_program(trace(driver, arguments, find_in(Right))[0], find_in(of))


def push_twice(student: Any, items: Any) -> Any:
    pile = student.Pile(items)
    return pile.push(1), pile.push(2), pile.items, items


def set_and_read(student: Any, items: Any) -> Any:
    pile = student.Pile(items)
    pile.size = 3
    return pile.size, pile.items


def fill_twice(student: Any, items: Any) -> Any:
    return student.fill(items, 1), student.fill(items, 2), items


def read_early(student: Any, items: Any) -> Any:
    pile = student.Pile(items)
    before = pile.items
    return pile.push(4), before


def test_a_result_is_copied_when_its_step_has_run_and_an_argument_is_read_at_the_end() -> None:
    assert ask(fill_twice, [0]) == [[0, 1], [0, 1, 2], [0, 1, 2]]


@pytest.mark.parametrize(
    ("driver", "of", "reply"),
    [
        (push_twice, Stub, [NOT_WRITTEN, NOT_WRITTEN, NOT_WRITTEN, [0]]),
        (fill_twice, Stub, [RAISED, RAISED, RAISED]),
        (read_early, Stub, [NOT_WRITTEN, [0]]),
    ],
    ids=["the object of a failed call", "what it was given", "what was read before"],
)
def test_what_a_failed_call_may_have_changed_cannot_be_read(driver: Any, of: Any, reply: list[Any]) -> None:
    assert ask(driver, [0], of=of) == reply


def test_a_call_after_another_one_gets_the_same_objects_with_other_contents() -> None:
    seen: list[Any] = []

    def look(*given: Any) -> list[Any]:
        seen.append([id(each) for each in given])
        return [*given[:3], given[3].random(), *given[4:]]

    before = (np.zeros(3), [1, 2], {"b": 1, "a": np.zeros(2)}, Generator(5), np.zeros(2), [1])
    arguments = (np.ones(3), [4], {"a": np.ones(2)}, Generator(5), np.ones(4), {"a": 1})
    program = write_call("look", arguments, before=before)
    (reply,) = run_program(program, lambda _name: look)
    assert repr(reply) == repr([*arguments[:3], np.random.default_rng(5).random(), *arguments[4:]])
    assert [one == other for one, other in zip(*seen, strict=True)] == [True] * 3 + [False] * 3


@pytest.mark.parametrize(
    ("layout", "flags"), [("", (True, False)), (TRANSPOSED, (False, True)), (SLICED, (False, False))]
)
def test_arrays_lie_in_memory_as_a_layout_says(layout: str, flags: tuple[bool, bool]) -> None:
    def look(x: Any, params: Any) -> Any:
        return x, params, [(each.flags.c_contiguous, each.flags.f_contiguous) for each in (x, params["W"])]

    x = np.arange(6.0).reshape(2, 3)
    program = lay_out(write_call("look", (x, {"W": x, "n": np.array(2.0)})), layout)
    ((same, params, found),) = run_program(program, lambda _name: look)
    assert np.array_equal(same, x) and np.array_equal(params["W"], x) and found == [flags, flags]


def test_an_object_whose_attribute_cannot_be_set_cannot_be_read() -> None:
    class Frozen(Right):
        class Pile(Right.Pile):
            size = property(lambda _self: 3)

    assert ask(set_and_read, [0]) == [3, [0]]
    raised = Outcome(OutcomeKind.RAISED, error_type="AttributeError")
    assert ask(set_and_read, [0], of=Frozen) == [raised, raised]


def test_what_rests_on_a_failed_step_carries_that_failure() -> None:
    def unpack(student: Any, items: Any) -> Any:
        first, second = student.fill(items, 1)
        return first, [second, student.count([first])], student.count([])

    class Returns3(Right):
        @staticmethod
        def fill(items: list[Any], item: Any) -> list[Any]:
            return [1, 2, 3]

    assert ask(unpack, [0]) == [0, [1, 1], 0]
    assert ask(unpack, [0], of=Returns3) == [RAISED, RAISED, 0]


def test_an_error_that_is_asked_for_spoils_nothing() -> None:
    def ask_for_the_error(student: Any, items: Any) -> Any:
        pile = student.Pile(items)
        return error_of(pile.take(9)), pile.items

    def ask_too_late(student: Any, items: Any) -> Any:
        pile = student.Pile(items)
        other = pile.push(1)
        return error_of(student.count(other)), pile.items

    assert ask(ask_for_the_error, [0]) == ["IndexError", [0]]
    assert ask(ask_too_late, [0]) == [None, [0, 1]]
    assert ask(ask_too_late, [0], of=Stub) == [NOT_WRITTEN, NOT_WRITTEN]


def test_two_runs_share_nothing_and_within_a_run_one_object_is_one_argument() -> None:
    def fill_each(student: Any, items: Any, others: Any) -> Any:
        return student.fill(items, 1), student.fill(items, 2), student.fill(others, 3)

    items = [0]
    same, _ = trace(fill_each, (items, items), find_in(Right))
    two, _ = trace(fill_each, (items, [0]), find_in(Right))
    for _ in range(2):
        assert run_program(same, find_in(Right)) == [[0, 1], [0, 1, 2], [0, 1, 2, 3]]
        assert run_program(two, find_in(Right)) == [[0, 1], [0, 1, 2], [0, 3]]
    assert items == [0]


class Counter:
    """Answers how often it was asked."""

    def __init__(self, start: int) -> None:
        self.asked = start

    def tell(self, _word: Any) -> int:
        """Tell."""
        self.asked += 1
        return self.asked


def test_a_toy_with_a_state_is_made_afresh_for_each_program_and_each_fresh_one() -> None:
    def listen(student: Any, toy: Any) -> Any:
        return student.hear(toy), student.hear(toy), student.hear(fresh(toy))

    program, _ = trace(listen, [make_toy(Counter, 5)], find_in(Right))
    for _ in range(2):
        assert run_program(program, find_in(Right)) == [[6, 7], [8, 9], [6, 7]]


def test_a_returned_toy_is_its_dialogue() -> None:
    program = write_call("hear", [make_toy(Counter, 0).listen()], left=[0])
    assert run_program(program, find_in(Right)) == [[1, 2], [("tell", ("a",), 1), ("tell", ([],), 2)]]


def test_an_argument_is_used_again_as_it_was_left_and_a_function_of_the_staff_computes_on_results() -> None:
    def total(items: Any) -> Any:
        return sum(items)

    def sum_up(student: Any, items: Any) -> Any:
        student.fill(items[0], 4)
        return in_worker(student, total)(left(student, items[0])), items[0]

    assert ask(sum_up, [[1, 2]]) == [7, [1, 2, 4]]


def test_calls_in_turn_share_generators_alone() -> None:
    program = write_call("fill", [[0], 1], times=2)
    assert run_program(program, find_in(Right)) == [[[0, 1], [0, 1]]]
    (drawn,) = run_program(write_call("next", [Generator(3)], times=2), {"next": lambda rng: rng.random()}.__getitem__)
    rng = np.random.default_rng(3)
    assert drawn == [rng.random(), rng.random()]


def test_an_object_that_is_no_plain_value_stays_where_it_is() -> None:
    steps = (Name("Pile"), Make(Copy([0])), Call(StepResult(0), (StepResult(1),)))
    pile, items = run_program(Program(steps, (StepResult(2), StepResult(1))), find_in(Right))
    assert (pile.type_name, items) == ("Pile", [0])
