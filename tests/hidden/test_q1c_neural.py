"""Hidden tests of q1c_neural: one sigmoid hidden layer and softmax, its probability, cost and gradients."""

import contextlib
from collections.abc import Sequence

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import CheckFailed, Names, Point, Student, checks, gradient_check
from reference import q1c_neural as reference
from tests.hidden import special_inputs as special

COST_AND_GRADIENT = ("cost", "grad")
Batch = tuple[np.ndarray, np.ndarray, np.ndarray, tuple[int, int, int]]

# Output biases that make the scores large, small, and so far apart that a probability is 0 in floating point.
LARGE_BIASES = np.array([[1000.0, 1001.0, 999.0], [-1000.0, -1002.0, -1001.0], [0.0, 1000.0, -1000.0]])


def make_batch(seed: int, N: int, Dx: int, H: int, Dy: int) -> Batch:
    """Draw data, one-hot labels and flat parameters; return them with the dimensions."""
    rng = np.random.default_rng(seed)
    params = rng.normal(size=(Dx + 1) * H + (H + 1) * Dy)
    return rng.normal(size=(N, Dx)), np.eye(Dy)[rng.integers(0, Dy, size=N)], params, (Dx, H, Dy)


def make_large_batches(seed: int, N: int) -> list[Batch]:
    """Make three batches of one feature and three classes with large scores."""
    data, labels, params, dimensions = make_batch(seed, N, 1, 4, 3)
    return [(data, labels, np.concatenate([params[:-3], biases]), dimensions) for biases in LARGE_BIASES]


def make_saturated_batch(seed: int, N: int) -> Batch:
    """Make a batch of one feature whose hidden units have pre-activations of about 1000 and -1000."""
    data, labels, params, dimensions = make_batch(seed, N, 1, 4, 3)
    params[:4] = np.sign(params[:4])
    return np.sign(data) * 1000, labels, params, dimensions


def make_unequal_batch() -> Batch:
    """Make a batch of two rows, whose hidden units are about 0 and 1, so that their scores are of different size."""
    params = np.concatenate([np.full(2, 8.0), np.zeros(2), [900.0, 901.0, 899.0, 1.0, -2.0, 3.0], np.zeros(3)])
    return np.array([[1.0], [-1.0]]), np.eye(3)[[0, 2]], params, (1, 2, 3)


def vary_batch(seed: int, N: int) -> list[Batch]:
    """Return a batch, and batches that differ from it in the data, the labels or the parameters."""
    data, labels, params, dimensions = make_batch(seed, N, 2, 4, 3)
    classes = [np.eye(3)[np.full(N, label)] for label in range(3)]
    values = {
        0: special.make_special(data.shape, seed + 1, largest=9),
        1: classes,
        2: [
            *special.make_special(params.shape, seed + 2, largest=9),
            params * 3,
            np.concatenate([params[:12], params[12:] * 12]),
        ],
    }
    return special.vary((data, labels, params, dimensions), values)  # type: ignore[return-value]


def list_names(batch: Batch) -> Names:
    """List the names that a failed check may use: the parts of the flat gradient, and the size of the batch."""
    data, _, _, (Dx, H, Dy) = batch
    ends = np.cumsum([0, Dx * H, H, H * Dy, Dy])
    parts = zip(("W1", "b1", "W2", "b2"), ends[:-1], ends[1:], strict=True)
    rows = {f"the gradient of {name}": range(start, end) for name, start, end in parts}
    return Names(rows=rows, sizes={"the number of rows in the batch": len(data)})


@checks.reads_replies
def compare_gradient(values: np.ndarray, right_sum: np.ndarray, batch: Batch) -> None:
    """Compare the gradient of a batch with the right one; a mean over the batch is accepted, like a sum."""
    N = len(batch[0])
    is_mean = np.abs(values - right_sum / N).max() < np.abs(values - right_sum).max()
    right = right_sum / N if is_mean else right_sum
    checks.close("grad, a sum or a mean as your cost is", values, right, names=list_names(batch))


