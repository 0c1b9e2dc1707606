"""Adequacy text: turns judged mutants into a table, and the survivors into a list with an input that shows each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.matrix.adequacy import FunctionAdequacy
from autograder.matrix.adequacy_run import AdequacyReport

_HEADINGS = ("", "mutants", "equivalent", "wrong", "caught", "survivors", "excused")


def render(report: AdequacyReport) -> str:
    """Render the table of all questions, and what is to be done."""
    return "\n".join([*_render_table(report), "", *_render_findings(report)])


def _render_table(report: AdequacyReport) -> Iterator[str]:
    stems = list(dict.fromkeys(one.stem for one in report.functions))
    rows = [_count(stem, [one for one in report.functions if one.stem == stem], report) for stem in stems]
    rows.append(_count("all", report.functions, report))
    widths = [max(len(str(row[column])) for row in [_HEADINGS, *rows]) for column in range(len(_HEADINGS))]
    for row in [_HEADINGS, ["-" * width for width in widths], *rows]:
        cells = [
            str(cell).ljust(width) if not column else str(cell).rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "| " + " | ".join(cells) + " |"


def _count(name: str, functions: Sequence[FunctionAdequacy], report: AdequacyReport) -> tuple[str | int, ...]:
    survivors = [each for one in functions for each in one.survivors]
    excused = sum(each.id in report.excuses for each in survivors)
    sums = [sum(getattr(one, field) for one in functions) for field in ("mutants", "equivalent", "wrong", "caught")]
    return (name, *sums, len(survivors) - excused, excused)


def _render_findings(report: AdequacyReport) -> Iterator[str]:
    for survivor in report.survivors:
        yield f"{survivor.id}\n    passes every hidden test, and is wrong for {survivor.case}"
    for name in report.misjudged:
        yield f"{name}\n    fails a hidden test, and is right in every case of the contract"
    for name in report.needless:
        yield f"{name}\n    is excused, and does not survive"
    problems = len(report.survivors) + len(report.misjudged) + len(report.needless)
    yield "no survivors but those that are excused" if report.is_adequate else f"{problems} problems"
