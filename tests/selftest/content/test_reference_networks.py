"""The right network at a kink, where no hidden test asks; elsewhere it is compared with the right example."""

import numpy as np
import pytest

from reference import parser_network

pytestmark = pytest.mark.content


def test_the_slope_at_a_kink_is_zero() -> None:
    x, W, b1 = np.array([[1.0, 2.0]]), np.array([[2.0, 1.0, 1.0], [-1.0, 1.0, -1.0]]), np.zeros(3)
    assert np.array_equal(parser_network.hidden_jacobian(x[0], W, b1), [[0, 0], [1, 1], [0, 0]])
    _, grad_W, grad_b1 = parser_network.hidden_backward(np.ones((1, 3)), x, W, b1)
    assert np.array_equal(grad_W, [[0, 1, 0], [0, 2, 0]])
    assert np.array_equal(grad_b1, [0, 1, 0])