def take_cost(value: object) -> tuple[object, ...]:
    """Split the value of forward_backward_prop into its cost and its gradient."""
    return checks.parts("forward_backward_prop", value, ("cost", "grad"))


def check_cost_and_gradient(student: Student, *batches: Batch, only: Sequence[str] = COST_AND_GRADIENT) -> None:
    """Compare cost and gradient, or `only` one of them, with the right ones, whatever their order.

    A mean over the batch in both is accepted, like a sum.
    """
    note_means(student, [check_batch(student, batch, only) for batch in batches])


@checks.reads_replies
def note_means(student: Student, divisors: list[int]) -> None:
    """Write a note where the student divides by the size of the batch."""
    if max(divisors) > 1:
        student.note("Your cost and gradient are means over the batch; the text asks for sums. Both are accepted here.")


@checks.reads_replies
def choose_divisor(cost: float, right_sum: float, N: int) -> int:
    """Return N where the cost is nearer to the mean over the batch than to the sum, else 1."""
    return N if abs(cost - right_sum / N) < abs(cost - right_sum) else 1


@checks.reads_replies
def choose_scale(cost: object, grad: object, right_cost: float, right_grad: np.ndarray, N: int) -> int:
    """Return N where the cost is a mean, else 1; where it is neither sum nor mean, the gradient decides."""
    with contextlib.suppress(CheckFailed):  # where the cost is no number
        value = checks.scalar("cost", cost)
        divisor = choose_divisor(value, right_cost, N)
        if np.isclose(value, right_cost / divisor, rtol=1e-4):
            return divisor
    values = checks.array("grad", grad, right_grad.shape)
    is_mean = np.abs(values - right_grad / N).max() < np.abs(values - right_grad).max()
    return N if is_mean else 1


def list_scales(batch: Batch) -> list[dict[str, object]]:
    """List the right cost and gradient by name, as sums and as means."""
    cost, grad = reference.forward_backward_prop(*batch)
    return [{"cost": cost / divisor, "grad": grad / divisor} for divisor in (1, len(batch[0]))]


def take_either(got: object, batch: Batch) -> tuple[object, object]:
    """Find the cost and the gradient, sums or means, whatever their order."""
    for right in list_scales(batch):
        got = tuple(checks.take_parts("forward_backward_prop", got, right).values())
    cost, grad = take_cost(got)
    return cost, grad


def find_cost(got: object, batch: Batch) -> int:
    """Find the place of the cost, 0 unless it is right at the other."""
    sums, means = (checks.find_places("forward_backward_prop", got, right)["cost"] for right in list_scales(batch))
    return sums or means


def check_batch(student: Student, batch: Batch, only: Sequence[str]) -> int:
    """Compare the values in `only` of one batch with the right ones; returns the divisor that the student used."""
    cost, grad = take_either(student.q1c_neural.forward_backward_prop(*batch), batch)
    right_cost, right_grad = reference.forward_backward_prop(*batch)
    N = len(batch[0])
    if "cost" in only:
        divisor = choose_divisor(checks.scalar("cost", cost), right_cost, N)
    else:
        divisor = choose_scale(cost, grad, right_cost, right_grad, N)

    def evaluate(points: Sequence[Point]) -> list[tuple[object, dict[str, object]]]:
        calls = [(*batch[:2], point["grad"], batch[3]) for point in points]
        values = student.q1c_neural.forward_backward_prop.each(calls)
        return [(cost, {"grad": grad}) for cost, grad in map(take_cost, values)]

    with gradient_check.explain_gradient(student, {"grad": batch[2]}, evaluate):
        if "cost" in only:
            checks.close("cost", cost, right_cost / divisor)
        if "grad" in only:
            checks.close("grad, a sum or a mean as your cost is", grad, right_grad / divisor, names=list_names(batch))
    return divisor


