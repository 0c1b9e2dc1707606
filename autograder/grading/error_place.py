"""Error place: turns an exception of a function into a place in the assignment's terms, and finds refusals of tests.

The place is the same however the code is written: helpers, comprehensions and lines count for nothing. It is another
function of the assignment, which the function under test has called, or empty: the function under test itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from autograder.grading.material import Material
from autograder.sandbox.host.exports import Exports
from autograder.sandbox.protocol.outcome import CallFailed, OutcomeKind


def locate_error(error: CallFailed, material: Material, tested: Collection[str], exports: Exports) -> None:
    """Add to an exception of student code its place, and the refusal of a test's function that caused it, if any.

    `tested`: the functions under test. `exports`: the functions that the test gave.
    """
    outcome = error.outcome
    if outcome.kind is not OutcomeKind.RAISED:
        return
    classes = material.classes
    names = [each.name for each in material.question.functions if each.name not in tested]
    places = {get_code_name(material.find_spelling(name), classes): get_code_name(name, classes) for name in names}
    place = find_place([frame.function for frame in outcome.frames], places)
    refusal = find_refusal(outcome.error_type, outcome.message, exports.refusals)
    error.outcome = replace(outcome, place=place, refusal=refusal)


def find_place(called: Sequence[str], places: Mapping[str, str]) -> str:
    """Return the place of the innermost function called that has one; `called`: names of code, innermost last."""
    return next((places[name] for name in reversed(called) if name in places), "")


def find_refusal(error_type: str, message: str, refusals: Mapping[str, str]) -> str:
    """Return the constant of a refusal if that is the exception; refusals reach student code as a ValueError."""
    return refusals.get(message, "") if error_type == "ValueError" else ""


def get_code_name(name: str, classes: Collection[str]) -> str:
    """Return the name that tracebacks show for a function, a method or, for the name of a class, its constructor."""
    return "__init__" if name in classes else name.rpartition(".")[2]
