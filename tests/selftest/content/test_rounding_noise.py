"""Where one right part of a value is rounding noise, all other parts are compared, and so is the noise, with 0."""

import pytest

from autograder.results import Verdict
from tests.selftest.support.grading import checks_of, reference_text

pytestmark = pytest.mark.content

ONES = """

def _plant(right):
    def backprop(x, label, weights, biases):
        loss, grad_weights, grad_biases, grad_x = right(x, label, weights, biases)
        if (weights[-1] == 1).all():
            {spoil}
        return loss, grad_weights, grad_biases, grad_x

    return backprop

backprop = _plant(backprop)
"""


def failures(question_id: str, planted: str) -> dict[str, str]:
    """The outputs of the tests that fail, by their names."""
    checks = checks_of(question_id, reference_text(question_id) + planted)
    return {name: check.output for name, check in checks.items() if check.verdict is not Verdict.PASSED}


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize(
    ("spoil", "part"),
    {
        "grad_biases[-1] = grad_biases[-1] * 1.5": "grad_biases",  # more than noise, beside parts that are noise
        "grad_weights[-1] = grad_weights[-1] + 0.5": "grad_weights",
        "loss = loss * 1.5": "loss",
        "grad_x = grad_x + 0.5": "grad_x",  # the noise itself
        "grad_weights[0] = grad_weights[0] + 0.5": "grad_weights",
    }.items(),
)
def test_a_part_is_compared_where_another_is_noise(spoil: str, part: str) -> None:
    (failed,) = failures("output_layer", ONES.format(spoil=spoil)).items()
    assert failed[0] == "test_backprop_everywhere"
    assert f"FAIL {part} is wrong where every entry of weights is 1; " in failed[1]


def test_other_noise_is_right() -> None:
    assert failures("output_layer", ONES.format(spoil="grad_x = grad_x * -3 + 1e-15")) == {}
