"""Question descent."""


def descend(f, x0, step, iterations, postprocessing=None):
    """Return x after some steps against the gradient, each followed by postprocessing."""
    ### YOUR CODE HERE
    raise NotImplementedError("descent.descend is not written yet")
    ### END YOUR CODE
