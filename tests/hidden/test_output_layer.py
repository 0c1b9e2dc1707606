"""Hidden tests of output_layer: gradients at the output units, and carried from there to the input."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Point, Student, checks, gradient_check
from reference import output_layer as reference
from tests.hidden import special_inputs as special

BACKPROP = ("loss", "grad_weights", "grad_biases", "grad_x")
Network = tuple[np.ndarray, int, list[np.ndarray], list[np.ndarray]]

# Scores that are large, small, and so far apart that a probability is 0 in floating point.
LARGE_SCORES = np.array([[1000.0, 1001.0, 999.0], [-1000.0, -1002.0, -1001.0], [0.0, 1000.0, -1000.0]])
WHOLE_SCORES = np.array([[2, -1, 0], [-3, 1, 1]])


def make_network(seed: int, *widths: int) -> Network:
    """Draw an example, a label, weights and biases of a network with these widths: input, hidden layers, classes."""
    rng = np.random.default_rng(seed)
    weights = [rng.normal(size=shape) for shape in zip(widths[1:], widths[:-1], strict=True)]
    biases = [rng.normal(size=width) for width in widths[1:]]
    return rng.normal(size=widths[0]), int(rng.integers(widths[-1])), weights, biases


def name_layers(name: str, value: object, depth: int) -> dict[str, object]:
    """Give the arrays of one value of backprop names, by layer."""
    if name == "grad_x":
        return {name: value}
    parts = checks.parts(name, value, [f"layer {k}" for k in range(depth)])
    return {f"{name}[{k}]": part for k, part in enumerate(parts)}


def name_gradients(values: Sequence[object], depth: int) -> dict[str, object]:
    """Give the gradients that backprop returns names, by layer."""
    named: dict[str, object] = {}
    for name, value in zip(BACKPROP[1:], values, strict=True):
        named |= name_layers(name, value, depth)
    return named


def name_right(*network: Any) -> dict[str, object]:
    """Name the right values of backprop."""
    return dict(zip(BACKPROP, reference.backprop(*network), strict=True))


def list_arguments(point: Point, label: int, depth: int) -> tuple[object, ...]:
    """List the arguments of backprop whose arrays have the names of their gradients."""
    lists = ([point[f"{name}[{k}]"] for k in range(depth)] for name in ("grad_weights", "grad_biases"))
    return (point["grad_x"], label, *lists)


def check_backprop(student: Student, network: Network, only: Sequence[str] = BACKPROP) -> None:
    """Compare the values of backprop, or `only` some of them, with the right ones, whatever their order."""
    x, label, weights, biases = network
    right = name_right(*network)
    got = checks.take_parts("backprop", student.output_layer.backprop(*network), right)
    at = name_gradients((weights, biases, x), len(weights))

    def evaluate(points: Sequence[Point]) -> list[tuple[object, Point]]:
        calls = [list_arguments(point, label, len(weights)) for point in points]
        values = [checks.parts("backprop", value, BACKPROP) for value in student.output_layer.backprop.each(calls)]
        return [(loss, name_gradients(found, len(weights))) for loss, *found in values]

    with gradient_check.explain_gradient(student, at, evaluate):
        compare_values(got, right, len(weights), only)


def compare_values(got: Mapping[str, Any], right: Mapping[str, Any], depth: int, only: Sequence[str]) -> None:
    """Compare these values of backprop, the arrays of each layer one by one."""
    for name in only:
        if name == "loss":
            checks.close(name, got[name], right[name])
            continue
        found = name_layers(name, got[name], depth)
        for layer, wanted in name_layers(name, right[name], depth).items():
            special.compare(layer, found[layer], wanted)


def vary_network(x: np.ndarray, label: int, weights: list[np.ndarray], biases: list[np.ndarray]) -> list[Network]:
    """Return the call, calls with other labels, and calls with a special x or a special first or last layer."""
    values: dict[int, Sequence[object]] = {0: special.make_special(x.shape, 8119), 1: range(len(biases[-1]))}
    for position, arrays in ((2, weights), (3, biases)):
        values[position] = [
            [*arrays[:layer], each, *arrays[layer + 1 :]]
            for layer in (0, len(arrays) - 1)
            for each in special.make_special(arrays[layer].shape, 8120 + layer)
        ]
    calls = special.vary((x, label, weights, biases), values)
    calls.append((x, label, weights, [biases[0] * 1000, *biases[1:]]))
    calls += [(x, other, [*weights[:-1], weights[-1] * 40], biases) for other in range(len(biases[-1]))]
    square, bias = weights[0][:3], biases[0][:3]
    return [*calls, (x, label, [square] * 3, [bias] * 3)]


def check_calls(student: Student, calls: Sequence[Network], only: str) -> None:
    """Compare one value of backprop in many calls with the right one, whatever the order of the values."""
    for call, value in zip(calls, student.output_layer.backprop.each(calls), strict=True):
        right = name_right(*call)
        compare_values(checks.take_parts("backprop", value, right), right, len(call[2]), [only])


def list_shallow() -> list[Network]:
    """List networks without a hidden layer."""
    x, _, weights, biases = make_network(812, 3, 4)
    apart = [(x, label, [weights[0] * 10], biases) for label in range(4)]
    return [make_network(810, 3, 4), make_network(811, 4, 4), *apart]


def check_deep(student: Student, only: str) -> None:
    """Compare one value of backprop for networks with two to five hidden layers."""
    deep = [(4, 2, 6, 3), (3, 3, 3, 3), (2, 5, 3, 4, 2), (3, 2, 4, 3, 2, 5, 3)]
    for seed, widths in enumerate([*deep, (12, 11, 12), (1, 7, 2), (7, 1, 8), (11, 1, 3, 11)], start=8110):
        check_backprop(student, make_network(seed, *widths), [only])
    check_calls(student, vary_network(*make_network(8118, 3, 4, 2, 3)), only)


def check_labels(student: Student, name: str, several: Sequence[np.ndarray], argument: str = "y_hat") -> None:
    """Compare the value of a function for each array and each of its labels with the right one."""
    calls = [(values, label) for values in several for label in range(len(values))]
    for call, got in zip(calls, getattr(student.output_layer, name).each(calls), strict=True):
        checks.close(f"{name}({argument}, label)", got, getattr(reference, name)(*call))


@weight(0.5)
@number("8.1")
@visibility("visible")
@tags("grad_probabilities")
def test_grad_probabilities_values(student: Student) -> None:
    """grad_probabilities: four classes"""
    y_hat = np.array([0.2, 0.5, 0.05, 0.25])
    got = student.output_layer.grad_probabilities(y_hat, 1)
    checks.close("grad_probabilities(y_hat, label)", got, reference.grad_probabilities(y_hat, 1))


@weight(1)
@number("8.2")
@visibility("after_due_date")
@tags("grad_probabilities")
def test_grad_probabilities_labels(student: Student) -> None:
    """grad_probabilities: every label, two to twelve classes"""
    rng = np.random.default_rng(82)
    several = [*(rng.dirichlet(np.ones(k)) for k in (2, 3, 7, 12)), np.full(4, 0.25)]
    check_labels(student, "grad_probabilities", several)


@weight(1)
@number("8.3")
@visibility("visible")
@tags("softmax_jacobian")
def test_softmax_jacobian_values(student: Student) -> None:
    """softmax_jacobian: four scores"""
    a = np.array([0.5, -1.0, 2.0, 0.0])
    checks.close("softmax_jacobian(a)", student.output_layer.softmax_jacobian(a), reference.softmax_jacobian(a))


@weight(1.25)
@number("8.4")
@visibility("after_due_date")
@tags("softmax_jacobian")
def test_softmax_jacobian_sizes(student: Student) -> None:
    """softmax_jacobian: two to twelve scores, equal scores"""
    rng = np.random.default_rng(84)
    drawn = [rng.normal(size=k, scale=2) for k in (2, 3, 7, 12, 4, 5, 3)]
    scores = [*drawn, *special.make_special((4,), 84, integers=False, largest=9)]
    for a, got in zip(scores, student.output_layer.softmax_jacobian.each([(a,) for a in scores]), strict=True):
        checks.close("softmax_jacobian(a)", got, reference.softmax_jacobian(a))


@weight(0.25)
@number("8.5")
@visibility("after_due_date")
@tags("softmax_jacobian", "robustness")
def test_softmax_jacobian_stable(student: Student) -> None:
    """softmax_jacobian: scores of 1000 and -1000, integers"""
    for a in (*LARGE_SCORES[:2], np.array([700.0, 701.0, -50.0]), *WHOLE_SCORES):
        checks.close("softmax_jacobian(a)", student.output_layer.softmax_jacobian(a), reference.softmax_jacobian(a))


@weight(1)
@number("8.6")
@visibility("visible")
@tags("grad_preactivation")
def test_grad_preactivation_values(student: Student) -> None:
    """grad_preactivation: four scores"""
    a = np.array([1.0, -0.5, 0.25, 2.0])
    student.output_layer.grad_preactivation(-a, 2)  # decides nothing of the next call
    got = student.output_layer.grad_preactivation(a, 2)
    checks.close("grad_preactivation(a, label)", got, reference.grad_preactivation(a, 2))


@weight(1.25)
@number("8.7")
@visibility("after_due_date")
@tags("grad_preactivation")
def test_grad_preactivation_labels(student: Student) -> None:
    """grad_preactivation: every label, two to twelve scores, equal scores"""
    rng = np.random.default_rng(87)
    drawn = [rng.normal(size=k, scale=2) for k in (2, 3, 7, 12)]
    check_labels(
        student, "grad_preactivation", [*drawn, *special.make_special((4,), 87, integers=False, largest=9)], "a"
    )


@weight(0.25)
@number("8.8")
@visibility("after_due_date")
@tags("grad_preactivation", "robustness")
def test_grad_preactivation_stable(student: Student) -> None:
    """grad_preactivation: scores of 1000 and -1000, integers"""
    for a in (*LARGE_SCORES, *WHOLE_SCORES):
        got = student.output_layer.grad_preactivation(a, 2)
        checks.close("grad_preactivation(a, label)", got, reference.grad_preactivation(a, 2))


@weight(0.15)
@number("8.9")
@visibility("visible")
@tags("backprop")
def test_backprop_loss(student: Student) -> None:
    """backprop: the loss, one hidden layer"""
    check_backprop(student, make_network(89, 3, 5, 4), ["loss"])


@weight(0.25)
@number("8.10")
@visibility("visible")
@tags("backprop")
def test_backprop_grad_weights(student: Student) -> None:
    """backprop: grad_weights, one hidden layer"""
    check_backprop(student, make_network(89, 3, 5, 4), ["grad_weights"])


@weight(0.25)
@number("8.11")
@visibility("visible")
@tags("backprop")
def test_backprop_grad_biases(student: Student) -> None:
    """backprop: grad_biases, one hidden layer"""
    check_backprop(student, make_network(89, 3, 5, 4), ["grad_biases"])


@weight(0.25)
@number("8.12")
@visibility("visible")
@tags("backprop")
def test_backprop_grad_x(student: Student) -> None:
    """backprop: grad_x, one hidden layer"""
    check_backprop(student, make_network(89, 3, 5, 4), ["grad_x"])


@weight(0.1)
@number("8.13")
@visibility("visible")
@tags("backprop")
def test_backprop_order(student: Student) -> None:
    """backprop: the order of the loss and the gradients"""
    network = make_network(89, 3, 5, 4)
    checks.require_order("backprop", student.output_layer.backprop(*network), name_right(*network))


@weight(0.1)
@number("8.14")
@visibility("after_due_date")
@tags("backprop")
def test_backprop_shallow_grad_weights(student: Student) -> None:
    """backprop: grad_weights, no hidden layer"""
    check_calls(student, list_shallow(), "grad_weights")


@weight(0.1)
@number("8.15")
@visibility("after_due_date")
@tags("backprop")
def test_backprop_shallow_grad_biases(student: Student) -> None:
    """backprop: grad_biases, no hidden layer"""
    check_calls(student, list_shallow(), "grad_biases")


@weight(0.1)
@number("8.16")
@visibility("after_due_date")
@tags("backprop")
def test_backprop_shallow_grad_x(student: Student) -> None:
    """backprop: grad_x, no hidden layer"""
    check_calls(student, list_shallow(), "grad_x")


@weight(0.25)
@number("8.17")
@visibility("after_due_date")
@tags("backprop")
def test_backprop_deep_loss(student: Student) -> None:
    """backprop: the loss, no hidden layer and two to five, one argument changed at a time"""
    check_calls(student, list_shallow(), "loss")
    check_deep(student, "loss")


@weight(0.4)
@number("8.18")
@visibility("after_due_date")
@tags("backprop")
def test_backprop_deep_grad_weights(student: Student) -> None:
    """backprop: grad_weights, two to five hidden layers, one argument changed at a time"""
    check_deep(student, "grad_weights")


@weight(0.4)
@number("8.19")
@visibility("after_due_date")
@tags("backprop")
def test_backprop_deep_grad_biases(student: Student) -> None:
    """backprop: grad_biases, two to five hidden layers, one argument changed at a time"""
    check_deep(student, "grad_biases")


@weight(0.4)
@number("8.20")
@visibility("after_due_date")
@tags("backprop")
def test_backprop_deep_grad_x(student: Student) -> None:
    """backprop: grad_x, two to five hidden layers, one argument changed at a time"""
    check_deep(student, "grad_x")


@weight(0.25)
@number("8.21")
@visibility("after_due_date")
@tags("backprop", "robustness")
def test_backprop_stable(student: Student) -> None:
    """backprop: scores of 1000 and -1000"""
    x, _, weights, biases = make_network(812, 2, 4, 3)
    for scores in LARGE_SCORES:
        check_backprop(student, (x, 2, weights, [biases[0], scores]))


@weight(0.5)
@number("8.22")
@visibility("visible")
@tags("backprop")
def test_backprop_own_gradient(student: Student) -> None:
    """backprop: gradient check, the gradients beside your own loss"""
    x, label, weights, biases = make_network(813, 2, 3, 3)
    right = name_right(x, label, weights, biases)
    got, depth = student.output_layer.backprop(x, label, weights, biases), len(weights)
    place = checks.find_places("backprop", got, right)["loss"]

    def evaluate(points: Sequence[Point]) -> list[object]:
        calls = [list_arguments(point, label, depth) for point in points]
        return student.output_layer.backprop.each(calls, part=place)

    at = name_gradients((weights, biases, x), depth)
    _, *found = checks.take_parts("backprop", got, right).values()
    gradient_check.require_own_gradient(name_gradients(found, depth), at, evaluate)
