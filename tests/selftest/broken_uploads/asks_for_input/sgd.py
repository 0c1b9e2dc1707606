import numpy as np
name = input("Name: ")
rate = float(input("Rate: "))


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    average = 0.0
    for i in range(iterations):
        ### YOUR CODE HERE
        loss, grad = f(x)
        x = x - step * grad
        if postprocessing is not None:
            x = postprocessing(x)
        ### END YOUR CODE

        # a smooth loss is nicer to look at
        average = 0.9 * average + 0.1 * loss
        if (i + 1) % PRINT_EVERY == 0:
            print("iteration", i + 1, "loss", average)
        if (i + 1) % 20000 == 0:
            step = step / 2
    return x