def check_sizes(student: Student, only: str) -> None:
    """Compare the cost or the gradient at several sizes and values with the right one."""
    sizes = [(6, 2, 3, 4), (3, 5, 4, 2), (5, 4, 2, 3), (2, 7, 5, 6), (12, 11, 1, 12), (1, 1, 12, 2)]
    drawn = [make_batch(seed, *each) for seed, each in enumerate(sizes, start=980)]
    check_cost_and_gradient(student, *drawn, *vary_batch(986, 3), only=[only])


@weight(1.25)
@number("9.1")
@visibility("visible")
@tags("sigmoid_grad")
def test_sigmoid_grad_matrix(student: Student) -> None:
    """sigmoid_grad: from values of the sigmoid"""
    s = np.array([[0.2, 0.5, 0.9], [0.75, 0.1, 0.4]])
    checks.close("sigmoid_grad(s)", student.q1c_neural.sigmoid_grad(s), reference.sigmoid_grad(s))


@weight(0.75)
@number("9.2")
@visibility("after_due_date")
@tags("sigmoid_grad")
def test_sigmoid_grad_shapes(student: Student) -> None:
    """sigmoid_grad: vectors, three axes, and the ends 0 and 1"""
    rng = np.random.default_rng(92)
    drawn = [rng.uniform(size=shape) for shape in [(7,), (2, 3, 4), (1, 4), (4, 1), (12, 2), (2, 12), (3, 3), (3, 3)]]
    ends = [np.array([0.0, 0.3, 1.0]), np.zeros((2, 2)), np.ones((2, 2))]
    calls = [(s,) for s in (*drawn, *ends)]
    special.check_calls(student, "q1c_neural", "sigmoid_grad", reference.sigmoid_grad, calls, ["sigmoid_grad(s)"])


@weight(0.5)
@number("9.3")
@visibility("after_due_date")
@tags("sigmoid_grad")
def test_sigmoid_grad_numbers(student: Student) -> None:
    """sigmoid_grad: single numbers"""
    calls = [(s,) for s in (0.3, 0.0, 1.0, 0.1, 0.9)]
    special.check_calls(student, "q1c_neural", "sigmoid_grad", reference.sigmoid_grad, calls, ["sigmoid_grad(s)"])


@weight(1.5)
@number("9.4")
@visibility("visible")
@tags("forward")
def test_forward_probability(student: Student) -> None:
    """forward: the probability of a class"""
    data, _, params, dimensions = make_batch(93, 1, 3, 5, 4)
    student.q1c_neural.forward(data, 2, -params, dimensions)  # decides nothing of the next call
    got = student.q1c_neural.forward(data, 2, params, dimensions)
    checks.close("forward(data, label, params, dimensions)", got, reference.forward(data, 2, params, dimensions))


@weight(2.25)
@number("9.5")
@visibility("after_due_date")
@tags("forward")
def test_forward_classes(student: Student) -> None:
    """forward: every class, several sizes, one argument changed at a time"""
    several = [(1, 4, 2, 3), (1, 3, 3, 3), (1, 3, 4, 2), (1, 2, 3, 6), (1, 12, 1, 8), (1, 1, 12, 2)]
    for seed, sizes in enumerate(several, start=940):
        data, _, params, dimensions = make_batch(seed, *sizes)
        for label in range(sizes[-1]):
            got = student.q1c_neural.forward(data, label, params, dimensions)
            right = reference.forward(data, label, params, dimensions)
            checks.close("forward(data, label, params, dimensions)", got, right)
    calls = [(*each[:1], 1, *each[2:]) for each in vary_batch(945, 1)]
    names = ["forward(data, label, params, dimensions)"]
    special.check_calls(student, "q1c_neural", "forward", reference.forward, calls, names)


@weight(0.25)
@number("9.6")
@visibility("after_due_date")
@tags("forward", "robustness")
def test_forward_stable(student: Student) -> None:
    """forward: scores of 1000 and -1000, at the output and at hidden units, one feature"""
    for data, _, params, dimensions in (*make_large_batches(95, 1), make_saturated_batch(951, 1)):
        got = student.q1c_neural.forward(data, 1, params, dimensions)
        checks.close("forward(data, label, params, dimensions)", got, reference.forward(data, 1, params, dimensions))


