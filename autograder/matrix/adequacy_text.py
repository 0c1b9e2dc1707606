"""Adequacy text: turns judged mutants into a table, and the survivors into a list with an input that shows each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from autograder.matrix.adequacy import FunctionAdequacy
from autograder.matrix.adequacy_run import AdequacyReport
from autograder.mutation.mutant import Operator
from autograder.plain_text import count

_HEADINGS = ("", "mutants", "equivalent", "wrong", "caught", "survivors", "excused")
_NOTHING = "no function has a contract: nothing was judged"
_Row = Sequence[str | int]


def render(report: AdequacyReport) -> str:
    """Render the table of all questions, that of the operators of their wrong mutants, and what is to be done."""
    if not report.functions:
        return _NOTHING
    by_stem = {one.stem: [each for each in report.functions if each.stem == one.stem] for one in report.functions}
    groups = [*by_stem.items(), ("all", report.functions)]
    counts = _render_table(_HEADINGS, [_count(name, functions, report) for name, functions in groups])
    headings = ("wrong by operator", *(each.value for each in Operator))
    operators = _render_table(headings, [_count_operators(name, functions) for name, functions in groups])
    return "\n".join([*counts, "", *operators, "", *_render_kinds(report), *_render_findings(report)])


def render_strength(report: AdequacyReport) -> str:
    """Render how many wrong functions lose points, a line for each right one, and those that lose none."""
    caught, wrong = (sum(getattr(one, field) for one in report.functions) for field in ("caught", "wrong"))
    width = max((len(one.function) for one in report.functions), default=0)
    rows = (f"  {one.function.ljust(width)}  {one.caught} of {one.wrong}" for one in report.functions)
    head = f"strength: {caught} of {count(wrong, 'generated wrong function')} lose points"
    return "\n".join([head, *rows, *_list_problems(report)])


def _render_table(headings: _Row, rows: Sequence[_Row]) -> Iterator[str]:
    widths = [max(len(str(row[column])) for row in [headings, *rows]) for column in range(len(headings))]
    for row in [headings, ["-" * width for width in widths], *rows]:
        cells = [
            str(cell).ljust(width) if not column else str(cell).rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "| " + " | ".join(cells) + " |"


def _count_operators(name: str, functions: Sequence[FunctionAdequacy]) -> _Row:
    return (name, *(sum(one.operators[each] for one in functions) for each in Operator))


def _count(name: str, functions: Sequence[FunctionAdequacy], report: AdequacyReport) -> _Row:
    survivors = [each for one in functions for each in one.survivors]
    excused = sum(each.id in report.excuses for each in survivors)
    sums = [sum(getattr(one, field) for one in functions) for field in ("mutants", "equivalent", "wrong", "caught")]
    return (name, *sums, len(survivors) - excused, excused)


def _render_kinds(report: AdequacyReport) -> Iterator[str]:
    """Render the kinds of input that no mutant needs, by function; nothing where they were not asked for."""
    judged = [(one.id, one.kinds) for one in report.functions if one.kinds is not None]
    if not judged:
        return
    redundant = spared = 0
    for name, kinds in judged:
        for group in kinds.redundant_groups:
            yield f"{name}: no mutant survives without the group {group}"
        for kind, calls in kinds.redundant.items():
            yield f"{name}: no mutant survives without {kind.describe()} ({count(calls, 'call')})"
        redundant, spared = redundant + len(kinds.redundant), spared + sum(kinds.redundant.values())
    whole, calls = (sum(map(measure, (kinds.calls for _, kinds in judged))) for measure in (len, Counter.total))
    yield f"{redundant} of {count(whole, 'kind')} are redundant one at a time: {spared} of {count(calls, 'call')}"
    yield ""


def _render_findings(report: AdequacyReport) -> Iterator[str]:
    yield from _list_problems(report)
    problems = len(report.survivors) + len(report.misjudged) + len(report.needless)
    yield "no survivors but those that are excused" if report.is_adequate else f"{problems} problems"


def _list_problems(report: AdequacyReport) -> Iterator[str]:
    for survivor in report.survivors:
        yield f"{survivor.id}\n    passes every hidden test, and is wrong for {survivor.case}"
    for name in report.misjudged:
        yield f"{name}\n    fails a hidden test, and is right in every case of the contract"
    for name in report.needless:
        yield f"{name}\n    is excused, and does not survive"
