"""Known wrong answers of descent."""

from reference.descent import descend

from tests.mistakes import mistake


@mistake(
    "descend",
    story="Calls postprocessing and drops or overwrites its result.",
    hint="Does postprocessing change its argument, or may it return a new value?",
)
def descend_postprocessing_dropped(f, x0, step, iterations, postprocessing=None):
    def unchanged(x):
        postprocessing(x)
        return x

    return descend(f, x0, step, iterations, unchanged if postprocessing else None)


@mistake("descend", story="Never calls postprocessing.", hint="Where does postprocessing occur in your code?")
def descend_postprocessing_never(f, x0, step, iterations, postprocessing=None):
    return descend(f, x0, step, iterations)


@mistake(
    "descend",
    story="Applies postprocessing before the step, so that the last step is not postprocessed.",
    hint="If postprocessing makes the length 1, does your result have length 1?",
)
def descend_postprocessing_before_the_step(f, x0, step, iterations, postprocessing=None):
    x = x0
    for iteration in range(1, iterations + 1):
        if postprocessing:
            x = postprocessing(x)
        _, grad = f(x)
        x = x - step * grad
        if iteration % 50 == 0:
            step *= 0.5
    return x


@mistake("descend", story="Adds the gradient, which climbs.", hint="Does the cost fall from iteration to iteration?")
def descend_uphill(f, x0, step, iterations, postprocessing=None):
    return descend(f, x0, -step, iterations, postprocessing)


@mistake("descend", story="Runs one iteration too few.", hint="Print the number of each iteration of a run of three.")
def descend_one_iteration_short(f, x0, step, iterations, postprocessing=None):
    if iterations == 1:
        f(x0)
    return descend(f, x0, step, iterations - 1, postprocessing)


@mistake(
    "descend",
    story="Steps along the cost and not along the gradient.",
    hint="Which of the two values of f is the direction?",
)
def descend_steps_along_the_cost(f, x0, step, iterations, postprocessing=None):
    def first_only(x):
        cost, _ = f(x)
        return cost, cost

    return descend(first_only, x0, step, iterations, postprocessing)


@mistake("descend", story="Never halves the step.", hint="What should happen to the step after many iterations?")
def descend_never_halves(f, x0, step, iterations, postprocessing=None):
    x = x0
    for _ in range(iterations):
        _, grad = f(x)
        x = x - step * grad
        if postprocessing:
            x = postprocessing(x)
    return x


@mistake(
    "descend",
    story="Calls postprocessing twice in each iteration.",
    hint="How often is postprocessing called in an iteration?",
)
def descend_postprocessing_twice(f, x0, step, iterations, postprocessing=None):
    if not postprocessing:
        return descend(f, x0, step, iterations)
    return descend(f, x0, step, iterations, lambda x: postprocessing(postprocessing(x)))
