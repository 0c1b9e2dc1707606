"""docs/solutions/errata.md: each statement of an older sheet is refuted by its block of Python, which is run here."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.selftest.support.grading import PROJECT

pytestmark = pytest.mark.content

PAGE = (PROJECT / "docs" / "solutions" / "errata.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*)\n((?:(?!^## ).*\n)*)", PAGE, re.MULTILINE))
CLOSE = {"rtol": 1e-6, "atol": 1e-8}  # of central differences with a step of 1e-6
DEFINITELY = 0.01  # a statement that is less wrong than this would be a rounding error


def read_block(section: str) -> str:
    """Return the one block of Python of a section."""
    (block,) = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return block


def test_the_statements_that_students_quote_are_there():
    assert len(SECTIONS) >= 7
    assert all(re.match(r'\nConcerns [`\[](?:.|\n)*?\n\n> "', section) for section in SECTIONS.values())


@pytest.mark.parametrize("title", SECTIONS)
def test_the_statement_is_wrong_and_its_correction_right(title):
    block, names = read_block(SECTIONS[title]), {}
    exec(compile(block, "errata.md", "exec"), names)
    measured, claimed, right = (np.asarray(names[name], dtype=float) for name in ("measured", "claimed", "right"))
    np.testing.assert_allclose(right, measured, **CLOSE)
    assert np.abs(claimed - measured).max() > DEFINITELY
    computed = dict(re.findall(r"^(measured|claimed|right) = (.*)$", block, re.MULTILINE))
    assert len(set(computed.values())) == 3  # each apart from the others
