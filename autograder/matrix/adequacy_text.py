"""Adequacy text: turns judged mutants into tables for the terminal, and into a list of those that need a look."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from autograder.matrix.adequacy import AdequacyReport
from autograder.matrix.function_judge import JudgedMutant
from autograder.plain_text import count

_HEADINGS = ("", "mutants", "equivalent", "wrong", "caught", "survivors", "excused")
_NOTHING = "no function has a contract: nothing was judged"
_Row = Sequence[str | int]


def render_adequacy(report: AdequacyReport) -> str:
    """Render the table of all questions, and what is to be done."""
    if not report.functions:
        return _NOTHING
    by_stem: dict[str, list[JudgedMutant]] = {}
    for one in report.functions:
        by_stem.setdefault(one.stem, []).extend(one.mutants)
    groups = [*by_stem.items(), ("all", list(chain.from_iterable(by_stem.values())))]
    counts = _render_table(_HEADINGS, [_count(*group, report.excuses) for group in groups])
    problems = _list_problems(report)
    verdict = f"{len(problems)} problems" if problems else "no survivors but those that are excused"
    return "\n".join([*counts, "", *problems, verdict])


def render_strength(report: AdequacyReport) -> str:
    """Render how many wrong functions lose points, a line for each right one, and those that lose none.

    They are wrong where they differ from the right ones: whether these are what is asked for, nothing here can say.
    """
    caught = sum(len(one.caught) for one in report.functions)
    wrong = sum(len(one.wrong) for one in report.functions)
    width = max((len(one.function) for one in report.functions), default=0)
    rows = (f"  {one.function.ljust(width)}  {len(one.caught)} of {len(one.wrong)}" for one in report.functions)
    judged = f"{caught} of {count(wrong, 'generated wrong function')} lose points"
    head = f"agrees with your solution on the drawn inputs: {judged}"
    return "\n".join([head, *rows, *_list_problems(report)])


def _render_table(headings: _Row, rows: Sequence[_Row]) -> Iterator[str]:
    columns = zip(headings, *rows, strict=True)
    widths = [max(map(len, map(str, column))) for column in columns]
    for row in [headings, ["-" * width for width in widths], *rows]:
        first, *others = zip(row, widths, strict=True)
        cells = [str(first[0]).ljust(first[1]), *(str(cell).rjust(width) for cell, width in others)]
        yield "| " + " | ".join(cells) + " |"


def _count(name: str, mutants: Sequence[JudgedMutant], excuses: Collection[str]) -> _Row:
    wrong = [each for each in mutants if each.is_wrong]
    survivors = [each for each in wrong if not each.is_caught]
    excused = sum(each.id in excuses for each in survivors)
    caught, equivalent = len(wrong) - len(survivors), len(mutants) - len(wrong)
    return (name, len(mutants), equivalent, len(wrong), caught, len(survivors) - excused, excused)


def _list_problems(report: AdequacyReport) -> list[str]:
    return [f"{name}\n    {words}" for name, words in report.problems]
