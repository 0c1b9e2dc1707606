"""Tests the right written answers against finite differences of the losses that they differentiate, and by counting."""

import inspect
import re

import numpy as np
import pytest

from autograder.assignment import AnswerKind
from autograder.grading.written_questions import read_rubric
from reference import arc_standard_oracle, written_answers
from tests.hidden.parse_tables import judge, read_sentence
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, reference_text
from tests.selftest.support.numerical_gradient import assert_gradients, numerical_gradient

pytestmark = pytest.mark.content

ANSWERS = {answer.key: answer for question in ASSIGNMENT.questions for answer in question.answers}
TEMPLATE = (PROJECT / "student_template" / "written_answers.toml").read_text(encoding="utf-8")
TEXTS = [answer.name for answer in ANSWERS.values() if answer.kind is AnswerKind.TEXT]
CLOSE = {"rtol": 1e-7, "atol": 1e-8}  # of central differences in float64


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize(("V", "D", "o", "w"), [(5, 3, 2, 4), (3, 6, 0, 1), (4, 4, 3, 0)])
def test_word_vectors(V, D, o, w):
    rng = np.random.default_rng(V)
    U, v_c, y = rng.normal(size=(V, D)), rng.normal(size=D), np.eye(V)[o]

    def loss(outside, center):
        return -np.log(softmax(outside @ center)[o])

    given = (U, y, softmax(U @ v_c), v_c, o, w)
    outside = written_answers.word2vec_grad_outside_all(*given)
    assert_gradients([outside, written_answers.word2vec_grad_center(*given)], loss, U, v_c, **CLOSE)
    np.testing.assert_allclose(written_answers.word2vec_grad_outside_true(*given), outside[o], **CLOSE)
    np.testing.assert_allclose(written_answers.word2vec_grad_outside_other(*given), outside[w], **CLOSE)


def test_the_gradient_is_zero_also_where_y_hat_is_not_y():
    # One axis, four words: the mean of the others' vectors, weighted with y_hat, can be u_o.
    outside = np.array([[0.0], [1.0], [-1.0], [0.0]])
    y, y_hat = np.eye(4)[3], softmax(outside @ np.zeros(1))
    gradient = written_answers.word2vec_grad_center(outside, y, y_hat, np.zeros(1), 3, 0)
    np.testing.assert_allclose(gradient, 0, atol=1e-15)
    assert np.abs(y_hat - y).max() > 0.5
    at_zero = written_answers.word2vec_grad_center(np.array([[1.0], [-1.0], [1.0], [0.0]]), y, y_hat, np.zeros(1), 3, 0)
    assert np.abs(at_zero).max() > 0.1  # so v_c = 0 does not make it zero
    assert written_answers.word2vec_zero_gradient() == "c"


def test_the_parse_is_one_of_the_gold_trees():
    answer = ANSWERS["parser.transitions"]
    sentence = read_sentence(answer.data)
    found = judge(written_answers.parser_transitions(), sentence)
    assert (found.faults, found.count, found.is_finished) == ([], 2 * len(sentence.words), True)
    assert found.arcs in sentence.trees
    assert all(arc_standard_oracle.is_projective(heads) for heads in answer.data["trees"])


@pytest.mark.parametrize("heads", [[0], [2, 0], [0, 1, 2], [2, 3, 0, 5, 3]])
def test_steps_are_those_of_any_parse(heads):
    assert written_answers.parser_steps(len(heads)) == len(arc_standard_oracle.gold_transitions(heads))


@pytest.mark.parametrize(("i", "j"), [(0, 2), (1, 1), (3, 0)])
def test_hidden_unit(i, j):
    rng = np.random.default_rng(7)
    x, W, b1 = rng.normal(size=3), rng.normal(size=(3, 4)), rng.normal(size=4)
    z = x @ W + b1
    expected = numerical_gradient(lambda moved: np.maximum(moved @ W + b1, 0)[i], x)[j]
    assert written_answers.parser_network_relu_derivative(z, W, i, j) == pytest.approx(expected)
    assert 0 < (z > 0).sum() < 4


