import numpy as np


def gradcheck_naive(f, x, gradientText=""):
    _, grad = f(x)
    it = np.nditer(x, flags=["multi_index"], op_flags=["readwrite"])
    while not it.finished:
        ix = it.multi_index
        old = x[ix]
        x[ix] = old + 1e-4
        up = f(x)[0]
        x[ix] = old - 1e-4
        down = f(x)[0]
        x[ix] = old
        assert abs((up - down) / 2e-4 - grad[ix]) < 1e-5, gradientText
        it.iternext()
    print("Gradient check passed!", gradientText)


def _pair(skipgram, tokens, vectors, *rest):
    def f(vec):
        loss, gin, gout = skipgram("c", 3, ["a", "b", "e", "d", "b"], tokens, vec[:5], vec[5:], *rest)
        return loss, np.concatenate((gin, gout))

    gradcheck_naive(f, vectors.copy(), "skip-gram")


def grad_tests_softmax(skipgram, dummy_tokens, dummy_vectors, dataset):
    _pair(skipgram, dummy_tokens, dummy_vectors, dataset)


def grad_tests_negsamp(skipgram, dummy_tokens, dummy_vectors, dataset, negSamplingLossAndGradient):
    _pair(skipgram, dummy_tokens, dummy_vectors, dataset, negSamplingLossAndGradient)
