def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    if not postprocessing:
        postprocessing = lambda x: x

    for it in range(1, iterations + 1):
        cost, grad = f(x)
        x = x - step * grad
        postprocessing(x)

        if it % PRINT_EVERY == 0:
            print("iter %d: %f" % (it, cost))
        if it % 20000 == 0:
            step *= 0.5
    return x
