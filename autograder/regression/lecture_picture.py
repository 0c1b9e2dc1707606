"""Lecture picture: turns the known mistakes of a class into a picture for a lecture, as SVG without any name."""

from __future__ import annotations

from pathlib import Path

from autograder.regression.summary import Summary
from autograder.templates import open_template

SHOWN = 10
_LINE_CHARACTERS = 74
_HERE = Path(__file__).parent


def draw_misunderstandings(run: Summary) -> str:
    """Draw a bar for each of the commonest mistakes: the share of the graded submissions that make it."""
    graded = sum(student.state == "graded" for student in run.students)
    titles = {question.stem: question.title for question in run.questions}
    rows = [
        {
            "title": _shorten(f"{titles.get(each.question, each.question)}: {each.diagnosis.replace('_', ' ')}"),
            "story": _shorten(each.story),
            "percent": round(100 * len(each.students) / graded),
            "count": len(each.students),
        }
        for each in run.diagnoses[:SHOWN]
    ]
    template = open_template(_HERE / "misunderstandings.svg.jinja")
    return template.render(rows=rows, title=run.title, graded=graded, height=96 + 62 * max(1, len(rows)))


def _shorten(text: str) -> str:
    first = text.partition("\n")[0]
    return first if len(first) <= _LINE_CHARACTERS else f"{first[: _LINE_CHARACTERS - 1]}…"
