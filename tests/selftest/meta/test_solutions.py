"""docs/solutions/: the pages are made from the docstrings and have each part of the assignment, formulas typeset."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from autograder.assignment import AnswerKind
from tests.selftest.support.docstring_markdown import wrap_item
from tests.selftest.support.formula_tex import FormulaError, typeset
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.project_sources import PROJECT, assert_none, read_text
from tests.selftest.support.solutions import COMMAND, ERRATA, FOLDER, list_parts, make_anchor, read_errata, write_pages

PAGES = write_pages()
PARTS = {(question.stem, name) for question in ASSIGNMENT.questions for name in list_parts(question)}
ANSWERS = {answer.key: answer.kind for question in ASSIGNMENT.questions for answer in question.answers}


def test_a_page_is_the_generated_one() -> None:
    others = [name for name, page in PAGES.items() if not (FOLDER / name).exists() or read_text(FOLDER / name) != page]
    assert_none(f"generate {name} again: {COMMAND}" for name in others)


def test_no_page_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {*PAGES, ERRATA.name}


def test_every_part_has_an_anchor_of_its_own_and_the_index_leads_to_it() -> None:
    anchors = {(stem, name): make_anchor(name) for stem, name in sorted(PARTS)}
    headings = {stem: re.findall(r"^## `(.*)`$", PAGES[f"{stem}.md"], re.MULTILINE) for stem in ASSIGNMENT.stems}
    found = {stem: list(map(make_anchor, each)) for stem, each in headings.items()}
    links = [f"[`{name}`]({stem}.md#{anchor})" for (stem, name), anchor in anchors.items()]
    counts = {f"{stem}.{name}": found[stem].count(anchor) for (stem, name), anchor in anchors.items()}
    wrong = [f"{part} has {count} anchors" for part, count in counts.items() if count != 1]
    assert_none([*wrong, *(f"{link} is not in the index" for link in links if link not in PAGES["README.md"])])
    assert {stem: len(headings) for stem, headings in found.items()} == Counter(stem for stem, _ in PARTS)


TEXTS = [("written_answers", key) for key, kind in ANSWERS.items() if kind is AnswerKind.TEXT]
COMPARED = [("written_answers", key) for key, kind in ANSWERS.items() if kind is not AnswerKind.TEXT]


@pytest.mark.parametrize(
    ("parts", "patterns"),
    [
        (sorted(PARTS - {("parser_transitions", "PartialParse")}), (r"\*\*Formula:\*\*", r"\*\*Derivation:\*\*")),
        (
            TEXTS,
            (
                r"\*\*What a full answer contains:\*\*\n\n- 1 point: ",
                r"\*\*What a rubric takes off:\*\*\n\n- (1 point|nothing) off: ",
                r"by hand \(10\.",
            ),
        ),
        (
            COMPARED,
            (
                r"\*\*Answer(:\*\* `|\*\*, one of several:)",
                r"\*\*Points:\*\* \d+ \(10\.\d+, (visible|hidden at first)\)",
                r"\*\*Wrong answers that (get no|lose) points:\*\*\n\n- ",
            ),
        ),
    ],
    ids=["every part", "a text", "an answer that is compared"],
)
def test_a_part_has_what_it_should(parts: list[tuple[str, str]], patterns: Sequence[str]) -> None:
    missing = [(part, each) for part in parts for each in patterns if not re.search(each, read_part(*part))]
    assert_none(f"{stem}.{name} has no match of {each}" for (stem, name), each in missing)


def test_an_erratum_and_the_parts_that_it_concerns_lead_to_each_other() -> None:
    anchors = {f"{stem}#{make_anchor(name)}" for stem, name in PARTS}
    assert all(links and set(links) <= anchors for links in read_errata().values())
    section = read_part("written_answers", "word2vec.zero_gradient")
    assert "(errata.md#the-gradient-of-v_c-is-zero-only-where-y_hat--y)" in section


def test_no_line_ends_in_a_formula_and_no_display_stays_open() -> None:
    lines = [line for page in PAGES.values() for line in page.splitlines()]
    assert [line for line in lines if line.count("$`") != line.count("`$")] == []
    assert [page for page in PAGES.values() if page.count("```") % 2] == []


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("the loss", "'the' is no name of the notation"),
        ("a +", "is not a formula from '' on"),
        ("(a + b", "is not a formula from '' on"),
        ("a)", "is not a formula from"),
        ("grad_h_drop", "is not a formula from '_drop' on"),
        ("a & b", "is not a formula from ' & b' on"),
        ("", "is not a formula from '' on"),
    ],
)
def test_what_is_no_formula_is_refused(formula: str, reason: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(reason)):
        typeset(formula)


def test_a_line_that_is_wrapped_does_not_begin_like_a_list() -> None:
    assert wrap_item("x" * 118 + " y") == "- " + "x" * 118 + "\n  y"
    assert wrap_item("x" * 118 + " - y") == "- " + "x" * 118 + " - y"


def read_part(stem: str, name: str) -> str:
    """Return the text of a part, from its heading to the next."""
    return PAGES[f"{stem}.md"].partition(f"## `{name}`\n")[2].partition("\n## ")[0]


def test_the_project_leads_to_the_solutions() -> None:
    for page in ("README.md", "docs/how_it_works.md", "docs/written_answers.md"):
        assert "solutions/README.md)" in (PROJECT / page).read_text(encoding="utf-8")
