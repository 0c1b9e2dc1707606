import numpy as np


def sgd(f, x0, step, iterations, postprocessing=None, use_saved=False, print_every=10):
    anneal_every = 20000
    postprocessing = postprocessing or (lambda x: x)
    x, exp_loss = x0, None
    for iteration in range(iterations):
        if iteration > 0 and iteration % anneal_every == 0:
            step *= 0.5
        loss, grad = f(x=x)
        x = postprocessing(x=np.subtract(x, np.multiply(step, grad)))
        exp_loss = loss if not exp_loss else 0.95 * exp_loss + 0.05 * loss
        if (iteration + 1) % print_every == 0:
            print("iter %d: %f" % (iteration + 1, exp_loss))
    return x
