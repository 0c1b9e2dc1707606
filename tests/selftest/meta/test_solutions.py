"""docs/solutions/: the pages are made from the docstrings and have each part of the assignment, formulas typeset."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from autograder.assignment import AnswerKind
from tests.selftest.support.docstring_markdown import read_docstring, wrap_item, write_section
from tests.selftest.support.formula_tex import FormulaError, typeset
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.project_sources import PROJECT, assert_none, read_text
from tests.selftest.support.solutions import COMMAND, ERRATA, FOLDER, list_parts, make_anchor, read_errata, write_pages

PAGES = write_pages()
PARTS = {(question.stem, name) for question in ASSIGNMENT.questions for name in list_parts(question)}
ANSWERS = {answer.key: answer.kind for question in ASSIGNMENT.questions for answer in question.answers}
TEX = {
    "J = -log y_hat[o]": r"J = -\log \hat{y}_{o}",
    "U.T (y_hat - y)": r"U^\top \, (\hat{y} - y)",
    "dJ/dv_c": r"\frac{\partial J}{\partial v_{c}}",
    "d(u_o . v_c)/dv_c": r"\frac{\partial (u_{o} \cdot v_{c})}{\partial v_{c}}",
    "1 / (1 + exp(-x))": r"\frac{1}{1 + \exp(-x)}",
    "(a) / (b)": r"\frac{a}{b}",
    "(a) (b) / c": r"\frac{(a) \, (b)}{c}",
    "exp(s_w) / sum_w' exp(s_w')": r"\frac{\exp(s_{w})}{\sum_{w'} \exp(s_{w'})}",
    "sum_{i=1..t} beta1^(t - i) grad_i": r"\sum_{i = 1}^{t} \beta_{1}^{t - i} \, \mathrm{grad}_{i}",
    "sum_{o in outsideWords} J_o": r"\sum_{o \in \mathrm{outsideWords}} J_{o}",
    "(1/N) sum_n J_n": r"\frac{1}{N} \, \sum_{n} J_{n}",
    "(y_hat - y) W2.T * h": r"(\hat{y} - y) \, W_{2}^\top \odot h",
    "(delta W.T)_nj": r"(\delta \, W^\top)_{nj}",
    "1{z_i > 0} W_ji": r"\mathbf{1}\{z_{i} > 0\} \, W_{ji}",
    "h_{k-1},j + b1_i": r"h_{k - 1,j} + b_{1,i}",
    "outer(y_hat - y, v_c)": r"(\hat{y} - y) \, v_{c}^\top",
    "outer(a, h_{k-1})": r"a \, h_{k - 1}^\top",
    "m_hat / (sqrt(v_hat) + eps)": r"\frac{\hat{m}}{\sqrt{\hat{v}} + \epsilon}",
    "||a x_n|| = a ||x_n||": r"\lVert a \, x_{n} \rVert = a \, \lVert x_{n} \rVert",
    "2^floor((t - 1) / 20000)": r"2^{\lfloor \frac{t - 1}{20000} \rfloor}",
    "E[h_drop,i] = h_i": r"\mathbb{E}[h_{\mathrm{drop},i}] = h_{i}",
    "theta' = theta - learning_rate m'": r"\theta' = \theta - \eta \, m'",
    "t = 1, 2, ...": r"t = 1, 2, \ldots",
}


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


def test_a_formula_becomes_tex() -> None:
    assert_none(
        f"{formula} becomes {typeset(formula)}, not {tex}" for formula, tex in TEX.items() if typeset(formula) != tex
    )


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


def test_a_docstring_is_split_into_paragraphs_and_steps() -> None:
    read = read_docstring(
        "Summary\nof it.\n\nShapes: x (N,).\nDerivation:\n    `a = b`, so\n        more\n    second\nSource: X."
    )
    assert (read.summary, list(read.sections)) == ("Summary of it.", ["Shapes", "Derivation", "Source"])
    written = list(write_section("Derivation", read.sections["Derivation"]))
    assert written == ["**Derivation:**", "", "- $`a = b`$, so more", "- second", ""]
    assert list(write_section("Source", read.sections["Source"])) == ["**Source:** X.", ""]


def test_a_line_that_is_wrapped_does_not_begin_like_a_list() -> None:
    assert wrap_item("x" * 118 + " y") == "- " + "x" * 118 + "\n  y"
    assert wrap_item("x" * 118 + " - y") == "- " + "x" * 118 + " - y"


def read_part(stem: str, name: str) -> str:
    """Return the text of a part, from its heading to the next."""
    return PAGES[f"{stem}.md"].partition(f"## `{name}`\n")[2].partition("\n## ")[0]


def test_the_project_leads_to_the_solutions() -> None:
    for page in ("README.md", "docs/how_it_works.md", "docs/written_answers.md"):
        assert "solutions/README.md)" in (PROJECT / page).read_text(encoding="utf-8")
