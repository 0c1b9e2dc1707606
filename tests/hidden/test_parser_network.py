"""Hidden tests of parser_network: the ReLU hidden layer, softmax cross-entropy, and their gradients.

Unequal sizes detect a wrong axis; with equal sizes, and with a single row, a wrong formula passes every test of shape.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Names, Point, Student, checks, gradient_check
from reference import parser_network as reference
from tests.hidden import special_inputs as special

Params = dict[str, np.ndarray]
LOSS_AND_GRADIENTS = ("loss", "W", "b1", "U", "b2")
SIZES = [(3, 3, 3, 3), (1, 4, 2, 5), (5, 3, 4, 2), (6, 2, 5, 3), (2, 1, 1, 2), (12, 11, 12, 11)]  # N, Dx, H, C
SCORES = [(1, 4), (3, 3), (5, 2), (2, 6), (11, 2), (3, 11), (5, 4), (4, 3)]  # N, C
# Rows whose scores are large, small, and so far apart that a probability is 0 in floating point.
LARGE_LOGITS = np.array([[1000.0, 1001.0, 999.0], [-1000.0, -1002.0, -1001.0], [0.0, 1000.0, -1000.0]])
WHOLE_LOGITS = np.array([[2, -1, 0], [-3, 1, 1], [0, 3, -2]])


def make_batch(seed: int, N: int, Dx: int, H: int, C: int) -> tuple[Params, np.ndarray, np.ndarray]:
    """Draw parameters, feature rows and labels."""
    rng = np.random.default_rng(seed)
    shapes = {"W": (Dx, H), "b1": (H,), "U": (H, C), "b2": (C,)}
    params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    return params, rng.normal(size=(N, Dx)), rng.integers(0, C, size=N)


def make_scores(seed: int, N: int, C: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw logits and labels."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, C)), rng.integers(0, C, size=N)


def make_kink() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return whole numbers x, W, b1 with the pre-activation [[0, 1, 0, -1], [7, -3, -5, 4]]: exactly 0 twice."""
    W = np.array([[2.0, 1.0, -1.0, 1.0], [-1.0, 2.0, 1.0, -1.0]])
    return np.array([[1.0, 2.0], [3.0, -1.0]]), W, np.array([0.0, -4.0, -1.0, 0.0])


def list_names(rows: np.ndarray) -> Names:
    """List the names that a failed check may use."""
    return Names(sizes={"the number of rows in the batch": len(rows)})


def check_value(student: Student, name: str, *arguments: np.ndarray) -> None:
    """Compare the array or number that a function returns with the right one."""
    got = getattr(student.parser_network, name)(*arguments)
    checks.close(f"the result of {name}", got, getattr(reference, name)(*arguments), names=name_rows(arguments[0]))


def check_calls(student: Student, name: str, calls: Sequence[tuple[np.ndarray, ...]]) -> None:
    """Compare the value of each call with the right one."""
    for arguments, got in zip(calls, getattr(student.parser_network, name).each(calls), strict=True):
        right = getattr(reference, name)(*arguments)
        special.compare(f"the result of {name}", got, right, names=name_rows(arguments[0]))


def name_rows(values: np.ndarray) -> Names:
    """List the names that a failed check may use; none where there are no rows."""
    return list_names(values) if np.ndim(values) == 2 else Names()


def vary_labels(N: int, C: int) -> list[np.ndarray]:
    """Return labels that are all of one class, for three classes, and of more than one class."""
    return [*(np.full(N, label) for label in (0, 1, C - 1)), np.arange(N) % C]


def check_backward(student: Student, calls: Sequence[tuple[np.ndarray, ...]], only: str) -> None:
    """Compare one gradient of hidden_backward in each call with the right one."""
    for arguments, value in zip(calls, student.parser_network.hidden_backward.each(calls), strict=True):
        right = name_backward(*arguments)
        got = checks.take_parts("hidden_backward", value, right)
        special.compare(only, got[only], right[only], names=list_names(arguments[1]))


def name_backward(*arguments: np.ndarray) -> dict[str, object]:
    """Name the right gradients of hidden_backward."""
    return dict(zip(("grad_x", "grad_W", "grad_b1"), reference.hidden_backward(*arguments), strict=True))


