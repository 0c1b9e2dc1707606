"""Question page: turns a summary into one page for each question, without the name of any submission.

Such a page can be shown to those who teach the question: its points, its known mistakes, its hardest checks and tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.regression.hard_checks import HardCheck
from autograder.regression.histogram import build_histogram
from autograder.regression.item_analysis import compute_distribution
from autograder.regression.page_style import read_page_style
from autograder.regression.summary import Summary
from autograder.templates import open_template

_HERE = Path(__file__).parent


def render_question_pages(run: Summary, hard: Sequence[HardCheck]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each question."""
    template, page_style = open_template(_HERE / "question.html.jinja"), read_page_style()
    for question in run.questions:
        stem = question.stem
        points = [student.questions.get(stem, 0.0) for student in run.students if student.state == "graded"]
        distribution = compute_distribution(points, question.max_score)
        yield (
            name_question_page(stem),
            template.render(
                run=run,
                question=question,
                distribution=distribution,
                histogram=build_histogram(distribution, question.max_score),
                hard=[each for each in hard if each.item.question == stem],
                diagnoses=[each for each in run.diagnoses if each.question == stem],
                tests=[item for item in run.tests if item.question == stem],
                **page_style,
            ),
        )


def name_question_page(stem: str) -> str:
    """Name the file of a question's page, in the folder of the report."""
    return f"report-{stem}.html"
