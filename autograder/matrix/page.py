"""Page: turns catches into one HTML file that needs nothing else: no network, no script, no colour."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.matrix.catches import QuestionCatches, is_exact
from autograder.matrix.text import LEGEND, findings, mark
from autograder.templates import open_template


def render(questions: Sequence[QuestionCatches], *, title: str) -> str:
    """The page; every text is escaped."""
    return open_template(Path(__file__).with_name("page.html.jinja")).render(
        questions=questions, title=title, is_exact=is_exact(questions), findings=findings, mark=mark, legend=LEGEND
    )
