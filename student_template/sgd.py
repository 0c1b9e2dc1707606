"""Stochastic gradient descent."""

ANNEAL_EVERY = 20000  # iterations


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    """Minimise a function with stochastic gradient descent.

    An iteration calls f once, takes one step, and then applies postprocessing, if there is one, to the new x.
    Every ANNEAL_EVERY iterations the step is halved.

    Arguments:
        f: a function of x; it returns a cost (a float) and the gradient (shape of x).
        x0: the x to start from, a float or an array.
        step: the size of the first steps, a float.
        iterations: how many iterations to run.
        postprocessing: a function of x that returns the x to continue with, or None.
        useSaved: whether to continue from saved parameters; you may ignore it.
        PRINT_EVERY: print the cost every PRINT_EVERY iterations; you may ignore it.

    Returns:
        x: the last x, shape of x0.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("sgd.sgd is not written yet")
    ### END YOUR CODE


if __name__ == "__main__":  # `python sgd.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("sgd.py"))
