# our own gradient check: compares the slope of f at a few random entries
import numpy as np

import parser_network
import q1c_neural


def check(name, f, x, n_entries=10, h=1e-5):
    _, grad = f(x)
    worst = 0
    for _ in range(n_entries):
        index = tuple(np.random.randint(size) for size in x.shape)
        old = x[index]
        x[index] = old + h
        up, _ = f(x)
        x[index] = old - h
        down, _ = f(x)
        x[index] = old
        worst = max(worst, abs((up - down) / (2 * h) - grad[index]))
    print(name, "OK" if worst < 1e-5 else "WRONG", worst)


if __name__ == "__main__":
    np.random.seed(14)
    labels = np.array([0, 2, 1, 1])
    check(
        "cross entropy",
        lambda a: (parser_network.cross_entropy(a, labels), parser_network.cross_entropy_grad(a, labels)),
        np.random.randn(4, 3),
    )
    data, one_hot = np.random.randn(5, 3), np.eye(2)[[0, 1, 1, 0, 1]]
    check(
        "q1c",
        lambda p: q1c_neural.forward_backward_prop(data, one_hot, p, (3, 4, 2)),
        np.random.randn(26),
    )
