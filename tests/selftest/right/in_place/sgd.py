def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    for i in range(iterations):
        x -= (step / 2 ** (i // 20000)) * f(x)[1]
        if postprocessing is not None:
            x = postprocessing(x)
    return x