def make_backward(seed: int) -> tuple[np.ndarray, ...]:
    """Draw the arguments of hidden_backward for a batch of four rows."""
    params, x, _ = make_batch(seed, 4, 3, 5, 2)
    return np.random.default_rng(10 * seed).normal(size=(4, 5)), x, params["W"], params["b1"]


def check_backward_sizes(student: Student, only: str) -> None:
    """Compare one gradient of hidden_backward at many sizes and values with the right one."""
    calls = []
    for seed, sizes in enumerate([*SIZES, (1, 3, 6, 2)], start=790):
        params, x, _ = make_batch(seed, *sizes)
        calls.append((make_scores(seed, sizes[0], sizes[2])[0], x, params["W"], params["b1"]))
    params, x, _ = make_batch(796, 2, 3, 4, 2)
    base = (make_scores(797, 2, 4)[0], x, params["W"], params["b1"])
    special_calls = special.vary_arrays(base, range(4), 798)
    check_backward(student, [*calls, *special_calls, (base[0], x * 1e-3, params["W"], 0 * params["b1"])], only)


def check_backward_kink(student: Student, only: str) -> None:
    """Compare one gradient of hidden_backward with the right one where pre-activations are 0."""
    grad_h = np.array([[1.0, -2.0, 3.0, 4.0], [-5.0, 6.0, 7.0, -8.0]])
    check_backward(student, [(grad_h, *make_kink())], only)


def vary_batch(seed: int) -> list[tuple[Params, np.ndarray, np.ndarray]]:
    """Return a batch, and batches that differ in one parameter, in the order of the parameters, in x or in labels."""
    params, x, labels = make_batch(seed, 3, 2, 4, 3)
    orders = [dict(sorted(params.items())), dict(sorted(params.items(), reverse=True))]
    changed = [
        {**params, name: value}
        for name in params
        for value in special.make_special(params[name].shape, seed + 1, integers=False, largest=9)
    ]
    values = {0: [*changed, *orders], 1: special.make_special(x.shape, seed + 2, largest=9), 2: vary_labels(3, 3)}
    return special.vary((params, x, labels), values)  # type: ignore[return-value]


def name_grads(values: Mapping[str, object]) -> dict[str, object]:
    """Rename the values as failed checks do."""
    return {f'grads["{name}"]': value for name, value in values.items()}


def name_loss_and_gradients(params: Params, x: np.ndarray, labels: np.ndarray) -> dict[str, object]:
    """Name the right values of loss_and_gradients."""
    return dict(zip(("loss", "grads"), reference.loss_and_gradients(params, x, labels), strict=True))


def check_loss_and_gradients(
    student: Student, params: Params, x: np.ndarray, labels: np.ndarray, *, only: Sequence[str] = LOSS_AND_GRADIENTS
) -> None:
    """Compare the loss and the gradients of loss_and_gradients, or `only` some of them, with the right ones."""
    got = student.parser_network.loss_and_gradients(params, x, labels)
    right = name_loss_and_gradients(params, x, labels)
    values = checks.take_parts("loss_and_gradients", got, right)

    def evaluate(points: Sequence[Point]) -> list[tuple[object, dict[str, object]]]:
        calls = [({name: point[f'grads["{name}"]'] for name in params}, x, labels) for point in points]
        values = student.parser_network.loss_and_gradients.each(calls)
        pairs = [checks.parts("loss_and_gradients", value, ("loss", "grads")) for value in values]
        return [(loss, name_grads(checks.mapping("grads", grads, tuple(params)))) for loss, grads in pairs]

    with gradient_check.explain_gradient(student, name_grads(params), evaluate):
        if "loss" in only:
            checks.close("loss", values["loss"], right["loss"])
        compare_grads(values["grads"], right["grads"], [name for name in params if name in only], list_names(x))


def compare_grads(grads: object, right: Any, keys: Sequence[str], names: Names) -> None:
    """Compare the gradients of these parameters with the right ones."""
    if keys:
        for name, value in name_grads(checks.mapping("grads", grads, keys)).items():
            special.compare(name, value, name_grads(right)[name], names=names)


