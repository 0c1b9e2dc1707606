# step size should be halved now and then, did not get to that


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    current = x0
    counter = 0
    while counter < iterations:
        cost, grad = f(current)
        current = current - grad * step
        if postprocessing != None:
            current = postprocessing(current)
        counter = counter + 1
    return current
