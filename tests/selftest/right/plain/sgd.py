import numpy as np


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    ANNEAL_EVERY = 20000

    if not postprocessing:
        postprocessing = lambda x: x

    x = x0
    exploss = None
    for iteration in range(1, iterations + 1):
        ### YOUR CODE HERE (~2 lines)
        loss, grad = f(x)
        x = x - step * grad
        ### END YOUR CODE
        x = postprocessing(x)

        if iteration % PRINT_EVERY == 0:
            if not exploss:
                exploss = loss
            else:
                exploss = .95 * exploss + .05 * loss
            print("iter %d: %f" % (iteration, exploss))

        if iteration % ANNEAL_EVERY == 0:
            step *= 0.5
    return x
