"""Kind stories: by the id of each general kind, its story for staff, and its fact and its hint for the student.

They stand in three parts, by the points that the kind may keep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Code = Callable[..., Any]


class FoundKind(NamedTuple):
    """A kind of error that calls show. `name`: a quantity, a property or an argument, for the sentence about it.

    `code`: a function that is wrong in this way, None if only a pattern of the calls is known; for a property of their
    arguments `holds` tells where.
    """

    kind: str
    name: str = ""
    code: Code | None = None
    holds: Callable[[tuple[Any, ...]], bool] | None = None


Story = tuple[str, str, str]


def _tell_edit(change: str, hint: str) -> Story:
    """Tell of right code with a change in its text."""
    return f"The right code with {change}.", f"With {change}, the right code gives the same results.", hint


# These say what the value is: the right one with an error at its end, or for an index or a size that is off.
OF_THE_VALUE = {
    "general.sign": (
        "The right value with the other sign.",
        "The right numbers with the other sign give the same results.",
        "Look for a minus that is missing, or one too many.",
    ),
    "general.transposed": (
        "The right array, transposed.",
        "The right array, transposed, gives the same results.",
        "Which axis of your array holds the rows?",
    ),
    "general.outputs_exchanged": (
        "The right outputs in another order.",
        "The right values in another order give the same results.",
        "Compare the order of the values that you return with the one that is asked for.",
    ),
    "general.reordered": (
        "The right numbers in another order inside an array.",
        "Your arrays hold the right numbers in another order.",
        "Compare the order in which you put numbers into an array with the one that is asked for.",
    ),
    "general.log_base": (
        "The right value with a logarithm of another base.",
        "The right numbers with a logarithm of another base give the same results.",
        "Which logarithm is meant by log?",
    ),
    "general.named_factor": (
        "The right value times an argument, or divided by it.",
        "The right numbers {name} give the same results.",
        "How often does your formula need this factor?",
    ),
    "general.sum_for_mean": (
        "The right value times the length of an argument, or divided by it.",
        "The right numbers {name} give the same results.",
        "Is a sum asked for, or a mean?",
    ),
    "general.index_off": (
        "The right value with an index that is one larger or smaller.",
        "The right function with {name} gives the same results.",
        "Does your count begin at 0?",
    ),
    "general.term": (
        "The right value plus or minus an argument.",
        "The right value {name} gives the same results.",
        "Look for a term that is left out, or one too many.",
    ),
    "general.reversed": (
        "The right array with its rows or columns in reverse order.",
        "The right array with its {name} in reverse order gives the same results.",
        "In which order do you go through this axis?",
    ),
    "general.factor_two": (
        "The right value times 2, or half of it.",
        "The right numbers times 2, or half of them, give the same results.",
        "Look for a factor of 2.",
    ),
}
# These keep points only where some test passes: code with an error inside may compute nothing that it is for.
OF_THE_CODE = {
    "general.argument_ignored": (
        "The right value with an argument set to 0.",
        "The right function with {name} set to 0 gives the same results.",
        "Where does your code use this argument?",
    ),
    "general.sign_of_term": _tell_edit(
        "a plus in place of a minus, or the reverse", "Compare the sign of each term with the formula."
    ),
    "general.border": _tell_edit(
        "a comparison that is off at its border", "What should happen where both sides are equal?"
    ),
    "general.bound": _tell_edit(
        "an index or a bound in its code that is off", "Write down the first and the last value that each index takes."
    ),
    "general.assigned": _tell_edit(
        "an assignment in place of an addition", "Which lines have to keep what the variable held before?"
    ),
    "general.related_function": _tell_edit(
        "a mean for a sum, a minimum for a maximum, or the like",
        "Compare each function that you call with the formula.",
    ),
    "general.transposed_factor": _tell_edit(
        "a matrix that is transposed, or not, in one place", "Write down the shape of each factor."
    ),
    "general.operands_exchanged": _tell_edit(
        "two operands or arguments exchanged",
        "In which order do the two sides of each minus, division and product stand?",
    ),
    "general.operand_missing": _tell_edit(
        "a term or a factor left out", "Compare each term and each factor with the formula."
    ),
    "general.operation": _tell_edit(
        "another operation in one place, such as a product for a division", "Compare each operation with the formula."
    ),
    "general.option_missing": _tell_edit(
        "an option left out of a call, such as its axis", "Along which axis should each sum go?"
    ),
    "general.loop": _tell_edit(
        "a loop that leaves out items, or takes them in another order",
        "Write down which items each loop goes through, and in which order.",
    ),
    "general.condition": _tell_edit(
        "a condition reversed or left out", "Go through each condition: which inputs take which way?"
    ),
    "general.step_missing": _tell_edit(
        "a step left out", "Go through the steps of the assignment: which one does your code not make?"
    ),
    "general.constant": _tell_edit(
        "another number in one place", "Compare each number in your code with the assignment."
    ),
    "general.variable": _tell_edit(
        "another variable in one place", "Does each line use the quantity that it is meant to use?"
    ),
}
# These say where values are wrong, that digits are lost, or that samples differ, and not what the values are.
WITHOUT_POINTS = {
    "general.second_draw": (
        "The right value, or one item of it, for what is drawn when the same is done a second time.",
        "The right numbers for samples that are drawn a second time give the same results.",
        "How often does one call draw its samples, or call a function that it is given?",
    ),
    "general.rounded": _tell_edit(
        "numbers that are rounded, cut or made positive on the way",
        "Where does your code change the type, the digits or the sign of its numbers?",
    ),
    "general.wrong_where": (
        "Right values but where an argument has some property.",
        "Your values are right except in the calls in which {name}.",
        "Which lines of your code handle this case?",
    ),
    "general.argument_changed": (
        "Right values, and an argument that is not what it was before the call.",
        "Your values are right, but the call changes {name}, which is its caller's.",
        "Which lines of your code write into an argument in place?",
    ),
    "general.earlier_value": (
        "The right value of an earlier call.",
        "Your values are those that were right for earlier calls.",
        "Look for values that your code keeps from call to call.",
    ),
    "general.after_first_call": (
        "Right values in the first call alone.",
        "Your values are right in the first call of each check and wrong afterwards.",
        "Look for values that your code keeps from call to call.",
    ),
    "general.right_at_times": (
        "Another value for the same arguments.",
        "For the same arguments, your values are right in one call and wrong in another.",
        "Look for values that your code keeps from call to call.",
    ),
}
STORIES: dict[str, Story] = {**OF_THE_VALUE, **OF_THE_CODE, **WITHOUT_POINTS}
