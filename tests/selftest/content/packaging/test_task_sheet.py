"""The task sheet of the course: it gives the formulas that are listed here and no other, and its examples are right."""

import ast
import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.grading.collection import collect_hidden_tests
from autograder.packaging.handout import pack_handout
from autograder.packaging.task_sheet import MARKDOWN, PAGE
from autograder.results import Visibility
from tests.selftest.support.browser import open_installed_browser
from tests.selftest.support.grading import ASSIGNMENT, PROJECT

pytestmark = [pytest.mark.content, pytest.mark.once]

TEMPLATES = PROJECT / "student_template"
TASKS = {path.stem: path.read_text(encoding="utf-8") for path in (TEMPLATES / "tasks").glob("*.md")}
REFERENCES = sorted((PROJECT / "reference").glob("*.py"))

# By question, the formulas that the sheet gives: what defines losses, updates and transitions. All others of the
# reference are what students derive.
GIVEN = {
    "word2vec": [
        r"\frac{1}{1 + e^{-x}}",
        r"\frac{\exp(u_o \cdot v_c)}{\sum_{w=0}^{V-1} \exp(u_w \cdot v_c)}",
        r"-\log \hat{y}_o",
        r"-\log \sigma(u_o \cdot v_c) - \sum_{k=1}^{K} \log \sigma(-u_{w_k} \cdot v_c)",
        r"J(v_c, o, U)",
    ],
    "sgd": [r"x - \eta\, g"],
    "normalization": [r"\frac{x_n}{\lVert x_n \rVert}"],
    "adam": [
        r"\beta_1 m + (1 - \beta_1)\, g",
        r"\beta_2 v + (1 - \beta_2)\, g^2",
        r"\theta - \alpha\, m",
        r"\theta - \alpha\, \frac{m}{\sqrt{v}}",
        r"\alpha\, \frac{m}{\sqrt{v}}",
        r"\frac{m}{1 - \beta_1^t}",
        r"\frac{v}{1 - \beta_2^t}",
        r"\theta - \alpha\, \frac{\hat{m}}{\sqrt{\hat{v}} + \varepsilon}",
    ],
    "dropout": [r"\gamma\, d \circ h"],
    "parser_transitions": [],
    "parser_network": [
        r"x W + b_1",
        r"h U + b_2",
        r"\max(z, 0)",
        r"\frac{\exp(l_{nc})}{\sum_{k} \exp(l_{nk})}",
        r"\frac{1}{N} \sum_{n} -\log \hat{y}_{n, \text{label}_n}",
    ],
    "output_layer": [r"W_\ell h_{\ell-1} + b_\ell", r"-\log \hat{y}_{\text{label}}"],
    "q1c_neural": [r"x W_1 + b_1", r"h W_2 + b_2"],
    "written_answers": [],
}
# What students derive, as a sheet could give it away.
SECRET = [
    r"$U^\top (\hat{y} - y)$",
    "`U.T @ (y_hat - y)`",
    r"$(\hat{y}_o - 1)\, v_c$",
    r"$\hat{y}_w v_c$",
    r"$(\hat{y} - y)\, v_c^\top$",
    r"$\gamma = \frac{1}{1 - p_{\text{drop}}}$",
    "gamma is 1 / (1 - p_drop) here",
    "$2n$",
    r"$1\{z_i > 0\} W_{ji}$",
    r"$\hat{y}_i - y_i$",
    r"$-\frac{e}{\hat{y}_{\text{label}}}$",
    r"$-(e - \hat{y})$",
    r"$((\hat{y} - y) W_2^\top \circ h \circ (1 - h)) W_1^\top$",
    r"$\sigma'(z) = s (1 - s)$",
    r"$\frac{\hat{y} - y}{N}$",
    "`np.diag(y_hat) - np.outer(y_hat, y_hat)`",
    "`dropout_scale(p_drop) * mask * grad_h_drop`",
    r"$h^\top \delta$",
]

_SPELLINGS = [
    (r"\\hat\{?(\w)\}?", r"\1_hat"),
    (r"\\(?:text|operatorname)\{([^{}]*)\}", r"\1"),
    (r"e\^\{([^{}]*)\}", r"exp(\1)"),
    (r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)"),
    (r"\\sum_\{?(\w)(?:=[^{}]*)?\}?(?:\^\{?[^{}]*\}|\^\w)?", r"sum_\1 "),
    (r"\\frac(\d)(\d)", r"(\1)/(\2)"),
    (r"\\frac\{((?:[^{}]|\{[^{}]*\})*)\}\{((?:[^{}]|\{[^{}]*\})*)\}", r"(\1)/(\2)"),
    (r"\\sigma|\bsigma\b", "sigmoid"),
    (r"\blearning_rate\b", "alpha"),
    (r"\bgrad\b", "g"),
    (r"\bmask\b", "d"),
    (r"\\varepsilon", "eps"),
    (r"\*\*", "^"),
    (r"\^?\\top|\.T\b", "T"),
    (r"\\[lr]Vert", "||"),
    (r"\\(?:cdot|circ|quad|qquad|left|right|odot|[,;:!{}])", ""),
    (r"\bnp\.", ""),
    (r"[\s{}()\[\]_*@.,'`$\\&]", ""),  # brackets, signs of products, and what is typography
]
_SPAN = re.compile(r"\$\$[^$]*\$\$|\$[^$]+\$|(?:>>>|\.\.\.) .*|`[^`\n]+`")
_LEAST, _LEAST_IN_PROSE = 2, 8  # characters of a formula that is looked for; prose has "2 n" and the like by chance
_OPERATION = re.compile(r"[-+/*@^<>|]|\.T|\w \w")
_FILE = re.compile(r"\w+\.(?:py|toml|md|html)")


