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


@mistake("sgd", story="Runs one iteration too few.", hint="Print the number of each iteration of a run of three.")
def sgd_one_iteration_short(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    if iterations == 1:
        f(x0)
    return sgd(f, x0, step, iterations - 1, postprocessing)


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


@mistake(
    "sgd",
    story="Saves the last x and starts the next call from it, although useSaved is False.",
    hint="Which x does a second call start from?",
)
def sgd_starts_from_the_last_x(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10, saved={}):
    start = saved.get(np.shape(x0), x0)
    saved[np.shape(x0)] = x = sgd(f, start, step, iterations, postprocessing)
    return x


sgd_momentum = mistake_edit(
    "sgd",
    {
        "    x = x0\n": "    x = x0\n    velocity = 0.0\n",
        "x = x - step * grad": "velocity = 0.9 * velocity + grad\n        x = x - step * velocity",
    },
    story="Steps along a sum of all gradients so far (momentum).",
    hint="Does your step depend on gradients of earlier iterations?",
)


sgd_one_iteration_more = mistake_edit(
    "sgd",
    {"iterations + 1": "iterations + 2"},
    story="Runs one iteration too many.",
    hint="How often is f called if iterations is 1?",
)


sgd_postprocesses_the_gradient = mistake_edit(
    "sgd",
    {
        "x - step * grad": "x - step * (postprocessing(grad) if postprocessing else grad)",
        "x = postprocessing(x)": "pass",
    },
    story="Applies postprocessing to the gradient, and not to x.",
    hint="What does postprocessing take, and what does it return?",
)