@weight(0.25)
@number("9.7")
@visibility("visible")
@tags("forward_backward_prop")
def test_forward_backward_prop_one_row_cost(student: Student) -> None:
    """forward_backward_prop: the cost, one example"""
    check_cost_and_gradient(student, make_batch(96, 1, 3, 5, 2), only=["cost"])


@weight(0.5)
@number("9.8")
@visibility("visible")
@tags("forward_backward_prop")
def test_forward_backward_prop_one_row_grad(student: Student) -> None:
    """forward_backward_prop: the gradient, one example"""
    check_cost_and_gradient(student, make_batch(96, 1, 3, 5, 2), only=["grad"])


@weight(0.25)
@number("9.9")
@visibility("visible")
@tags("forward_backward_prop")
def test_forward_backward_prop_order(student: Student) -> None:
    """forward_backward_prop: the order of the cost and the gradient"""
    batch = make_batch(96, 1, 3, 5, 2)
    got = student.q1c_neural.forward_backward_prop(*batch)
    checks.require_order("forward_backward_prop", got, list_scales(batch)[0])


@weight(0.25)
@number("9.10")
@visibility("visible")
@tags("forward_backward_prop")
def test_forward_backward_prop_batch_cost(student: Student) -> None:
    """forward_backward_prop: the cost, a batch of four examples"""
    check_cost_and_gradient(student, make_batch(97, 4, 3, 5, 2), only=["cost"])


@weight(2.25)
@number("9.11")
@visibility("visible")
@tags("forward_backward_prop")
def test_forward_backward_prop_batch_grad(student: Student) -> None:
    """forward_backward_prop: the gradient, a batch of four examples"""
    check_cost_and_gradient(student, make_batch(97, 4, 3, 5, 2), only=["grad"])


@weight(0.5)
@number("9.12")
@visibility("after_due_date")
@tags("forward_backward_prop")
def test_forward_backward_prop_sizes_cost(student: Student) -> None:
    """forward_backward_prop: the cost, several sizes, one argument changed at a time"""
    check_sizes(student, "cost")


@weight(2)
@number("9.13")
@visibility("after_due_date")
@tags("forward_backward_prop")
def test_forward_backward_prop_sizes_grad(student: Student) -> None:
    """forward_backward_prop: the gradient, several sizes, one argument changed at a time"""
    check_sizes(student, "grad")


@weight(0.5)
@number("9.14")
@visibility("after_due_date")
@tags("forward_backward_prop")
def test_forward_backward_prop_square_cost(student: Student) -> None:
    """forward_backward_prop: the cost, as many examples as features, hidden units and classes"""
    check_cost_and_gradient(student, make_batch(990, 3, 3, 3, 3), make_batch(991, 4, 4, 4, 4), only=["cost"])


@weight(1.5)
@number("9.15")
@visibility("after_due_date")
@tags("forward_backward_prop")
def test_forward_backward_prop_square_grad(student: Student) -> None:
    """forward_backward_prop: the gradient, as many examples as features, hidden units and classes"""
    check_cost_and_gradient(student, make_batch(990, 3, 3, 3, 3), make_batch(991, 4, 4, 4, 4), only=["grad"])


@weight(0.5)
@number("9.16")
@visibility("after_due_date")
@tags("forward_backward_prop", "robustness")
def test_forward_backward_prop_stable(student: Student) -> None:
    """forward_backward_prop: scores of 1000 and -1000, at the output and at hidden units, one feature"""
    *batches, apart = make_large_batches(910, 4)
    check_cost_and_gradient(student, *batches, make_unequal_batch(), make_saturated_batch(9100, 4))
    _, grad = take_either(student.q1c_neural.forward_backward_prop(*apart), apart)
    right = reference.forward_backward_prop(*apart)[1]
    compare_gradient(checks.array("grad", grad, right.shape), right, apart)