def normalize(text: str) -> str:
    """Return a formula of TeX, numpy or the reference's docstrings without what differs between them."""
    for pattern, spelling in _SPELLINGS:
        text = re.sub(pattern, spelling, text)
    return text


def take_value(formula: str) -> str:
    """Return the right side of an equation; nothing for one that has no operation."""
    value = re.split(r"(?<![<>=!])=(?!=)", formula)[-1].strip()
    return normalize(value) if _OPERATION.search(value) else ""


def list_secrets() -> set[str]:
    """List the formulas of the reference: those of docstrings, and the values of its lines of code."""
    found: set[str] = set()
    for path in REFERENCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found |= set(map(take_value, list_formulas(node)))
    said = {normalize(each) for formulas in GIVEN.values() for each in formulas}
    return {each for each in found - said if len(each) >= _LEAST}


def list_formulas(function: ast.FunctionDef) -> Iterator[str]:
    _, _, text = (ast.get_docstring(function) or "").partition("Formula:")
    yield from re.findall(r"`([^`]+)`", text.partition("Derivation:")[0])
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, (ast.BinOp, ast.UnaryOp, ast.Call)):
            yield ast.unparse(node.value)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
            yield ast.unparse(node.value)


def find_secrets(text: str, secrets: set[str]) -> set[str]:
    """Find the formulas that a text of the sheet gives, in its formulas, its code and its sentences."""
    text = _FILE.sub("", text)
    spans = list(map(normalize, _SPAN.findall(text)))
    prose = [normalize(line) for line in text.splitlines()]
    found = set()
    for secret in secrets:
        places = [*spans, *prose] if len(secret) >= _LEAST_IN_PROSE else spans
        found |= {secret for place in places if secret in place}
    return found


@pytest.fixture(scope="module")
def sheet() -> dict[str, str]:
    files = pack_handout(ASSIGNMENT).files
    return {name: files[name].decode() for name in (MARKDOWN, PAGE)}


def test_each_question_has_a_text_an_example_and_a_list_of_given_formulas() -> None:
    assert set(TASKS) == set(GIVEN) == set(ASSIGNMENT.question_ids)
    assert [question_id for question_id, text in TASKS.items() if "### An example by hand\n" not in text] == []


@pytest.mark.parametrize("question_id", GIVEN)
def test_what_the_list_names_is_given(question_id: str) -> None:
    spans = list(map(normalize, _SPAN.findall(TASKS[question_id])))
    missing = [each for each in GIVEN[question_id] if not any(normalize(each) in span for span in spans)]
    assert missing == []


def test_no_other_formula_of_the_reference_is_given(sheet: dict[str, str]) -> None:
    secrets = list_secrets()
    assert len(secrets) > 80
    assert find_secrets(sheet[MARKDOWN], secrets) == set()


def test_no_template_gives_one_either() -> None:
    templates = [path for path in TEMPLATES.iterdir() if path.suffix in (".py", ".toml", ".md")]
    assert len(templates) > len(ASSIGNMENT.question_ids)
    found = {path.name: find_secrets(path.read_text(encoding="utf-8"), list_secrets()) for path in templates}
    assert {name: secrets for name, secrets in found.items() if secrets} == {}


@pytest.mark.parametrize("told", SECRET)
def test_a_formula_that_gives_a_derivation_away_would_be_found(told: str) -> None:
    assert find_secrets(f"The answer is {told}, which is short.", list_secrets())


@pytest.mark.parametrize("question_id", [question_id for question_id in GIVEN if question_id != "written_answers"])
def test_the_numbers_of_an_example_are_those_of_the_right_solution(question_id: str) -> None:
    text = TASKS[question_id].replace(f">>> from {question_id} import", f">>> from reference.{question_id} import")
    example = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, question_id, None, None)
    assert len(example.examples) > 2
    report: list[str] = []
    doctest.DocTestRunner().run(example, out=report.append)
    assert report == []


def test_points_and_titles_are_those_of_the_assignment(sheet: dict[str, str]) -> None:
    text = sheet[MARKDOWN]
    for number, question in enumerate(ASSIGNMENT.questions, 1):
        assert f"\n## {number}. {question.title}\n" in text
        by_hand = sum(each.points_by_hand for each in question.texts)
        more = f", and {by_hand:g} graded by hand" if by_hand else ""
        assert f"\nFile `{question.files[0]}`, {question.points:g} points{more}.\n" in text
        assert re.search(r"\bpoints?\b", TASKS[question.question_id]) is None or question.answers
    tests = [each.test for each in collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids)]
    later = [test for test in tests if test.visibility is not Visibility.VISIBLE]
    assert len(later) > 30
    assert [test.title for test in later if test.title.partition(": ")[2] in text] == []
    assert [test.title for test in tests if test not in later and f"- {test.number} {test.title} (" not in text] == []


def test_the_page_opens_without_a_network_and_fits_two_widths(sheet: dict[str, str], tmp_path: Path) -> None:
    assert "<math " in sheet[PAGE]
    assert re.findall(r'(?:src|href)="(?!#)|url\(|@import|<script', sheet[PAGE]) == []
    assert re.findall(r"\$[^$<]*\\[a-z]+", sheet[PAGE]) == []  # TeX that was not read as a formula
    (tmp_path / PAGE).write_text(sheet[PAGE], encoding="utf-8")
    with open_installed_browser() as browser:
        for width in (1200, 400):
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.goto((tmp_path / PAGE).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert page.evaluate("document.querySelectorAll('math').length") > 100
            assert page.evaluate("document.querySelectorAll('merror').length") == 0
