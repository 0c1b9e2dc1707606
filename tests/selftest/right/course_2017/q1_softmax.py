import numpy as np


def softmax(x):
    # one vector is a matrix with one row
    rows = x.reshape(1, -1) if x.ndim == 1 else x
    e = np.exp(rows - np.max(rows, axis=1)[:, np.newaxis])
    probs = e / np.sum(e, axis=1)[:, np.newaxis]
    return probs.reshape(x.shape)


if __name__ == "__main__":
    out = softmax(np.array([[0.5, 0.5, 0.5], [-900, -900, 100]]))
    print(out)
    assert np.allclose(out.sum(axis=1), [1, 1])
    print(softmax(np.array([2, 2])))