def check_sizes(student: Student, only: str) -> None:
    """Compare the loss or one gradient of loss_and_gradients at many sizes and values with the right one."""
    for seed, sizes in enumerate([*SIZES, (1, 3, 6, 2), (3, 11, 2, 2), (3, 2, 11, 2), (4, 2, 3, 11)], start=7220):
        check_loss_and_gradients(student, *make_batch(seed, *sizes), only=[only])
    params, *batch = make_batch(7228, *SIZES[-1])
    for each in [*vary_batch(7227), (params | {"U": 0 * params["U"], "b2": 0 * params["b2"]}, *batch)]:
        check_loss_and_gradients(student, *each, only=[only])
    params, x, labels = make_batch(7229, 2, 3, 4, 2)
    check_loss_and_gradients(student, params | {"b1": 0 * params["b1"]}, x * 1e-3, labels, only=[only])


@weight(0.5)
@number("7.1")
@visibility("visible")
@tags("relu")
def test_relu_matrix(student: Student) -> None:
    """relu: values on a matrix"""
    check_value(student, "relu", np.array([[-2.0, 0.0, 8.0], [0.5, -0.25, 1.5]]))


@weight(0.5)
@number("7.2")
@visibility("after_due_date")
@tags("relu")
def test_relu_shapes(student: Student) -> None:
    """relu: vectors, arrays of three axes, whole numbers"""
    rng = np.random.default_rng(72)
    drawn = [rng.normal(size=shape) for shape in [(7,), (), (1, 3), (3, 1), (2, 12), (12, 2), (3, 3), (2, 3, 4)]]
    whole = [rng.integers(-5, 5, size=(3, 5)), -np.ones((2, 2)), np.array([1000.0, -1000.0])]
    check_calls(student, "relu", [(z,) for z in (*drawn, *whole, *special.make_special((2, 3), 72))])


@weight(1)
@number("7.3")
@visibility("visible")
@tags("hidden_forward")
def test_hidden_forward_batch(student: Student) -> None:
    """hidden_forward: a batch of four rows"""
    params, x, _ = make_batch(73, 4, 3, 5, 2)
    check_value(student, "hidden_forward", x, params["W"], params["b1"])


@weight(1)
@number("7.4")
@visibility("after_due_date")
@tags("hidden_forward")
def test_hidden_forward_sizes(student: Student) -> None:
    """hidden_forward: one row, square and other sizes, one argument changed at a time"""
    sizes = [*SIZES, (4, 2, 1, 2), (3, 6, 2, 2), (5, 3, 3, 2)]
    batches = [make_batch(seed, *each) for seed, each in enumerate(sizes, start=740)]
    calls = [(x, params["W"], params["b1"]) for params, x, _ in batches]
    params, x, _ = make_batch(746, 2, 3, 4, 2)
    check_calls(
        student, "hidden_forward", [*calls, *special.vary_arrays((x, params["W"], params["b1"]), range(3), 747)]
    )


@weight(0.75)
@number("7.5")
@visibility("visible")
@tags("hidden_jacobian")
def test_hidden_jacobian_values(student: Student) -> None:
    """hidden_jacobian: more hidden units than features"""
    params, x, _ = make_batch(75, 1, 3, 5, 2)
    check_value(student, "hidden_jacobian", x[0], params["W"], params["b1"])


@weight(1)
@number("7.6")
@visibility("after_due_date")
@tags("hidden_jacobian")
def test_hidden_jacobian_sizes(student: Student) -> None:
    """hidden_jacobian: square and other sizes, one argument changed at a time"""
    several = [*SIZES, (1, 4, 4, 2), (1, 1, 6, 2), (1, 6, 1, 2), (1, 1, 3, 2), (1, 1, 2, 2)]
    batches = [make_batch(seed, *sizes) for seed, sizes in enumerate(several, start=760)]
    calls = [(x[0], params["W"], params["b1"]) for params, x, _ in batches]
    params, x, _ = make_batch(766, 1, 3, 4, 2)
    changed = special.vary_arrays((x[0], params["W"], params["b1"]), range(3), 767)
    check_calls(student, "hidden_jacobian", [*calls, *changed])


