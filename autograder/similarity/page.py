"""Page: turns pairs of answers into one HTML page, side by side, that needs neither network nor script.

Every text of a student is escaped by the template engine and cut; a content security policy allows only the page's own
style, by its hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.plain_text import clean_line
from autograder.similarity.similarity import Answer, Compared, Pair
from autograder.templates import open_template, read_inline

SHOWN_PAIRS = 40
SHOWN_LINES = 300  # of one file
_LINE_CHARACTERS = 160
_SHOWN_FILES = 5
_SHOWN_LEFT_OUT = 20
_HERE = Path(__file__).parent

FindTexts = Callable[[str, str], Mapping[str, str]]


@dataclass(frozen=True)
class _File:
    """One file with shared lines: the number and text of each, and whether it is shared.

    `more`: the number of lines that are not shown.
    """

    path: str
    lines: tuple[tuple[int, str, bool], ...]
    more: int


def render_page(
    compared: Compared,
    *,
    title: str,
    titles: Mapping[str, str],
    labels: Mapping[str, str],
    find_texts: FindTexts,
) -> Iterator[str]:
    """Render the page in pieces.

    `titles`: of the questions, by id; `labels`: of the submissions, by name; `find_texts`: returns the texts by path of
    a submission's name and a question's id.
    """
    style, style_hash = read_inline(_HERE / "page.css")
    yield from open_template(_HERE / "page.html.jinja").stream(
        style=style,
        style_hash=style_hash,
        compared=compared,
        pairs=compared.pairs[:SHOWN_PAIRS],
        left_out=compared.left_out[:_SHOWN_LEFT_OUT],
        title=title,
        titles=titles,
        labels=labels,
        show=lambda pair, answer: list(_show_files(pair, answer, find_texts(answer.name, pair.stem))),
    )


def _show_files(pair: Pair, answer: Answer, texts: Mapping[str, str]) -> Iterator[_File]:
    passages = [answer.passages[mark] for mark in pair.shared]
    for path in sorted({passage.path for passage in passages} & texts.keys())[:_SHOWN_FILES]:
        lines = texts[path].split("\n")
        own = (passage for passage in passages if passage.path == path)
        shared = {number for passage in own for number in range(passage.first, passage.last + 1)}
        first = max(0, min(shared) - 4)
        shown = [
            (number, clean_line(text, _LINE_CHARACTERS), number in shared)
            for number, text in enumerate(lines[first : first + SHOWN_LINES], first + 1)
        ]
        yield _File(path, tuple(shown), len(lines) - len(shown))
