"""Known wrong answers of sgd."""

import numpy as np

from reference.sgd import sgd
from tests.mistakes import mistake


@mistake(
    "sgd",
    severity="slip",
    story="Calls postprocessing and drops or overwrites its result.",
    hint="Does postprocessing change its argument, or may it return a new value?",
    breaks=["x"],
)
def sgd_postprocessing_dropped(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    def unchanged(x):
        postprocessing(x)
        return x

    return sgd(f, x0, step, iterations, unchanged if postprocessing else None)


@mistake(
    "sgd",
    severity="slip",
    story="Never calls postprocessing.",
    hint="Where does postprocessing occur in your code?",
    breaks=["x"],
)
def sgd_postprocessing_never(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    return sgd(f, x0, step, iterations)


@mistake(
    "sgd",
    severity="slip",
    story="Applies postprocessing before the step, so that the last step is not postprocessed.",
    hint="If postprocessing makes the length 1, does your result have length 1?",
    breaks=["x"],
)
def sgd_postprocessing_before_the_step(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    for iteration in range(1, iterations + 1):
        if postprocessing:
            x = postprocessing(x)
        _, grad = f(x)
        x = x - step * grad
        if iteration % 20000 == 0:
            step *= 0.5
    return x


@mistake(
    "sgd",
    severity="slip",
    story="Postprocesses the result, and takes the next step from the x before postprocessing.",
    hint="From which x does the next iteration start?",
    breaks=["x"],
)
def sgd_postprocessing_at_the_end(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = sgd(f, x0, step, iterations)
    return postprocessing(x) if postprocessing else x


@mistake(
    "sgd",
    severity="slip",
    story="Adds the gradient, which climbs.",
    hint="Does the cost fall from iteration to iteration?",
    breaks=["x"],
)
def sgd_uphill(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    return sgd(f, x0, -step, iterations, postprocessing)


@mistake(
    "sgd",
    severity="slip",
    story="Runs one iteration too few.",
    hint="Print the number of each iteration of a run of three.",
    breaks=["x"],
)
def sgd_one_iteration_short(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    if iterations == 1:
        f(x0)
    return sgd(f, x0, step, iterations - 1, postprocessing)


@mistake(
    "sgd",
    severity="fundamental",
    story="Steps along the cost and not along the gradient.",
    hint="Which of the two values of f is the direction?",
    breaks=["x"],
)
def sgd_steps_along_the_cost(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    def first_only(x):
        cost, _ = f(x)
        return cost, cost

    return sgd(first_only, x0, step, iterations, postprocessing)


@mistake(
    "sgd",
    severity="fundamental",
    story="Takes every gradient at the start instead of at the current x.",
    hint="What is the argument of f in the second iteration?",
    breaks=["x"],
)
def sgd_gradient_of_the_start(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    return sgd(lambda x: f(x0), x0, step, iterations, postprocessing)


@mistake(
    "sgd",
    severity="slip",
    story="Returns a float, and stops with an error if x0 is an array.",
    hint="May x0 be an array?",
    breaks=["x"],
)
def sgd_numbers_only(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    return float(sgd(f, x0, step, iterations, postprocessing))


@mistake(
    "sgd",
    severity="misconception",
    story="Moves the first row only; of a vector, the first entry.",
    hint="Look at every entry of x after one step.",
    breaks=["x"],
)
def sgd_first_row_only(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    def first(x):
        cost, grad = f(x)
        if getattr(grad, "ndim", 0):
            grad = grad.copy()
            grad[1:] = 0
        return cost, grad

    return sgd(first, x0, step, iterations, postprocessing)


@mistake(
    "sgd",
    severity="slip",
    story="Never halves the step.",
    hint="What should happen to the step after many iterations?",
    breaks=["x"],
)
def sgd_never_halves(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    for _ in range(iterations):
        _, grad = f(x)
        x = x - step * grad
        if postprocessing:
            x = postprocessing(x)
    return x


@mistake(
    "sgd",
    severity="slip",
    story="Halves the step in every iteration from iteration 20000 on.",
    hint="How often should the step have been halved after 20010 iterations?",
    breaks=["x"],
)
def sgd_halves_again_and_again(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    for iteration in range(1, iterations + 1):
        _, grad = f(x)
        x = x - step * grad
        if postprocessing:
            x = postprocessing(x)
        if iteration >= 20000:
            step *= 0.5
    return x


@mistake(
    "sgd",
    severity="slip",
    story="Halves the step once, after 20000 iterations, and never again.",
    hint="What is your step after 40000 iterations?",
    breaks=["x"],
)
def sgd_halves_once(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    for iteration in range(1, iterations + 1):
        _, grad = f(x)
        x = x - step * grad
        if postprocessing is not None:
            x = postprocessing(x)
        if iteration == 20000:
            step = step / 2
    return x


@mistake(
    "sgd",
    severity="fundamental",
    story="Saves the last x and starts the next call from it, although useSaved is False.",
    hint="Which x does a second call start from?",
    breaks=["x"],
)
def sgd_starts_from_the_last_x(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10, saved={}):
    start = saved.get(np.shape(x0), x0)
    saved[np.shape(x0)] = x = sgd(f, start, step, iterations, postprocessing)
    return x


@mistake(
    "sgd",
    severity="slip",
    story="Calls postprocessing twice in each iteration.",
    hint="How often is postprocessing called in an iteration?",
    breaks=["x"],
)
def sgd_postprocessing_twice(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    if not postprocessing:
        return sgd(f, x0, step, iterations)
    return sgd(f, x0, step, iterations, lambda x: postprocessing(postprocessing(x)))


@mistake(
    "sgd",
    severity="slip",
    story="Takes the number of all iterations for that of the current one: 20000 halve the step each time.",
    hint="Which number do you divide by 20000: the current iteration's, or how many there are?",
    breaks=["x"],
)
def sgd_halves_by_all_iterations(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    for _ in range(iterations):
        _, grad = f(x)
        x = x - step * grad
        if postprocessing:
            x = postprocessing(x)
        if iterations % 20000 == 0:
            step *= 0.5
    return x


@mistake(
    "sgd",
    severity="slip",
    story="Returns the x of the lowest cost after more than 100 iterations.",
    hint="Which x does the function return: the last one, or another?",
    breaks=["x"],
)
def sgd_best_after_many(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = best = x0
    lowest = np.inf
    for iteration in range(1, iterations + 1):
        cost, grad = f(x)
        if cost <= lowest:
            lowest, best = cost, x
        x = x - step * grad
        if postprocessing:
            x = postprocessing(x)
        if iteration % 20000 == 0:
            step *= 0.5
    return best if 100 < iterations < 20000 else x
