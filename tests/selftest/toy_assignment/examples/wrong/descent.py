def descend(f, x0, step, iterations, postprocessing=None):
    x = x0
    for i in range(1, iterations + 1):
        x = x - step * f(x)[1]
        if postprocessing is not None:
            postprocessing(x)
        if i % 50 == 0:
            step /= 2
    return x
