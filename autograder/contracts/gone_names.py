"""Gone names: turns what a hidden test once imported or gave to a contract into a sentence on what to write now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from autograder import UserError

_OF_CLASSES = "and is gone: write Contract(Class.method, ..., driver=function, cases=...)"
_OF_SOURCES = "and is gone: write make_toy(function)"
_TO_CASES = "and is gone: write cases=[Given(arguments, words"
_TO_RIGHT = "and is gone: write right="
_GONE: Mapping[str, str] = {
    "Action": f"Action described a method for ObjectContract, {_OF_CLASSES}",
    "CallbackSource": f"CallbackSource was the source of a callback, {_OF_SOURCES}",
    "ObjectContract": f"ObjectContract was the contract of a class, {_OF_CLASSES}",
    "Repeated": f"Repeated described a method for ObjectContract, {_OF_CLASSES}",
    "ServedObject": f"ServedObject was an object of the grader with methods, {_OF_SOURCES}",
    "made_by": "made_by named the contract of what makes a cache, and is gone: write a driver= that calls both",
    "accepts": f"accepts named other right functions, {_TO_RIGHT}{{words: InAllCases(function)}}",
    "also": f"also gave cases by their words, {_TO_CASES})]",
    "avoids_jumps": "avoids_jumps left out cases at ties and kinks, and is gone: "
    "write cases=[Where(JUMPS, group=LEFT_OUT)]",
    "gradient_of": "gradient_of named the contract of a loss, and is gone: "
    "write gradient=Slopes({part: argument}, of=driver)",
    "Point": "Point was the arrays that a loss depends on, and is gone: write gradient_check.list_moved(array)",
    "gradients": "gradients said which part is the gradient by which argument, and is gone: "
    "write gradient={part: argument}",
    "marks": "marks gave words to cases by a condition, and is gone: write cases=[Where(condition, words)]",
    "nearest": f"nearest named functions that return the nearest right value, {_TO_RIGHT}{{part: function}}",
    "own_gradient": "own_gradient was the row of gradients beside the slopes of the own loss, and is gone: "
    'write gradient_check=("1.2", 1.5, "the gradient of your own loss")',
    "part_shares": "part_shares said what parts are worth, and is gone: write shares=",
    "predicate": f"predicate named functions that say what is wrong, {_TO_RIGHT}{{part: function}}",
    "read_callback_source": f"read_callback_source read the source of a callback, {_OF_SOURCES}",
    "robust_cases": f"robust_cases gave cases of robustness by their words, {_TO_CASES}, ROBUST)]",
    "robust_share": "robust_share said what robustness is worth, and is gone: write shares={ROBUST: 0.1}",
    "stable_in": "stable_in named arguments with huge entries, and is gone: write stable=[argument]",
    "unjudged": f"unjudged named parts that are not looked at in a case, {_TO_CASES}, unjudged=[part])], "
    "or stable={argument: [the parts that are judged]}",
}


def refuse_gone(names: Iterable[str]) -> None:
    """Raise UserError for the first name that is gone."""
    for name in names:
        if name in _GONE:
            raise UserError(f"{_GONE[name]}; see docs/contracts.md")