@weight(1.25)
@number("9.17")
@visibility("visible")
@tags("grad_input")
def test_grad_input_batch(student: Student) -> None:
    """grad_input: a batch of four examples"""
    batch = make_batch(911, 4, 3, 5, 2)
    checks.close("grad_input(...)", student.q1c_neural.grad_input(*batch), reference.grad_input(*batch))


@weight(2)
@number("9.18")
@visibility("after_due_date")
@tags("grad_input")
def test_grad_input_sizes(student: Student) -> None:
    """grad_input: one example, square and other sizes, one argument changed at a time"""
    sizes = [(1, 2, 3, 4), (3, 3, 3, 3), (3, 5, 4, 2), (6, 5, 2, 3), (12, 11, 1, 12), (2, 1, 12, 2)]
    calls = [make_batch(seed, *each) for seed, each in enumerate(sizes, start=9120)] + vary_batch(9126, 3)
    special.check_calls(student, "q1c_neural", "grad_input", reference.grad_input, calls, ["grad_input(...)"])


@weight(0.25)
@number("9.19")
@visibility("after_due_date")
@tags("grad_input", "robustness")
def test_grad_input_stable(student: Student) -> None:
    """grad_input: scores of 1000 and -1000, one feature"""
    for batch in (*make_large_batches(913, 4), make_unequal_batch()):
        checks.close("grad_input(...)", student.q1c_neural.grad_input(*batch), reference.grad_input(*batch))


@weight(1)
@number("9.20")
@visibility("visible")
@tags("forward_backward_prop")
def test_forward_backward_prop_own_gradient(student: Student) -> None:
    """forward_backward_prop: gradient check, the gradient beside your own cost"""
    data, labels, params, dimensions = batch = make_batch(914, 3, 2, 3, 2)
    got = student.q1c_neural.forward_backward_prop(*batch)
    place = find_cost(got, batch)

    def evaluate(points: Sequence[Point]) -> list[object]:
        calls = [(data, labels, point["grad"], dimensions) for point in points]
        return student.q1c_neural.forward_backward_prop.each(calls, part=place)

    gradient_check.require_own_gradient({"grad": take_either(got, batch)[1]}, {"grad": params}, evaluate)


@weight(0.5)
@number("9.21")
@visibility("visible")
@tags("grad_input")
def test_grad_input_own_gradient(student: Student) -> None:
    """grad_input: gradient check, the gradient beside your own cost"""
    data, labels, params, dimensions = batch = make_batch(915, 3, 2, 3, 2)
    got = student.q1c_neural.grad_input(*batch)
    cost = checks.scalar("cost", take_cost(student.q1c_neural.forward_backward_prop(*batch))[0])
    right = reference.forward_backward_prop(*batch)[0]

    def evaluate(points: Sequence[Point]) -> list[object]:
        calls = [(point["grad_input"], labels, params, dimensions) for point in points]
        return student.q1c_neural.forward_backward_prop.each(calls, part=0)

    factor = choose_divisor(cost, right, len(data))  # grad_input is that of the sum in any case
    of = "the cost of your own forward_backward_prop, as a sum over the batch"
    gradient_check.require_own_gradient({"grad_input": got}, {"grad_input": data}, evaluate, factor=factor, of=of)


@weight(0)
@number("9.22")
@visibility("visible")
@tags("forward_backward_prop", "advice")
def test_forward_backward_prop_finite_cost(student: Student) -> None:
    """forward_backward_prop: the cost where a probability is 0 in floating point"""
    data, _, params, dimensions = make_batch(916, 2, 1, 3, 3)
    batch = (data, np.eye(3)[[0, 2]], np.concatenate([params[:-3], [0.0, 900.0, -900.0]]), dimensions)
    cost, _ = take_cost(student.q1c_neural.forward_backward_prop(*batch))
    right, _ = reference.forward_backward_prop(*batch)
    with checks.advise("log(softmax(x)) is minus infinity where the softmax is 0; x - log(sum(exp(x))) is not."):
        found = checks.scalar("cost", cost)
        checks.close("cost", found, right / choose_divisor(found, right, 2))
