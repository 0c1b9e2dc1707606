"""What is refused in a driver: every look at a result, and what its program could not say, with file and line."""

import copy
import math
from typing import Any

import numpy as np
import pytest

from autograder.contracts.driver import Driver, DriverError, error_of, left, trace
from tests.selftest.programs.toy_student import Right, find_in

LOOKS = {
    "a condition on": [bool, lambda it: not it, lambda it: it and 1, lambda it: 1 if it else 2],
    "the length of": [len],
    "a comparison of": [
        lambda it: it == 1,
        lambda it: it != 1,
        lambda it: it > 1,
        lambda it: it >= 1,
        lambda it: 1 in it,
        lambda it: {it},
        lambda it: {it: 1},
    ],
    "arithmetic on": [
        lambda it: it + 1,
        lambda it: 1 - it,
        lambda it: 2 * it,
        lambda it: it / 2,
        lambda it: it // 2,
        lambda it: it % 2,
        lambda it: it**2,
        lambda it: np.ones(2) @ it,
        lambda it: -it,
        lambda it: ~it,
        abs,
        np.exp,
        np.sum,
        lambda it: np.ones(2) * it,
    ],
    "the value of": [
        int,
        float,
        complex,
        round,
        str,
        np.array,
        math.sqrt,
        copy.copy,
        copy.deepcopy,
        lambda it: f"{it}",
        range,
        lambda it: [1, 2][it],
        lambda it: list(range(3))[:it],
    ],
    "the setting of an item of": [lambda it: it.__setitem__(0, 1), lambda it: it.__delitem__(0)],
    "the class of": [lambda it: it.__class__, lambda it: isinstance(it, int)],
}
EACH_LOOK = [(words, look) for words, looks in LOOKS.items() for look in looks]


@pytest.mark.parametrize(("words", "look"), EACH_LOOK, ids=[f"{words} {n}" for n, (words, _) in enumerate(EACH_LOOK)])
def test_every_look_at_a_result_is_refused_with_file_and_line(words: str, look: Any) -> None:
    def driver(student: Any) -> Any:
        result = student.count([])
        return look(result)

    is_written_here = getattr(look, "__module__", "") == __name__
    line = look.__code__.co_firstlineno if is_written_here else driver.__code__.co_firstlineno + 2
    refusal = f"{words} a result: a driver does not know results"
    with pytest.raises(DriverError, match=rf"^test_driver\.py:{line}: {refusal}"):
        trace(driver, [], find_in(Right))


def change_an_argument(student: Any, items: Any) -> Any:
    result = student.count(items)
    items.append(1)
    return result


def return_what_no_call_gave(student: Any, items: Any) -> Any:
    student.count(items)
    return items[:1]


def return_a_part_of_an_argument(student: Any, items: Any) -> Any:
    return student.count(items), items[0]


def fail(student: Any, items: Any) -> Any:
    pile = student.Pile(items)
    return pile.take(9)


def fail_at_what_is_not_there(student: Any, items: Any) -> Any:
    return student.Pile(items).height


def expect_another_failure(student: Any, items: Any) -> Any:
    pile = student.Pile(items)
    taken = pile.take(9)
    return error_of(student.count([taken]))


def pass_a_part_of_an_argument(student: Any, items: Any) -> Any:
    student.fill(items, 1)
    return student.fill(items[0], 2)


def pass_what_holds_a_part(student: Any, items: Any) -> Any:
    student.fill(items, 1)
    return student.fill([items[0]], 2)


def take_an_item_by_a_result(student: Any, items: Any) -> Any:
    return student.fill(items, 1)[student.count([])]


def unpack_a_number(student: Any, items: Any) -> Any:
    first, second = student.count(items)
    return first, second


REFUSED: list[tuple[Driver, int, str]] = [
    (change_an_argument, 1, r"the driver changes \[\[0\], 1\] after this call"),
    (return_what_no_call_gave, 0, r"the driver returns \[\[0\]\], which no call returned or was given"),
    (return_a_part_of_an_argument, 0, r"the driver returns \[0\], which no call returned or was given"),
    (fail, 2, "the right solution fails: IndexError: pop index out of range"),
    (fail_at_what_is_not_there, 1, "the right solution fails: AttributeError: 'Pile' object has no attribute 'height'"),
    (expect_another_failure, 2, "the right solution fails: IndexError: pop index out of range"),
    (pass_a_part_of_an_argument, 2, r"this is a part of an argument .* take it from left\(student, argument\)"),
    (pass_what_holds_a_part, 2, r"this is a part of an argument .* take it from left\(student, argument\)"),
    (take_an_item_by_a_result, 1, "an item of a result is taken by a constant, and not by "),
    (unpack_a_number, 1, "a driver may unpack a list, a tuple or an array, and the right solution gives 1"),
]


@pytest.mark.parametrize(("driver", "line", "why"), REFUSED, ids=[driver.__name__ for driver, _, _ in REFUSED])
def test_what_a_program_cannot_say_is_refused_with_file_and_line(driver: Driver, line: int, why: str) -> None:
    where = f"^test_driver.py:{driver.__code__.co_firstlineno + line}: "
    with pytest.raises(DriverError, match=where + why):
        trace(driver, [[[0]]], find_in(Right))


def test_a_part_is_taken_from_the_argument_as_it_was_left() -> None:
    def driver(student: Any, items: Any) -> Any:
        student.fill(items, 1)
        return student.fill(left(student, items)[0], 2)

    assert trace(driver, [[[0]]], find_in(Right))[0].returned


def test_a_driver_gives_the_same_program_again_and_leaves_its_arguments() -> None:
    def driver(student: Any, items: Any) -> Any:
        return student.fill(items, 1), items

    items = [0]
    assert trace(driver, [items], find_in(Right)) == trace(driver, [items], find_in(Right))
    assert items == [0]
