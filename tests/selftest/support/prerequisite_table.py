"""Prerequisite table: grades right submissions in which one function is wrong, and writes what that costs.

Started as a program it writes the table into docs/prerequisites.md: python -m tests.selftest.support.prerequisite_table
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from autograder.grading.collection import collect_hidden_tests
from autograder.results import CheckResult, Verdict
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, checks_of, reference_text
from tests.selftest.support.replayed_submission import REFERENCES

PAGE = PROJECT / "docs" / "prerequisites.md"
BEGIN = "<!-- made by python -m tests.selftest.support.prerequisite_table -->"
END = "<!-- end of the made part -->"
WAYS = {  # how a function can be wrong; {name} is its name, {owner} and {last} its parts
    "not written": "def _wrong(*_, **__): raise NotImplementedError\n{name} = _wrong",
    "raises": "def _wrong(*_, **__): raise KeyError('mine')\n{name} = _wrong",
    "returns None": "def _wrong(*_, **__): pass\n{name} = _wrong",
    "takes no arguments": "def _wrong(): return 0\n{name} = _wrong",
    "ends the process": "import os\ndef _wrong(*_, **__): os._exit(0)\n{name} = _wrong",
    "is missing": "del {name}",
}


class Price(NamedTuple):
    """The cost of one wrong function: points lost in its own checks, and by function those lost in others.

    `helped`: the functions of which some check passed with the grader's version of the wrong one.
    """

    stem: str
    function: str
    own: float
    others: dict[str, float]
    helped: tuple[str, ...]


def list_functions() -> list[tuple[str, str]]:
    """Return the question and the name of each function with tests of its own that later functions may rely on."""
    tests = collect_hidden_tests(ASSIGNMENT, stems=ASSIGNMENT.stems)
    tested = {(each.test.stem, name) for each in tests for name in each.test.functions}
    return [
        (question.stem, function.name)
        for question in ASSIGNMENT.questions
        if not question.answers
        for function in question.functions[:-1]
        if (question.stem, function.name) in tested
    ]


def measure(stem: str, function: str, way: str) -> Price:
    """Grade the right solution of a question with one function that is wrong in one of the `WAYS`."""
    is_class = isinstance(getattr(REFERENCES[stem], function, None), type)
    name = f"{function}.__init__" if is_class and way != "is missing" else function
    checks = checks_of(stem, f"{reference_text(stem)}\n\n{WAYS[way].format(name=name)}\n").values()
    lost: Counter[str] = Counter()
    for check in checks:
        if check.verdict is not Verdict.PASSED:
            lost.update(dict.fromkeys(check.functions, check.points - (check.score or 0.0)))
    own = lost.pop(function, 0.0)
    others = {each: points for each, points in lost.items() if not (is_class and each.startswith(f"{function}."))}
    return Price(stem, function, own, others, tuple(_list_helped(checks, function)))


def _list_helped(checks: Collection[CheckResult], function: str) -> Iterator[str]:
    names = {function, function.partition(".")[0]}
    yield from dict.fromkeys(name for each in checks if names.intersection(each.replaced) for name in each.functions)


def write_table() -> str:
    """Write the table: each function that raises an error, the functions that call it, and the points it costs."""
    lines = ["| question | wrong function | functions that call it | points lost in its own checks | elsewhere |"]
    lines.append("|---|---|---|---|---|")
    for stem, function in list_functions():
        price = measure(stem, function, "raises")
        helped = ", ".join(f"`{name}`" for name in price.helped) or "none"
        elsewhere = sum(price.others.values())
        lines.append(f"| {stem} | `{function}` | {helped} | {price.own:g} | {elsewhere:g} |")
    return "\n".join(lines)


def update(page: str) -> str:
    """Return the page with a new table."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{write_table()}\n\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(update(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
