"""Right written answers: give the value of each formula, choice and table by a function, with the derivation.

A key such as `word2vec.grad_center` is here `word2vec_grad_center`, and its arguments are the names that a formula may
use, in the order of `assignment.toml`. Each function returns one expression, whose text is a right answer (of type
`Any` if a number of an array is part of it, whose type is not known). The answers graded by hand are in
`written_explanations`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reference.written_explanations import (  # noqa: F401  (answers of this question too)
    adam_adaptive_rates,
    adam_momentum,
    dropout_derive_gamma,
    dropout_evaluation,
    parser_derive_steps,
    parser_network_derive_logit,
    parser_network_derive_relu,
    word2vec_cross_entropy,
    word2vec_derive_grad_center,
    word2vec_derive_grad_outside,
    word2vec_gradient_terms,
    word2vec_normalization,
)

Array = NDArray[np.float64]


def word2vec_convention() -> str:
    """Say whether U has a row for each word, as in all other functions here, or a column."""
    return "rows"


def word2vec_grad_center(U: Array, y: Array, y_hat: Array, v_c: Array, o: int, w: int) -> Array:
    """The gradient of the naive softmax loss with respect to the centre word's vector.

    Shapes: U (V, D), one outside vector a row; y, y_hat (V,); v_c (D,); o, w words; returns (D,).
    Formula: `dJ/dv_c = U.T (y_hat - y)`
    Derivation:
        `J = -log y_hat_o = -u_o . v_c + log sum_x exp(u_x . v_c)`
        `d(u_o . v_c)/dv_c = u_o`
        `d(log sum_x exp(u_x . v_c))/dv_c = sum_x exp(u_x . v_c) u_x / sum_x' exp(u_x' . v_c) = sum_x y_hat_x u_x`
        `dJ/dv_c = -u_o + sum_x y_hat_x u_x = sum_x (y_hat_x - y_x) u_x`, because `y` is 1 at `o` and 0 elsewhere
        the words are the rows of `U`, so that sum is `U.T (y_hat - y)`; were they columns, it would be `U (y_hat - y)`
    Source: Mikolov, Sutskever, Chen, Corrado and Dean 2013, section 2, equation 2 (the softmax that J is taken of).
    """
    return U.T @ (y_hat - y)  # (D,)


def word2vec_grad_outside_true(U: Array, y: Array, y_hat: Array, v_c: Array, o: int, w: int) -> Any:
    """The gradient of the naive softmax loss with respect to u_o, the vector of the true outside word.

    Shapes: as word2vec.grad_center; returns (D,).
    Formula: `dJ/du_o = (y_hat_o - 1) v_c`
    Derivation:
        `J = -u_o . v_c + log sum_x exp(u_x . v_c)`
        the first term gives `-v_c`, the second `exp(u_o . v_c) v_c / sum_x exp(u_x . v_c) = y_hat_o v_c`
    Source: as word2vec.grad_center.
    """
    return (y_hat[o] - 1) * v_c  # (D,)


def word2vec_grad_outside_other(U: Array, y: Array, y_hat: Array, v_c: Array, o: int, w: int) -> Any:
    """The gradient of the naive softmax loss with respect to u_w, the vector of any other word w.

    Shapes: as word2vec.grad_center; w is not o; returns (D,).
    Formula: `dJ/du_w = y_hat_w v_c`
    Derivation: as word2vec.grad_outside_true, but `u_w` is not in the first term.
    Source: as word2vec.grad_center.
    """
    return y_hat[w] * v_c  # (D,)


def word2vec_grad_outside_all(U: Array, y: Array, y_hat: Array, v_c: Array, o: int, w: int) -> Any:
    """The gradient of the naive softmax loss with respect to U, all outside vectors.

    Shapes: as word2vec.grad_center; returns (V, D), row x being the gradient with respect to u_x.
    Formula: `dJ/dU = (y_hat - y) v_c.T`
    Derivation: row `x` is `(y_hat_x - y_x) v_c` by the two answers before, where `y_x` is 1 for `x = o` and 0 for all
        others; the rows together are the outer product of `y_hat - y` with `v_c`, in that order.
    Source: as word2vec.grad_center.
    """
    return np.outer(y_hat - y, v_c)  # (V, D)


def word2vec_zero_gradient() -> str:
    """The code of the right choice: when is the gradient with respect to v_c zero?

    Formula: `U.T (y_hat - y) = 0`
    Derivation:
        `dJ/dv_c = U.T (y_hat - y)`, so it is zero exactly if `y_hat - y` is orthogonal to every column of `U`
        `y_hat = y` is one such case, and sufficient; no finite scores reach it, since a softmax has no entry of 0
        it is not necessary: `U.T` has `D` rows and `V` columns, and `V > D` leaves vectors `y_hat - y` other than 0
            that it maps to 0; in words: the mean of the outside vectors, weighted with `y_hat`, is `u_o`
    Source: as word2vec.grad_center.
    """
    return "c"


def adam_larger_updates() -> str:
    """The code of the right choice: which parameters get larger updates by Adam's division by sqrt(v)?

    Formula: `step = learning_rate m / sqrt(v)`
    Derivation: `v` is a running mean of squared gradients, so `sqrt(v)` is about their usual size. Divided by it, every
        parameter steps by about `learning_rate`; one whose gradients have been small steps further than its gradient
        alone says, one whose gradients have been large less far.
    Source: Kingma and Ba 2015, Adam: A Method for Stochastic Optimization, section 2.1.
    """
    return "b"


def dropout_gamma(p_drop: float) -> float:
    """The factor that keeps the expectation of every hidden unit under dropout.

    Shapes: p_drop a number, 0 <= p_drop < 1.
    Formula: `gamma = 1 / (1 - p_drop)`
    Derivation: `E[gamma d_i h_i] = gamma h_i (1 - p_drop)`, as `d_i` is 1 with probability `1 - p_drop` and else 0.
        That is `h_i` for every `h_i` exactly when `gamma (1 - p_drop) = 1`.
    Source: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov 2014, Dropout, section 10.
    """
    return 1 / (1 - p_drop)


def rows(text: str) -> list[dict[str, str]]:
    """The rows of a table whose first line names its columns."""
    columns, *lines = ([cell.strip() for cell in line.split("|")] for line in text.strip().splitlines())
    return [dict(zip(columns, cells, strict=True)) for cells in lines]


def parser_transitions() -> list[dict[str, str]]:
    """The transitions that parse "I presented my findings at the NLP conference", as a student writes the table.

    Formula: after SHIFT the first word of the buffer is on top of the stack; LEFT-ARC makes the second item of the
        stack a dependent of the first and removes it; RIGHT-ARC makes the first one of the second and removes it
    Derivation: every word is shifted once and removed by one arc, so 8 words take 16 transitions. An arc is made as
        soon as its dependent has all its dependents. Here the phrase is attached to "findings", headed by "at".
    Source: Nivre 2004, Incrementality in Deterministic Dependency Parsing, section 2.
    """
    return rows("""
