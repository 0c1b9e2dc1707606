"""A wrong loss or gradient is compared with the student's own loss, and the message says which of them is wrong."""

from __future__ import annotations

import pytest

from autograder.results import Verdict
from tests.selftest.checks.test_gradient_check import FITS
from tests.selftest.support.grading import checks_of, reference_text


class TestSubmission:
    """The hidden tests run on student code in a worker."""

    @staticmethod
    def outputs(stem: str, change: str) -> str:
        """Return the outputs of the tests of values that fail."""
        failed = [
            each
            for name, each in checks_of(stem, reference_text(stem) + change).items()
            if each.verdict is not Verdict.PASSED and not name.endswith("_own_gradient")
        ]
        assert {each.verdict for each in failed} <= {Verdict.FAILED, Verdict.PARTIAL}
        return "\n".join(each.output for each in failed)

    @pytest.mark.exhaustive
    def test_that_fails_when_called_again_is_judged_as_before(self) -> None:
        change = """
right, calls = backprop, []
def backprop(*arguments):
    calls.append(arguments)
    if len(calls) > 3:
        raise SystemExit("three are enough")
    loss, *others = right(*arguments)
    return loss + 1, *others
"""
        said = self.outputs("output_layer", change)
        assert said.count("FAIL loss is wrong;") == 1  # of the visible test, which makes three calls
        assert "gradient: " not in said
        assert "enough" not in said

    @pytest.mark.exhaustive
    def test_whose_pair_belongs_together_with_a_sibling_that_is_wrong_alone_is_told(self) -> None:
        change = """
def sigmoid_grad(z):
    return _sigmoid(z) * (1 - _sigmoid(z))
def forward_backward_prop(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    z = data @ W1 + b1
    h = _sigmoid(z)
    log_p = _log_softmax(h @ W2 + b2)
    d2 = np.exp(log_p) - labels
    d1 = d2 @ W2.T * sigmoid_grad(z)
    grads = [(data.T @ d1).ravel(), d1.sum(axis=0), (h.T @ d2).ravel(), d2.sum(axis=0)]
    cost = -(labels * log_p).sum() + (params**2).sum() / 2
    return cost, np.concatenate(grads) + params
"""
        said = self.outputs("q1c_neural", change)
        assert FITS in said
        assert "is not the gradient" not in said
