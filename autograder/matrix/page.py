"""Page: turns catches into one self-contained HTML file, readable without network, script or colour."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.matrix.catches import QuestionCatches, is_exact
from autograder.matrix.prices import render_price, render_prices
from autograder.matrix.text import LEGEND, list_findings, mark
from autograder.templates import open_template


def render(questions: Sequence[QuestionCatches], *, title: str) -> str:
    """Render the page; every text is escaped."""
    return open_template(Path(__file__).with_name("page.html.jinja")).render(
        questions=questions,
        title=title,
        is_exact=is_exact(questions),
        list_findings=list_findings,
        mark=mark,
        render_price=render_price,
        prices=list(render_prices(questions)),
        legend=LEGEND,
    )
