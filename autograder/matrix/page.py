"""Page: turns catches into one HTML file that needs nothing else: no network, no script, no colour."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import jinja2

from autograder.matrix.catches import QuestionCatches, is_exact
from autograder.matrix.text import LEGEND, findings, mark


def render(questions: Sequence[QuestionCatches], *, title: str) -> str:
    """The page; every text is escaped."""
    folder = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=folder, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html.jinja").render(
        questions=questions, title=title, is_exact=is_exact(questions), findings=findings, mark=mark, legend=LEGEND
    )
