"""What is told of a wrong function is true of its code: sentences that were untrue of one stand here as rows."""

import textwrap
from typing import NamedTuple

import pytest

from autograder.results import CheckResult, Verdict
from tests.selftest.support.grading import checks_of, reference_text

pytestmark = [pytest.mark.content, pytest.mark.once, pytest.mark.slow]


class Row(NamedTuple):
    """Code behind the right solution of a question; `numbers`: of its checks, in whose output `told` stands.

    `untold` stands in the output of no check.
    """

    question_id: str
    code: str
    numbers: str
    told: str
    untold: str = "not written"


STEP = "PartialParse.parse_step = step"
REMEMBERS = """
    known, right = {}, sgd
    def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
        key = step, iterations
        if key not in known:
            known[key] = right(f, x0, step, iterations, postprocessing)
        return known[key]
"""
OWN_SAMPLER = """
    def getNegativeSamples(outsideWordIdx, dataset, K):
        return [int(word) for word in np.random.randint(0, 3, size=K)]
"""
SPELT_OUT = f"""
    def step(self, transition):
        if transition == "SHIFT":
            self.stack.append(self.buffer.pop(0))
    {STEP}
"""
BACKWARDS = """
    def parse(self, transitions):
        for transition in transitions[::-1]:
            self.parse_step(transition)
        return self.dependencies
    PartialParse.parse = parse
"""
RAISES = """
    right = cross_entropy
    def cross_entropy(logits, labels):
        if len(labels) > 64:
            raise ValueError
        return right(logits, labels)
"""
NO_LABEL = """
    right = forward
    def forward(data, label, params, dimensions):
        return right(data, label, params, dimensions) if label else 0.0
"""
MEAN = """
    right = negSamplingLossAndGradient
    def negSamplingLossAndGradient(v, o, U, dataset, K=10):
        return tuple(each / (K + 1) for each in right(v, o, U, dataset, K))
"""
SHORT_ROWS = """
    def normalizeRows(x):
        lengths = np.sqrt((x**2).sum(axis=1, keepdims=True))
        lengths[lengths < 0.1] = 1
        return x / lengths
"""
A_PAIR = """
    right = naiveSoftmaxLossAndGradient
    def naiveSoftmaxLossAndGradient(v, o, U, dataset):
        loss, grad_v, grad_U = right(v, o, U, dataset)
        return loss, grad_v[np.newaxis], grad_U
    def skipgram(w, window, context, index, V, U, dataset, word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
        loss, grad_V, grad_U = 0.0, np.zeros(V.shape), np.zeros(U.shape)
        for word in context:
            value, grad_v, grad = word2vecLossAndGradient(V[index[w]], index[word], U, dataset)
            loss, grad_U = loss + value, grad_U + grad
            grad_V[index[w]] += grad_v[0]
        return loss, grad_V, grad_U
"""
TWO_ROWS = "def relu(z):\n    return np.maximum(z, 0) if len(z) != 2 else np.abs(z)"
A_SET = "run = PartialParse.parse\nPartialParse.parse = lambda self, transitions: set(run(self, transitions))"
NO_AVERAGE = """
    def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
        m = beta1 * m + (1 - beta1) * grad
        return theta - learning_rate * m, 0 * m
"""
OUTSIDE = """
    def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
        x = x0
        ### YOUR CODE HERE
        ### END YOUR CODE
        for _ in range(iterations):
            x = x - step * f(x)[1]
        return x
"""
TWO_ERRORS = """
    right = naiveSoftmaxLossAndGradient
    def naiveSoftmaxLossAndGradient(v, o, U, dataset):
        loss, grad_v, grad_U = right(v, o, U, dataset)
        return loss / len(U), -grad_v, grad_U
"""
CUT_TO_INTEGERS = """
    right = dropout_forward
    def dropout_forward(h, p_drop, training, rng):
        h_drop, mask = right(h, p_drop, training, rng)
        return h_drop.astype(int) if training else h_drop, mask
"""
MEAN_COST = """
    right = forward_backward_prop
    def forward_backward_prop(data, labels, params, dimensions):
        cost, grad = right(data, labels, params, dimensions)
        return cost / len(data), grad
"""
MEAN_AND_SIGN = """
    right = forward_backward_prop
    def forward_backward_prop(data, labels, params, dimensions):
        cost, grad = right(data, labels, params, dimensions)
        grad[-1] *= -1
        return cost / len(data), grad / len(data)
"""
ROWS_OF_COLUMNS = """
    def normalizeRows(x):
        rows = x.copy()
        for n in range(x.shape[1]):
            rows[n] = x[n] / (np.linalg.norm(x[n]) or 1)
        return rows
"""
LAST_WORD = """
    right = skipgram
    def skipgram(c, window, context, index, V, U, dataset, word2vecLossAndGradient=None):
        loss, grad_V, grad_U = right(c, window, context, index, V, U, dataset, word2vecLossAndGradient)
        for word in context:
            _, _, grad_U = word2vecLossAndGradient(V[index[c]], index[word], U, dataset)
        return loss, grad_V, grad_U
"""
LOSS_TOO_LATE = """
    def skipgram(c, window, context, index, V, U, dataset, word2vecLossAndGradient=None):
        for word in context:
            value, grad_v, grad = word2vecLossAndGradient(V[index[c]], index[word], U, dataset)
            loss += value
        return loss, V, U
"""
MASK_OF_H = """
    def loss_and_gradients(params, x, labels):
        h = hidden_forward(x, params["W"], params["b1"])
        scores = h @ params["U"] + params["b2"]
        grad = cross_entropy_grad(scores, labels)
        grad_z = (grad @ params["U"].T) * (h >= 0)
        grads = {"W": x.T @ grad_z, "b1": grad_z.sum(axis=0), "U": h.T @ grad, "b2": grad.sum(axis=0)}
        return cross_entropy(scores, labels), grads
"""
REVERSED = """
    right = backprop
    def backprop(x, label, weights, biases):
        loss, grad_weights, grad_biases, grad_x = right(x, label, weights, biases)
        return loss, grad_weights[::-1], grad_biases[::-1], grad_x
"""
OBJECTS = f"""
    def step(self, transition):
        if transition is "S":
            self.stack.append(self.buffer.pop(0))
        elif transition is "LA":
            self.dependencies.append((self.stack[-1], self.stack.pop(-2)))
        else:
            self.dependencies.append((self.stack[-2], self.stack.pop()))
    {STEP}
"""
LABEL_ASSIGNED = """
    right = naiveSoftmaxLossAndGradient
    def naiveSoftmaxLossAndGradient(v, o, U, dataset):
        loss, grad_v, grad_U = right(v, o, U, dataset)
        grad_U[o] = -v
        return loss, grad_v, grad_U
"""
ALONE = "The same call alone gives the right value"
AGAIN = "the same arguments"
ROWS = {
    "remembers": Row("sgd", REMEMBERS, "2.3", ALONE, "20000 iterations"),
    "own sampler": Row("word2vec", OWN_SAMPLER, "1.7 1.8", AGAIN, "of the loss that you return"),
    "letters spelt out": Row("parser_transitions", SPELT_OUT, "6.3 6.4", "FAIL stack is wrong"),
    "parse beside a wrong step": Row("parser_transitions", SPELT_OUT, "6.5 6.6", "Full credit"),
    "backwards": Row("parser_transitions", BACKWARDS, "6.5", "FAIL returned, stack", "keeps"),
    "raises": Row("parser_network", RAISES, "7.12", "cross_entropy raised ValueError where N = 130", "loss is"),
    "no label": Row("q1c_neural", NO_LABEL, "9.4", "where label is the first", "passed in"),
    "mean": Row("word2vec", MEAN, "1.14", "found:    1200", "minus infinity"),
    "short rows": Row("normalization", SHORT_ROWS, "3.2", "where rows are short or long", "large entries"),
    "a pair": Row("word2vec", A_PAIR, "1.9 1.11", "It is right with your own naiveSoftmaxLossAndGradient: the two"),
    "wrong where it is used": Row("parser_network", TWO_ROWS, "7.3", "passes with the grader's relu", "FAIL h_drop"),
    "a set": Row("parser_transitions", A_SET, "6.5 6.6", "FAIL returned is wrong", AGAIN),
    "outside the marks": Row("sgd", OUTSIDE, "2.2 2.3", "FAIL x is wrong"),
    "two errors": Row("word2vec", TWO_ERRORS, "1.3 1.4 1.5", "A known mistake gives some of these results."),
    "cut to integers": Row("dropout", CUT_TO_INTEGERS, "5.3", "mask is right", "mask is wrong where h is all zeros"),
    "mean cost": Row("q1c_neural", MEAN_COST, "9.6", "FAIL your cost", "Your cost is right"),
    "mean cost and a sign": Row("q1c_neural", MEAN_AND_SIGN, "9.5 9.7", "cost is right", "Compare the factors"),
    "rows of columns": Row(
        "normalization", ROWS_OF_COLUMNS, "3.2", "Error where N < D; rows is wrong where N > D", "zeros"
    ),
    "last word": Row(
        "word2vec", LAST_WORD, "1.11", "wrong in all cases tried except where the context is one word", "V = 2"
    ),
    "loss too late": Row("word2vec", LOSS_TOO_LATE, "1.9 1.10 1.11", "an UnboundLocalError"),
    "mask of h": Row("parser_network", MASK_OF_H, "7.16 7.17 7.18", "A known mistake gives the same results."),
    "reversed": Row("output_layer", REVERSED, "8.8", "found:    shape (2, 3)", "transposed"),
    "objects": Row("parser_transitions", OBJECTS, "6.3 6.4", 'with == or with "is"?'),
    "label assigned": Row("word2vec", LABEL_ASSIGNED, "1.3 1.5", "FAIL gradOutsideVecs is wrong", "a different factor"),
    "no average": Row("adam", NO_AVERAGE, "4.1 4.2", "all its entries are 0", "the same factor"),
}


