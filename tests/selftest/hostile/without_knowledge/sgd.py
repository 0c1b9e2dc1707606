def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    for i in range(iterations):
        f(x0)
        if postprocessing: x0 = postprocessing(x0)
    return x0
