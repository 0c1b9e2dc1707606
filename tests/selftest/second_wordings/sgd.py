"""Mistakes of sgd as other people write them."""

from tests.selftest.second_wordings import wording


@wording("sgd_postprocessing_dropped")
def forgotten(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    done = 0
    while done < iterations:
        x0 = x0 - step * f(x0)[1]
        done += 1
        if not done % 20000:
            step /= 2.0
    return x0


@wording("sgd_postprocessing_before_the_step")
def gradient_at_the_processed(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    for it in range(iterations):
        x = postprocessing(x) if postprocessing is not None else x
        cost, grad = f(x)
        x = x - grad * step
        if (it + 1) % 20000 == 0:
            step *= 0.5
    return x


@wording("sgd_uphill")
def plus(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    for it in range(1, iterations + 1):
        _, grad = f(x)
        x = x + step * grad
        x = postprocessing(x) if postprocessing else x
        step = step * 0.5 if it % 20000 == 0 else step
    return x


@wording("sgd_never_halves")
def one_step_size(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    history = 0.0
    while iterations:
        cost, grad = f(x)
        history = 0.95 * history + 0.05 * cost
        x = x - step * grad
        x = x if postprocessing is None else postprocessing(x)
        iterations -= 1
    return x
