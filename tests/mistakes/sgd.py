"""Known wrong answers of sgd."""

import numpy as np

from reference.sgd import sgd
from tests.mistakes import mistake, mistake_edit

sgd_postprocessing_dropped = mistake_edit(
    "sgd",
    {"x = postprocessing(x)": "postprocessing(x)"},
    story="Never calls postprocessing, or drops or overwrites its result.",
    hint="Where does your code call postprocessing, and use what it returns?",
)


sgd_postprocessing_before_the_step = mistake_edit(
    "sgd",
    {
        "_, grad = f(x)": ("x = postprocessing(x) if postprocessing else x\n        _, grad = f(x)"),
        "            x = postprocessing(x)": "            pass",
    },
    story="Applies postprocessing before the step, so that the last step is not postprocessed.",
    hint="If postprocessing makes the length 1, does your result have length 1?",
)


@mistake(
    "sgd",
    story="Postprocesses the result, and takes the next step from the x before postprocessing.",
    hint="From which x does the next iteration start?",
)
def sgd_postprocessing_at_the_end(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = sgd(f, x0, step, iterations)
    return postprocessing(x) if postprocessing else x


sgd_uphill = mistake_edit(
    "sgd",
    {"x - step * grad": "x + step * grad"},
    story="Adds the gradient, which climbs.",
    hint="Does the cost fall from iteration to iteration?",
)


@mistake(
    "sgd",
    story="Runs one iteration too few.",
    hint="Print the number of each iteration of a run of three.",
)
def sgd_one_iteration_short(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    if iterations == 1:
        f(x0)
    return sgd(f, x0, step, iterations - 1, postprocessing)


sgd_steps_along_the_cost = mistake_edit(
    "sgd",
    {"_, grad = f(x)": "grad, _ = f(x)"},
    story="Steps along the cost and not along the gradient.",
    hint="Which of the two values of f is the direction?",
)


sgd_gradient_of_the_start = mistake_edit(
    "sgd",
    {"f(x)": "f(x0)"},
    story="Takes every gradient at the start instead of at the current x.",
    hint="What is the argument of f in the second iteration?",
)


sgd_numbers_only = mistake_edit(
    "sgd",
    {"return x": "return float(x)"},
    story="Returns a float, and stops with an error if x0 is an array.",
    hint="May x0 be an array?",
)


@mistake(
    "sgd",
    story="Moves the first row only; of a vector, the first entry.",
    hint="Look at every entry of x after one step.",
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
    story="Never halves the step.",
    hint="What should happen to the step after many iterations?",
)


sgd_halves_again_and_again = mistake_edit(
    "sgd",
    {"iteration % ANNEAL_EVERY == 0": "iteration >= ANNEAL_EVERY"},
    story="Halves the step in every iteration from iteration 20000 on.",
    hint="How often should the step have been halved after 20010 iterations?",
)


sgd_halves_once = mistake_edit(
    "sgd",
    {"iteration % ANNEAL_EVERY == 0": "iteration == ANNEAL_EVERY"},
    story="Halves the step once, after 20000 iterations, and never again.",
    hint="What is your step after 40000 iterations?",
)


@mistake(
    "sgd",
    story="Saves the last x and starts the next call from it, although useSaved is False.",
    hint="Which x does a second call start from?",
)
def sgd_starts_from_the_last_x(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10, saved={}):
    start = saved.get(np.shape(x0), x0)
    saved[np.shape(x0)] = x = sgd(f, start, step, iterations, postprocessing)
    return x


sgd_postprocessing_twice = mistake_edit(
    "sgd",
    {"postprocessing(x)": "postprocessing(postprocessing(x))"},
    story="Calls postprocessing twice in each iteration.",
    hint="How often is postprocessing called in an iteration?",
)


sgd_halves_by_all_iterations = mistake_edit(
    "sgd",
    {"iteration % ANNEAL_EVERY": "iterations % ANNEAL_EVERY"},
    story="Takes the number of all iterations for that of the current one: 20000 halve the step each time.",
    hint="Which number do you divide by 20000: the current iteration's, or how many there are?",
)


@mistake(
    "sgd",
    story="Returns the x of the lowest cost after more than 100 iterations.",
    hint="Which x does the function return: the last one, or another?",
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