@weight(0.5)
@number("7.7")
@visibility("after_due_date")
@tags("hidden_jacobian")
def test_hidden_jacobian_kink(student: Student) -> None:
    """hidden_jacobian: the slope of ReLU is 0 where its argument is 0"""
    x, W, b1 = make_kink()
    check_value(student, "hidden_jacobian", x[0], W, b1)


@weight(0.5)
@number("7.8")
@visibility("visible")
@tags("hidden_backward")
def test_hidden_backward_x(student: Student) -> None:
    """hidden_backward: grad_x, a batch of four rows"""
    check_backward(student, [make_backward(78)], "grad_x")


@weight(0.5)
@number("7.9")
@visibility("visible")
@tags("hidden_backward")
def test_hidden_backward_W(student: Student) -> None:
    """hidden_backward: grad_W, a batch of four rows"""
    check_backward(student, [make_backward(78)], "grad_W")


@weight(0.25)
@number("7.10")
@visibility("visible")
@tags("hidden_backward")
def test_hidden_backward_b1(student: Student) -> None:
    """hidden_backward: grad_b1, a batch of four rows"""
    check_backward(student, [make_backward(78)], "grad_b1")


@weight(0.25)
@number("7.11")
@visibility("visible")
@tags("hidden_backward")
def test_hidden_backward_order(student: Student) -> None:
    """hidden_backward: the order of the three gradients"""
    arguments = make_backward(78)
    got = student.parser_network.hidden_backward(*arguments)
    checks.require_order("hidden_backward", got, name_backward(*arguments))


@weight(0.25)
@number("7.12")
@visibility("after_due_date")
@tags("hidden_backward")
def test_hidden_backward_sizes_x(student: Student) -> None:
    """hidden_backward: grad_x, one row, square and other sizes, one argument changed at a time"""
    check_backward_sizes(student, "grad_x")


@weight(0.25)
@number("7.13")
@visibility("after_due_date")
@tags("hidden_backward")
def test_hidden_backward_sizes_W(student: Student) -> None:
    """hidden_backward: grad_W, one row, square and other sizes, one argument changed at a time"""
    check_backward_sizes(student, "grad_W")


@weight(0.25)
@number("7.14")
@visibility("after_due_date")
@tags("hidden_backward")
def test_hidden_backward_sizes_b1(student: Student) -> None:
    """hidden_backward: grad_b1, one row, square and other sizes, one argument changed at a time"""
    check_backward_sizes(student, "grad_b1")


@weight(0.25)
@number("7.15")
@visibility("after_due_date")
@tags("hidden_backward")
def test_hidden_backward_kink_x(student: Student) -> None:
    """hidden_backward: grad_x, the slope of ReLU is 0 where its argument is 0"""
    check_backward_kink(student, "grad_x")


@weight(0.25)
@number("7.16")
@visibility("after_due_date")
@tags("hidden_backward")
def test_hidden_backward_kink_W(student: Student) -> None:
    """hidden_backward: grad_W, the slope of ReLU is 0 where its argument is 0"""
    check_backward_kink(student, "grad_W")


@weight(0.25)
@number("7.17")
@visibility("after_due_date")
@tags("hidden_backward")
def test_hidden_backward_kink_b1(student: Student) -> None:
    """hidden_backward: grad_b1, the slope of ReLU is 0 where its argument is 0"""
    check_backward_kink(student, "grad_b1")


@weight(1)
@number("7.18")
@visibility("visible")
@tags("softmax")
def test_softmax_rows(student: Student) -> None:
    """softmax: every row of a matrix"""
    check_value(student, "softmax", np.random.default_rng(711).normal(size=(4, 3)))


@weight(0.75)
@number("7.19")
@visibility("after_due_date")
@tags("softmax")
def test_softmax_sizes(student: Student) -> None:
    """softmax: one row, square and other sizes, equal scores"""
    shapes = [(1, 5), (4, 2), (3, 3), (2, 6), (11, 3), (3, 11), (5, 4), (4, 3), (7, 2)]
    drawn = [np.random.default_rng(seed).normal(size=shape, scale=2) for seed, shape in enumerate(shapes, start=7120)]
    scores = [*drawn, *special.make_special((2, 3), 7126, integers=False)]
    check_calls(student, "softmax", [(each,) for each in scores])


