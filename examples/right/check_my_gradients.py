"""Finite differences for the answers with a loss. Run it with: python check_my_gradients.py"""

import numpy as np

import output_layer
import parser_network
import q1c_neural
import word2vec


def slope(f, x, eps=1e-5):
    """Central differences of a scalar function of an array."""
    grad = np.zeros_like(x)
    for index in np.ndindex(*x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        grad[index] = (f(up) - f(down)) / (2 * eps)
    return grad


def report(name, got, wanted):
    """One line a gradient."""
    print("%-40s %.1e" % (name, np.max(np.abs(got - wanted))))


def main():
    """Everything once, on sizes that are all different."""
    rng = np.random.default_rng(224)
    v, U = rng.normal(size=3), rng.normal(size=(7, 3))
    _, gv, gU = word2vec.naiveSoftmaxLossAndGradient(v, 2, U, None)
    report("naive softmax, center", gv, slope(lambda t: word2vec.naiveSoftmaxLossAndGradient(t, 2, U, None)[0], v))
    report("naive softmax, outside", gU, slope(lambda t: word2vec.naiveSoftmaxLossAndGradient(v, 2, t, None)[0], U))

    logits, labels = rng.normal(size=(5, 4)), rng.integers(0, 4, size=5)
    wanted = slope(lambda t: parser_network.cross_entropy(t, labels), logits)
    report("cross entropy", parser_network.cross_entropy_grad(logits, labels), wanted)

    a = rng.normal(size=5)
    wanted = np.array([slope(lambda t, i=i: np.exp(output_layer.log_softmax(t))[i], a) for i in range(5)])
    report("softmax jacobian", output_layer.softmax_jacobian(a), wanted)

    dims = (3, 4, 2)
    params = rng.normal(size=4 * 4 + 5 * 2)
    data, one_hot = rng.normal(size=(6, 3)), np.eye(2)[rng.integers(0, 2, size=6)]
    _, grad = q1c_neural.forward_backward_prop(data, one_hot, params, dims)
    report("network", grad, slope(lambda t: q1c_neural.forward_backward_prop(data, one_hot, t, dims)[0], params))


if __name__ == "__main__":
    main()
