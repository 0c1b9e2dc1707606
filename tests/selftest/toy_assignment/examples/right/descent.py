def descend(f, x0, step, iterations, postprocessing=None):
    x = x0
    for i in range(iterations):
        cost, slope = f(x)
        x = x - step * slope
        if postprocessing:
            x = postprocessing(x)
        if (i + 1) % 50 == 0:
            step *= 0.5
    return x