@weight(0.5)
@number("7.20")
@visibility("after_due_date")
@tags("softmax")
def test_softmax_keeps_its_argument(student: Student) -> None:
    """softmax: the argument is not changed"""
    logits, other = np.random.default_rng(713).normal(size=(2, 3, 3))
    got, (after,) = student.parser_network.softmax.with_arguments(logits)
    special.require_work("softmax", {"the result of softmax": logits}, [got], [student.parser_network.softmax(other)])
    checks.unchanged("logits", logits, after)


@weight(0.25)
@number("7.21")
@visibility("after_due_date")
@tags("softmax", "robustness")
def test_softmax_stable(student: Student) -> None:
    """softmax: scores of 1000 and -1000, integers"""
    check_value(student, "softmax", LARGE_LOGITS)
    check_value(student, "softmax", WHOLE_LOGITS)


@weight(1)
@number("7.22")
@visibility("visible")
@tags("cross_entropy")
def test_cross_entropy_batch(student: Student) -> None:
    """cross_entropy: a batch of four rows"""
    scores, labels = make_scores(715, 4, 3)
    student.parser_network.cross_entropy(scores, labels[::-1])  # decides nothing of the next call
    check_value(student, "cross_entropy", scores, labels)


@weight(1.25)
@number("7.23")
@visibility("after_due_date")
@tags("cross_entropy")
def test_cross_entropy_sizes(student: Student) -> None:
    """cross_entropy: one row, square and other sizes, one argument changed at a time"""
    calls = [make_scores(716, *sizes) for sizes in SCORES]
    scores, labels = make_scores(7160, 3, 4)
    values = {0: special.make_special((3, 4), 7161, integers=False, largest=12), 1: vary_labels(3, 4)}
    check_calls(student, "cross_entropy", [*calls, *special.vary((scores, labels), values)])  # type: ignore[list-item]


@weight(0.25)
@number("7.24")
@visibility("after_due_date")
@tags("cross_entropy", "robustness")
def test_cross_entropy_stable(student: Student) -> None:
    """cross_entropy: scores of 1000 and -1000, integers"""
    for row, label in ((0, 0), (1, 2), (2, 0)):
        check_value(student, "cross_entropy", LARGE_LOGITS[[row]], np.array([label]))
    for logits in (LARGE_LOGITS, WHOLE_LOGITS):
        check_value(student, "cross_entropy", logits, np.array([0, 2, 1]))


@weight(0.75)
@number("7.25")
@visibility("visible")
@tags("cross_entropy_grad")
def test_cross_entropy_grad_batch(student: Student) -> None:
    """cross_entropy_grad: a batch of four rows"""
    check_value(student, "cross_entropy_grad", *make_scores(718, 4, 3))


@weight(1.25)
@number("7.26")
@visibility("after_due_date")
@tags("cross_entropy_grad")
def test_cross_entropy_grad_sizes(student: Student) -> None:
    """cross_entropy_grad: one row, square and other sizes, one argument changed at a time"""
    calls = [make_scores(719, *sizes) for sizes in SCORES]
    scores, labels = make_scores(7190, 3, 4)
    values = {0: special.make_special((3, 4), 7191, integers=False, largest=12), 1: vary_labels(3, 4)}
    check_calls(student, "cross_entropy_grad", [*calls, *special.vary((scores, labels), values)])  # type: ignore[list-item]


@weight(0.25)
@number("7.27")
@visibility("after_due_date")
@tags("cross_entropy_grad", "robustness")
def test_cross_entropy_grad_stable(student: Student) -> None:
    """cross_entropy_grad: scores of 1000 and -1000, integers"""
    for logits in (LARGE_LOGITS, WHOLE_LOGITS):
        check_value(student, "cross_entropy_grad", logits, np.array([0, 2, 0]))


@weight(0.25)
@number("7.28")
@visibility("visible")
@tags("loss_and_gradients")
def test_loss_and_gradients_loss(student: Student) -> None:
    """loss_and_gradients: the loss, a batch of four rows"""
    check_loss_and_gradients(student, *make_batch(721, 4, 3, 5, 2), only=["loss"])


