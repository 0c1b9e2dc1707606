def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    done = 0
    while done < iterations:
        cost, grad = f(x)
        x = x - grad * step
        if postprocessing:
            x = postprocessing(x)
        done += 1
        if done % 20000 == 0:
            step = step / 2
    return x
