"""Known wrong answers of sgd."""

import numpy as np

from reference.sgd import sgd
from tests.mistakes import mistake, mistake_edit

sgd_postprocessing_dropped = mistake_edit(
    "sgd",
    {"x = postprocessing(x)": "postprocessing(x)"},
    severity="slip",
    story="Never calls postprocessing, or drops or overwrites its result.",
    hint="Where does your code call postprocessing, and use what it returns?",
    breaks=["x"],
)


sgd_postprocessing_before_the_step = mistake_edit(
    "sgd",
    {
        "_, grad = f(x)": ("x = postprocessing(x) if postprocessing else x\n        _, grad = f(x)"),
        "            x = postprocessing(x)": "            pass",
    },
    severity="slip",
    story="Applies postprocessing before the step, so that the last step is not postprocessed.",
    hint="If postprocessing makes the length 1, does your result have length 1?",
    breaks=["x"],
)


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


sgd_uphill = mistake_edit(
    "sgd",
    {"x - step * grad": "x + step * grad"},
    severity="slip",
    story="Adds the gradient, which climbs.",
    hint="Does the cost fall from iteration to iteration?",
    breaks=["x"],
)


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


sgd_steps_along_the_cost = mistake_edit(
    "sgd",
    {"_, grad = f(x)": "grad, _ = f(x)"},
    severity="fundamental",
    story="Steps along the cost and not along the gradient.",
    hint="Which of the two values of f is the direction?",
    breaks=["x"],
)


sgd_gradient_of_the_start = mistake_edit(
    "sgd",
    {"f(x)": "f(x0)"},
    severity="fundamental",
    story="Takes every gradient at the start instead of at the current x.",
    hint="What is the argument of f in the second iteration?",
    breaks=["x"],
)


sgd_numbers_only = mistake_edit(
    "sgd",
    {"return x": "return float(x)"},
    severity="slip",
    story="Returns a float, and stops with an error if x0 is an array.",
    hint="May x0 be an array?",
    breaks=["x"],
)


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


sgd_never_halves = mistake_edit(
    "sgd",
    {"step /= 2": "pass"},
    severity="slip",
    story="Never halves the step.",
    hint="What should happen to the step after many iterations?",
    breaks=["x"],
)


sgd_halves_again_and_again = mistake_edit(
    "sgd",
    {"iteration % ANNEAL_EVERY == 0": "iteration >= ANNEAL_EVERY"},
    severity="slip",
    story="Halves the step in every iteration from iteration 20000 on.",
    hint="How often should the step have been halved after 20010 iterations?",
    breaks=["x"],
)


sgd_halves_once = mistake_edit(
    "sgd",
    {"iteration % ANNEAL_EVERY == 0": "iteration == ANNEAL_EVERY"},
    severity="slip",
    story="Halves the step once, after 20000 iterations, and never again.",
    hint="What is your step after 40000 iterations?",
    breaks=["x"],
)


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


sgd_postprocessing_twice = mistake_edit(
    "sgd",
    {"postprocessing(x)": "postprocessing(postprocessing(x))"},
    severity="slip",
    story="Calls postprocessing twice in each iteration.",
    hint="How often is postprocessing called in an iteration?",
    breaks=["x"],
)


sgd_halves_by_all_iterations = mistake_edit(
    "sgd",
    {"iteration % ANNEAL_EVERY": "iterations % ANNEAL_EVERY"},
    severity="slip",
    story="Takes the number of all iterations for that of the current one: 20000 halve the step each time.",
    hint="Which number do you divide by 20000: the current iteration's, or how many there are?",
    breaks=["x"],
)


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