stack                             | buffer                                         | new dependency       | transition
ROOT                              | I presented my findings at the NLP conference  |                      |
ROOT I                            | presented my findings at the NLP conference    |                      | SHIFT
ROOT I presented                  | my findings at the NLP conference              |                      | SHIFT
ROOT presented                    | my findings at the NLP conference              | presented->I         | LEFT-ARC
ROOT presented my                 | findings at the NLP conference                 |                      | SHIFT
ROOT presented my findings        | at the NLP conference                          |                      | SHIFT
ROOT presented findings           | at the NLP conference                          | findings->my         | LEFT-ARC
ROOT presented findings at        | the NLP conference                             |                      | SHIFT
ROOT presented findings at the    | NLP conference                                 |                      | SHIFT
ROOT presented findings at the NLP | conference                                    |                      | SHIFT
ROOT presented findings at the NLP conference |                                    |                      | SHIFT
ROOT presented findings at the conference |                                        | conference->NLP      | LEFT-ARC
ROOT presented findings at conference |                                            | conference->the      | LEFT-ARC
ROOT presented findings at        |                                                | at->conference       | RIGHT-ARC
ROOT presented findings           |                                                | findings->at         | RIGHT-ARC
ROOT presented                    |                                                | presented->findings  | RIGHT-ARC
ROOT                              |                                                | ROOT->presented      | RIGHT-ARC
""")


def parser_steps(n: int) -> int:
    """The number of transitions that parse a sentence of n words.

    Formula: `2 n`
    Derivation: every word enters the stack by one SHIFT and leaves it by one arc; ROOT does neither; `n` shifts and `n`
        arcs for every tree.
    Source: Nivre 2008, Algorithms for Deterministic Incremental Dependency Parsing, section 4.1.
    """
    return 2 * n


def parser_network_relu_derivative(z: Array, W: Array, i: int, j: int) -> Any:
    """The derivative of one hidden unit with respect to one input of the layer h = ReLU(x W + b1).

    Shapes: z = x W + b1 (H,); W (Dx, H); i a hidden unit, j an input; returns a number.
    Formula: `dh_i/dx_j = 1{z_i > 0} W_ji`
    Derivation:
        `z_i = sum_j x_j W_ji + b1_i`, so `dz_i/dx_j = W_ji`: the input is the row of `W`, the unit its column
        `dh_i/dz_i = 1` where `z_i > 0` and 0 where `z_i < 0`
        the chain rule multiplies them; `h_i` depends on `x` through `z_i` alone
    Source: Chen and Manning 2014, A Fast and Accurate Dependency Parser using Neural Networks, section 3.2 (the layer).
    """
    return (z[i] > 0) * W[j, i]  # a number


def parser_network_logit_gradient(y: Array, y_hat: Array, i: int, label: int) -> Any:
    """The derivative of the cross-entropy of a softmax with respect to one logit.

    Shapes: y, y_hat (C,); i a class; label the true class; returns a number.
    Formula: `dJ/dl_i = y_hat_i - y_i`
    Derivation:
        `J = -log y_hat_label = -l_label + log sum_k exp(l_k)`
        the first term gives `-1` for `i = label` and else 0, which is `-y_i`;
            the second gives `exp(l_i) / sum_k exp(l_k)`
    Source: Goodfellow, Bengio and Courville 2016, Deep Learning, section 6.2.2.3.
    """
    return y_hat[i] - y[i]  # a number


def output_grad_probabilities(y_hat: Array, e: Array, label: int) -> Any:
    """The gradient of -log y_hat[label] with respect to the probabilities.

    Shapes: y_hat, e (k,), e one-hot at label; returns (k,).
    Formula: `-e(label) / y_hat[label]`
    Derivation: the loss depends on one entry, `y_hat[label]`, with derivative `-1 / y_hat[label]`; all other entries
        of the gradient are 0.
    Source: Larochelle, Neural networks, video lecture 2.5 (output layer gradient).
    """
    return -e / y_hat[label]  # (k,)


def output_grad_preactivation(y_hat: Array, e: Array, label: int) -> Any:
    """The gradient of -log y_hat[label] with respect to the preactivation a, where y_hat = softmax(a).

    Shapes: y_hat, e (k,), e one-hot at label; returns (k,).
    Formula: `-(e(label) - y_hat)`
    Derivation:
        `dy_hat_label/da_i = y_hat_label (1{i = label} - y_hat_i)`, by the rule for a quotient
        `dL/da_i = -(1 / y_hat_label) dy_hat_label/da_i = -(1{i = label} - y_hat_i)`
    Source: Larochelle, Neural networks, video lecture 2.5 (output layer gradient).
    """
    return -(e - y_hat)  # (k,)


def q1c_softmax_input_gradient(y: Array, y_hat: Array) -> Array:
    """The gradient of the cross-entropy, summed over the rows, with respect to the input of the softmax.

    Shapes: y one-hot rows and y_hat probabilities, both (N, Dy); returns (N, Dy).
    Formula: `dCE/dtheta = y_hat - y`
    Derivation: each row as in parser_network.logit_gradient; the cost is a sum, so rows do not mix.
    Source: Goodfellow, Bengio and Courville 2016, Deep Learning, section 6.2.2.3.
    """
    return y_hat - y  # (N, Dy)


def q1c_input_gradient(y: Array, y_hat: Array, z: Array, h: Array, W1: Array, W2: Array) -> Array:
    """The gradient of the cross-entropy, summed over the rows, with respect to the input x of a one-hidden-layer net.

    Shapes: y, y_hat (N, Dy); z, h (N, H); W1 (Dx, H); W2 (H, Dy); returns (N, Dx).
    Formula: `dCE/dx = ((y_hat - y) W2.T * h * (1 - h)) W1.T`, with `z = x W1 + b1`, `h = sigmoid(z)`,
        `theta = h W2 + b2`
    Derivation:
        `dCE/dtheta = y_hat - y`, the answer before
        `theta = h W2 + b2`, so `dCE/dh = (y_hat - y) W2.T`
        `sigmoid'(z) = sigmoid(z) (1 - sigmoid(z)) = h (1 - h)`, entry by entry; it is not `sigmoid(z) sigmoid(1 - z)`,
            because `1 - sigmoid(z)` is `sigmoid(-z)`
        `z = x W1 + b1`, so `dCE/dx = dCE/dz W1.T`
    Source: Rumelhart, Hinton and Williams 1986, Learning representations by back-propagating errors.
    """
    return ((y_hat - y) @ W2.T * h * (1 - h)) @ W1.T  # (N, Dx)