@weight(0.25)
@number("7.29")
@visibility("visible")
@tags("loss_and_gradients")
def test_loss_and_gradients_W(student: Student) -> None:
    """loss_and_gradients: the gradient of W, a batch of four rows"""
    check_loss_and_gradients(student, *make_batch(721, 4, 3, 5, 2), only=["W"])


@weight(0.25)
@number("7.30")
@visibility("visible")
@tags("loss_and_gradients")
def test_loss_and_gradients_b1(student: Student) -> None:
    """loss_and_gradients: the gradient of b1, a batch of four rows"""
    check_loss_and_gradients(student, *make_batch(721, 4, 3, 5, 2), only=["b1"])


@weight(0.25)
@number("7.31")
@visibility("visible")
@tags("loss_and_gradients")
def test_loss_and_gradients_U(student: Student) -> None:
    """loss_and_gradients: the gradient of U, a batch of four rows"""
    check_loss_and_gradients(student, *make_batch(721, 4, 3, 5, 2), only=["U"])


@weight(0.25)
@number("7.32")
@visibility("visible")
@tags("loss_and_gradients")
def test_loss_and_gradients_b2(student: Student) -> None:
    """loss_and_gradients: the gradient of b2, a batch of four rows"""
    check_loss_and_gradients(student, *make_batch(721, 4, 3, 5, 2), only=["b2"])


@weight(0.25)
@number("7.33")
@visibility("visible")
@tags("loss_and_gradients")
def test_loss_and_gradients_order(student: Student) -> None:
    """loss_and_gradients: the order of the loss and the gradients"""
    batch = make_batch(721, 4, 3, 5, 2)
    got = student.parser_network.loss_and_gradients(*batch)
    checks.require_order("loss_and_gradients", got, name_loss_and_gradients(*batch))


@weight(0.25)
@number("7.34")
@visibility("after_due_date")
@tags("loss_and_gradients")
def test_loss_and_gradients_sizes_loss(student: Student) -> None:
    """loss_and_gradients: the loss, one row, square and other sizes, one argument changed at a time"""
    check_sizes(student, "loss")


@weight(0.25)
@number("7.35")
@visibility("after_due_date")
@tags("loss_and_gradients")
def test_loss_and_gradients_sizes_W(student: Student) -> None:
    """loss_and_gradients: the gradient of W, one row, square and other sizes, one argument changed at a time"""
    check_sizes(student, "W")


@weight(0.25)
@number("7.36")
@visibility("after_due_date")
@tags("loss_and_gradients")
def test_loss_and_gradients_sizes_b1(student: Student) -> None:
    """loss_and_gradients: the gradient of b1, one row, square and other sizes, one argument changed at a time"""
    check_sizes(student, "b1")


@weight(0.25)
@number("7.37")
@visibility("after_due_date")
@tags("loss_and_gradients")
def test_loss_and_gradients_sizes_U(student: Student) -> None:
    """loss_and_gradients: the gradient of U, one row, square and other sizes, one argument changed at a time"""
    check_sizes(student, "U")


@weight(0.25)
@number("7.38")
@visibility("after_due_date")
@tags("loss_and_gradients")
def test_loss_and_gradients_sizes_b2(student: Student) -> None:
    """loss_and_gradients: the gradient of b2, one row, square and other sizes, one argument changed at a time"""
    check_sizes(student, "b2")


@weight(0.5)
@number("7.39")
@visibility("after_due_date")
@tags("loss_and_gradients")
def test_loss_and_gradients_kink(student: Student) -> None:
    """loss_and_gradients: the gradients of W and b1, the slope of ReLU is 0 where its argument is 0"""
    x, W, b1 = make_kink()
    params = {"W": W, "b1": b1, "U": np.arange(12.0).reshape(4, 3) % 5, "b2": np.array([1.0, -2.0, 3.0])}
    check_loss_and_gradients(student, params, x, np.array([2, 0]), only=["W", "b1"])