@pytest.mark.parametrize(("k", "label"), [(5, 2), (2, 0), (3, 2)])
def test_output_unit(k, label):
    a = np.random.default_rng(k).normal(size=k)
    y_hat, e = softmax(a), np.eye(k)[label]
    by_logit = numerical_gradient(lambda moved: -np.log(softmax(moved)[label]), a)
    by_probability = numerical_gradient(lambda moved: -np.log(moved[label]), y_hat, step=1e-7)
    np.testing.assert_allclose(written_answers.output_grad_preactivation(y_hat, e, label), by_logit, **CLOSE)
    found = written_answers.output_grad_probabilities(y_hat, e, label)
    np.testing.assert_allclose(found, by_probability, rtol=1e-6, atol=1e-8)
    entries = [written_answers.parser_network_logit_gradient(e, y_hat, i, label) for i in range(k)]
    np.testing.assert_allclose(entries, by_logit, **CLOSE)


@pytest.mark.parametrize(("N", "Dx", "H", "Dy"), [(3, 4, 2, 5), (1, 2, 6, 3)])
def test_one_hidden_layer(N, Dx, H, Dy):
    rng = np.random.default_rng(N)
    x, W1, b1 = rng.normal(size=(N, Dx)), rng.normal(size=(Dx, H)), rng.normal(size=H)
    W2, b2, y = rng.normal(size=(H, Dy)), rng.normal(size=Dy), np.eye(Dy)[rng.integers(Dy, size=N)]

    def scores(inputs):
        return 1 / (1 + np.exp(-(inputs @ W1 + b1))) @ W2 + b2

    def cost(theta):
        return -(y * np.log(softmax(theta))).sum()

    z, y_hat = x @ W1 + b1, softmax(scores(x))
    h = 1 / (1 + np.exp(-z))
    by_input = written_answers.q1c_input_gradient(y, y_hat, z, h, W1, W2)
    assert_gradients([by_input], lambda moved: cost(scores(moved)), x, **CLOSE)
    assert_gradients([written_answers.q1c_softmax_input_gradient(y, y_hat)], cost, scores(x), **CLOSE)


@pytest.mark.parametrize("name", TEXTS)
def test_every_text_has_a_derivation_and_a_rubric_that_gives_its_points(name):
    function = getattr(written_answers, name)
    points = [float(each) for each in re.findall(r"^(\S+) points?: ", read_rubric(written_answers, name), re.MULTILINE)]
    assert sum(points) == next(answer.points_by_hand for answer in ANSWERS.values() if answer.name == name)
    assert "Derivation:" in inspect.getdoc(function)
    assert len(function()) > 40
    key = next(answer.key for answer in ANSWERS.values() if answer.name == name).partition(".")[2]
    comment = re.search(rf"^# Text, (\d+) points: [^=]*\n{key} = ", TEMPLATE, re.MULTILINE)
    assert comment is not None
    assert float(comment[1]) == sum(points)


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=lambda answer: answer.key)
def test_the_file_handed_out_has_every_key_with_the_names_it_may_use(answer):
    table, _, key = answer.key.partition(".")
    section = TEMPLATE.partition(f"[{table}]\n")[2].partition("\n[")[0]
    before, found, _ = section.partition(f"\n{key} = ")
    assert found
    if answer.kind in (AnswerKind.FORMULA, AnswerKind.COUNT):
        named = before[before.rindex("Names: ") :].partition("\n")[0]
        assert [name for name in answer.words if f" {name}" not in named.replace(",", "")] == []
    if answer.kind is AnswerKind.CHOICE:
        assert all(f"\n#   {code}  " in before for code in answer.words)
    assert f"{key} = " in reference_text("written_answers")