@pytest.mark.sampled(second=2)
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_what_is_told_is_true(row: Row) -> None:
    code = f"{reference_text(row.question_id)}\n\n{textwrap.dedent(row.code)}"
    checks = {each.number: each for each in checks_of(row.question_id, code).values()}
    for number in row.numbers.split():
        assert row.told in checks[number].output, checks[number].output
    assert not any(row.untold in each.output for each in checks.values() if each.verdict is not Verdict.PASSED)


OLDER = {
    "sgd": """
def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    if not postprocessing:
        postprocessing = lambda x: x
    for iteration in range(1, iterations + 1):
        loss = None
        ### YOUR CODE HERE

        ### END YOUR CODE
        x = postprocessing(x)
    return x
""",
    "word2vec": """
import numpy as np

def skipgram(word, window, context, index, centerWordVectors, outsideVectors, dataset, word2vecLossAndGradient=None):
    loss = 0.0
    gradCenterVecs = np.zeros(centerWordVectors.shape)
    gradOutsideVectors = np.zeros(outsideVectors.shape)
    ### YOUR CODE HERE

    ### END YOUR CODE
    return loss, gradCenterVecs, gradOutsideVectors
""",
}


@pytest.mark.parametrize("question_id", OLDER)
def test_starter_code_of_other_years_is_not_written_in_every_row(question_id: str) -> None:
    checks = checks_of(question_id, OLDER[question_id]).values()
    assert {each.verdict for each in checks} == {Verdict.NOT_WRITTEN}
    assert not any(_has_reason(each) for each in checks)


def _has_reason(check: CheckResult) -> bool:
    return bool(check.diagnosis) or "relation:" in check.output or "hint:" in check.output
