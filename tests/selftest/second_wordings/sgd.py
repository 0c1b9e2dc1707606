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
