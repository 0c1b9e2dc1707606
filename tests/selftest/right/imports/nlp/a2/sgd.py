from tqdm import trange
from tqdm.notebook import tqdm as bar


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    progress = trange(1, iterations + 1, desc="sgd", leave=False)
    for it in progress:
        loss, grad = f(x)
        x = x - step * grad
        if postprocessing:
            x = postprocessing(x)
        progress.set_postfix(loss=loss)
        if it % 20000 == 0:
            step *= 0.5
    with bar(total=iterations) as done:
        done.update(iterations)
    return x