@weight(0.25)
@number("7.40")
@visibility("after_due_date")
@tags("loss_and_gradients", "robustness")
def test_loss_and_gradients_stable(student: Student) -> None:
    """loss_and_gradients: scores of 1000 and -1000, one feature, integers"""
    params, *batch = make_batch(724, 4, 1, 3, 3)
    for b2 in LARGE_LOGITS:
        check_loss_and_gradients(student, params | {"b2": b2}, *batch)
    ones = {name: np.ones(value.shape) for name, value in params.items()}
    unequal = ones | {"b1": 0 * params["b1"], "U": LARGE_LOGITS}  # the scores of the second row are 1000 times smaller
    check_loss_and_gradients(student, unequal, np.array([[1.0], [0.001]]), np.array([0, 1]))
    rng = np.random.default_rng(7240)
    whole = {name: rng.integers(-3, 4, size=value.shape) for name, value in params.items()}
    for changed in (*({name: value} for name, value in whole.items()), whole):
        check_loss_and_gradients(student, params | changed, *batch)


@weight(0.25)
@number("7.41")
@visibility("visible")
@tags("hidden_jacobian")
def test_hidden_jacobian_own_gradient(student: Student) -> None:
    """hidden_jacobian: gradient check, the Jacobian beside your own hidden_forward"""
    params, x, _ = make_batch(725, 1, 3, 4, 2)
    weights = (params["W"], params["b1"])
    jacobian = checks.array("hidden_jacobian", student.parser_network.hidden_jacobian(x[0], *weights), (4, 3))
    steps = (1e-4, 1e-2)
    shifts = [step * sign * row for step in steps for row in np.eye(3) for sign in (1, -1)]
    values = student.parser_network.hidden_forward.each([(x + shift, *weights) for shift in shifts])
    compare_hidden_slopes(jacobian, values, steps)


@checks.reads_replies
def compare_hidden_slopes(jacobian: np.ndarray, values: Sequence[object], steps: Sequence[float]) -> None:
    """Compare a Jacobian of shape (4, 3) with differences of values of hidden_forward, by step, entry of x and side."""
    h = np.array([checks.array("hidden_forward", value, (1, 4))[0] for value in values]).reshape(2, 3, 2, 4)
    slopes = [((each[:, 0] - each[:, 1]) / (2 * step)).T for step, each in zip(steps, h, strict=True)]  # (H, Dx)
    checks.require(bool(np.any(slopes[0])), "hidden_forward", "values that depend on x", "values that do not")
    gradient_check.require_slopes("hidden_jacobian", jacobian, slopes, of="your own hidden_forward")


@weight(0.25)
@number("7.42")
@visibility("visible")
@tags("cross_entropy_grad")
def test_cross_entropy_grad_own_gradient(student: Student) -> None:
    """cross_entropy_grad: gradient check, the gradient beside your own cross_entropy"""
    logits, labels = make_scores(726, 3, 4)
    gradient = student.parser_network.cross_entropy_grad(logits, labels)

    def evaluate(points: Sequence[Point]) -> list[object]:
        return student.parser_network.cross_entropy.each([(point["cross_entropy_grad"], labels) for point in points])

    found = {"cross_entropy_grad": gradient}
    gradient_check.require_own_gradient(found, {"cross_entropy_grad": logits}, evaluate, of="your own cross_entropy")


@weight(0.5)
@number("7.43")
@visibility("visible")
@tags("loss_and_gradients")
def test_loss_and_gradients_own_gradient(student: Student) -> None:
    """loss_and_gradients: gradient check, the gradients beside your own loss"""
    params, x, labels = make_batch(727, 3, 2, 3, 3)
    got = student.parser_network.loss_and_gradients(params, x, labels)
    right = name_loss_and_gradients(params, x, labels)
    place = checks.find_places("loss_and_gradients", got, right)["loss"]

    def evaluate(points: Sequence[Point]) -> list[object]:
        calls = [({name: point[f'grads["{name}"]'] for name in params}, x, labels) for point in points]
        return student.parser_network.loss_and_gradients.each(calls, part=place)

    grads = checks.take_parts("loss_and_gradients", got, right)["grads"]
    gradients = name_grads(checks.mapping("grads", grads, tuple(params)))
    gradient_check.require_own_gradient(gradients, name_grads(params), evaluate)
