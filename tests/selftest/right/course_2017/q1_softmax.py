import numpy as np


def softmax(x):
    """Softmax of a vector, or of every row of a matrix."""
    orig_shape = x.shape

    if len(x.shape) > 1:
        # Matrix
        ### YOUR CODE HERE
        x = x - np.max(x, axis=1).reshape(-1, 1)
        exp_x = np.exp(x)
        x = exp_x / np.sum(exp_x, axis=1).reshape(-1, 1)
        ### END YOUR CODE
    else:
        # Vector
        ### YOUR CODE HERE
        x = x - np.max(x)
        exp_x = np.exp(x)
        x = exp_x / np.sum(exp_x)
        ### END YOUR CODE

    assert x.shape == orig_shape
    return x


def test_softmax():
    print("Running your tests...")
    test = softmax(np.array([[3, 4], [1001, 1002]]))
    print(test)
    assert np.allclose(test.sum(axis=1), 1)


if __name__ == "__main__":
    test_softmax()
