r"""Docstring Markdown: turns a docstring of the reference into Markdown with typeset formulas.

A docstring is a summary and sections, such as `Formula:`. Text beside a section's name is a paragraph; otherwise each
line below it is a step, and a line that is indented further continues the step before it. In `Formula` and `Derivation`
a formula stands between backticks, in the notation of `formula_tex`. It becomes $`...`$ or a block ```math; the hosting
services show both as mathematics, and leave signs such as _ and \, in them alone.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from tests.selftest.support.formula_tex import typeset

WIDTH = 120
SECTIONS = ("Attributes", "Shapes", "Formula", "Derivation", "Numerics", "Raises", "Source", "Rubric", "Deductions")
TYPESET = ("Formula", "Derivation")
TITLES = {"Deductions": "What a rubric takes off", "Rubric": "What a full answer contains"}
_HEADING = re.compile(rf"^({'|'.join(SECTIONS)}):[ \n]", re.MULTILINE)
_FORMULAS = re.compile(r"(`[^`]+`[;,]?\s*)+")
_SPACE = "\0"  # inside of a formula, where no line ends


class Docstring(NamedTuple):
    """The text before the first section, and the text of each section."""

    summary: str
    sections: dict[str, str]


def read_docstring(text: str) -> Docstring:
    """Split a docstring, as `inspect.getdoc` returns it, into its sections."""
    summary, *rest = _HEADING.split(text + "\n")
    return Docstring(" ".join(summary.split()), dict(zip(rest[::2], rest[1::2], strict=True)))


def write_section(name: str, text: str) -> Iterator[str]:
    """Yield the lines of a section."""
    title = f"**{TITLES.get(name, name)}:**"
    if name == "Formula" and _FORMULAS.fullmatch(text.strip() + " "):
        yield from (title, "", *_write_display(re.findall(r"`([^`]+)`", text)), "")
        return
    write = write_formulas if name in TYPESET else escape_prose
    steps = list_steps(text) if text[:1].isspace() or name not in TYPESET else []
    if len(steps) > 1 or (steps and text.startswith("    ")):
        yield from (title, "", *(wrap_item(write(step)) for step in steps), "")
    else:
        yield from (wrap(f"{title} {write(' '.join(text.split()))}"), "")


def list_steps(text: str) -> list[str]:
    """List the steps of a section; none if it is a paragraph."""
    if not text.startswith("    "):
        return []
    steps = re.split(r"\n {4}(?! )", "\n" + text.rstrip())[1:]
    return [" ".join(step.split()) for step in steps]


def write_formulas(text: str) -> str:
    """Typeset what stands between backticks, and escape the rest."""
    parts = text.split("`")
    return "".join(f"$`{typeset(part)}`$" if odd % 2 else escape_prose(part) for odd, part in enumerate(parts))


def escape_prose(text: str) -> str:
    """Escape the signs that would be Markdown."""
    return re.sub(r"(?<!\w)_|_(?!\w)|[*<|]", lambda sign: f"\\{sign[0]}", text)


def wrap(text: str) -> str:
    """Wrap a paragraph; no line ends in a formula, and none begins like a list."""
    return _fill(text, "", "")


def wrap_item(text: str) -> str:
    """Wrap an item of a list."""
    return _fill(text, "- ", "  ")


def _fill(text: str, first: str, others: str) -> str:
    kept = re.sub(r"\$`.*?`\$|`.*?`", lambda span: span[0].replace(" ", _SPACE), text)
    filled = textwrap.fill(
        kept, WIDTH, initial_indent=first, subsequent_indent=others, break_long_words=False, break_on_hyphens=False
    )
    return re.sub(r"\n *([-+#>]|\d+[.)]) ", r" \1 ", filled).replace(_SPACE, " ")


def _write_display(formulas: list[str]) -> Iterator[str]:
    yield "```math"
    if len(formulas) == 1:
        yield typeset(formulas[0])
    else:
        yield r"\begin{gathered}"
        yield " \\\\\n".join(map(typeset, formulas))
        yield r"\end{gathered}"
    yield "```"
