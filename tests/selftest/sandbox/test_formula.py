"""A formula becomes a function of its names, or an error with the accepted spelling."""

import numpy as np
import pytest

from autograder.sandbox.worker.answer_file import (
    FORMULA_CHARACTERS,
    AnswerProblem,
    expand_products,
    make_formula_function,
)

X = np.array([1.0, 2.0, 4.0])


@pytest.mark.parametrize(
    "text",
    [
        "2 * x",
        "  x\n  + x ",
        "np.add(x, x)",
        "np.array([x[i] * 2 for i in range(len(x)) if True])",
        "x * 2 if k > 0 else x",
        "x[:] * (k == 1) * 2",
        "x**1 / 0.5e0",
        "x.clip(0.0, 9.0) * x.std() / x.std() + x.mean() / (x.sum() / x.max() / 3 * x.max()) * x",
        "np.multiply.outer(2, x)",
    ],
)
def test_every_form_of_a_value_is_read(text: str) -> None:
    assert np.allclose(make_formula_function(text, ["x", "k"])(X, 1), 2 * X)


@pytest.mark.parametrize("text", ["2*n", "2n", "2 n", "n+n", "n*2", "2.0n", "4(n)/2", "2n*1e0", "2 * n if 1 else 3"])
def test_a_count_may_leave_the_sign_of_a_product_out(text: str) -> None:
    assert make_formula_function(expand_products(text), ["n"])(7) == 14


@pytest.mark.parametrize(
    ("text", "problem"),
    {
        "x^2": "holds the sign ^; write ** for powers and .T for the transpose",
        "x²": "write **2",
        "Uᵀ @ x": "write .T",
        "x⁻¹": "(superscript minus); write ** for powers",
        "xᵢ": "write [...] for indices",
        "2·x": "write * for a product of numbers or entries, @ for a product of matrices",
        "x − k": "write the minus sign of the keyboard",  # noqa: RUF001  (the test needs this sign)
        "γ * x": "write it in letters, if it is one of the names listed (gamma is γ)",  # noqa: RUF001
        "ŷ - x": "write y_hat",
        "y\u0302 - x": "write y_hat",
        "∂x": "write only the value",
        r"\frac{1}{x}": "write numpy and no LaTeX",
        "2x + k": "leaves a * out after 2; write every product with *",
        "2(x + k)": "leaves a * out before a bracket",
        "g = 2 * x": "holds =; write only the right side",
        "(x + k": "has brackets that do not match",
        "x +": "cannot be read as a formula of numpy; write one value",
        "exp(x)": "uses exp; write np.exp",
        "xs + 1": "uses the name 'xs'; did you mean x? the names are x, k, np",
        "__import__('os').system('id')": "uses the name '__import__'",
        "np.__loader__": "uses no name that begins with _",
        "(lambda: x)()": "holds lambda, which is no part of a formula",
        "(y := x)": "holds :=, which is no part of a formula",
        "f'{x}'": "holds f-string, which is no part of a formula",
        "[*x]": "holds star",
        "-" * 900 + "x": None,
        "x" * (FORMULA_CHARACTERS + 1): "is longer than 1000 characters",
        "9" * 900 + " * x": None,
    }.items(),
)
def test_another_notation_is_reported_with_the_accepted_spelling(text: str, problem: str | None) -> None:
    if problem is None:  # at its limit, and harmless
        make_formula_function(text, ["x", "k"])
        return
    with pytest.raises(AnswerProblem) as told:
        make_formula_function(text, ["x", "k"])
    assert problem in str(told.value)
    assert len(str(told.value)) < 250


def test_a_name_that_is_cut_short_is_recognised() -> None:
    with pytest.raises(AnswerProblem, match=r"uses the name 'p'; did you mean p_drop\? the names are p_drop, np"):
        make_formula_function("1/(1-p)", ["p_drop"])


def test_a_formula_knows_no_names_but_those_listed() -> None:
    evaluate = make_formula_function("sum(each for each in x) + len(x)", ["x"])
    assert evaluate(X) == 10
    with pytest.raises(TypeError):
        make_formula_function("len(x) + len", ["x"])(X)
