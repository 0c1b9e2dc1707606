"""Right explanations: give the answers in words, each with the derivation and a rubric; they are graded by hand.

The lines under `Rubric` in a docstring are the rubric, and stand nowhere else: they are shown next to a student's
answer to the person who grades it. `1 point` earns one; `A point off` takes one of them back, never below 0; `Nothing
off` says what looks wrong and is not. docs/solutions/errata.md has wrong statements of sheets that students quote. Each
function returns a good answer.
"""


def word2vec_cross_entropy() -> str:
    """Explain why the naive softmax loss is the cross-entropy between y and y_hat.

    Formula: `-sum_w y_w log y_hat_w = -log y_hat_o`
    Derivation:
        the cross-entropy of `y_hat` relative to `y` is `-sum_w y_w log y_hat_w`, over all words `w` of the vocabulary
        `y` is one-hot: `y_o = 1` and `y_w = 0` for every other word
        every term but that of `o` is therefore 0 times a finite number, and 1 times `log y_hat_o` is left
    Rubric:
        1 point: writes the cross-entropy as a sum over the whole vocabulary, with the minus sign
        1 point: says that y is one-hot at o, so that only the term of o is left, and names -log y_hat_o
        A point off: it only restates that both are -log y_hat_o, without the sum or without y
        A point off: it sums over the batch or over the context instead of the vocabulary
        Nothing off: another base of the logarithm; the expectation -E[log y_hat] under y in place of the sum
    """
    return "The sum is over all words, and y is 0 for every word but o, where it is 1, so only -log y_hat_o is left."


def word2vec_gradient_terms() -> str:
    """Explain the effect of subtracting each of the two terms of the gradient with respect to v_c from v_c.

    Formula: `v_c - learning_rate U.T (y_hat - y) = v_c + learning_rate u_o - learning_rate sum_w y_hat_w u_w`
    Derivation:
        `U.T (y_hat - y) = sum_w y_hat_w u_w - u_o`
        subtracting `-u_o` moves `v_c` towards the vector of the word that was seen
        subtracting the other term moves it away from the mean outside vector that the model expected; if both are
            the same, the model expected the word that it saw, and `v_c` stays
    Rubric:
        1 point: the term of the true word (u_o, from y) draws v_c towards u_o
        1 point: the term of y_hat pushes v_c away from the words that the model expects, each by its probability
        A point off: the directions are swapped, because the minus of the update is forgotten
        Nothing off: "attracts" and "repels" without formulas, if each is said of the right term
    """
    return "v_c moves towards u_o, the word that was seen, and away from the mean of the words the model expected."


def word2vec_normalization() -> str:
    """Explain when dividing word vectors by their L2 norm loses information for a classifier of their sums.

    Formula: `u / ||u||`
    Derivation:
        let `u_x = a u_y` with `a > 0`; then `u_x / ||u_x|| = u_y / ||u_y||`, so both words become the same
        a phrase is classified by the sign of a score of the sum of its vectors, to which a longer vector contributes
            more; if `x` is a stronger word than `y` (say, "great" and "good"), only the length shows it, and it is lost
        if lengths do not matter for the task (say, they only follow how often a word occurs), nothing that it needs is
            lost, although the sums of phrases change
    Rubric:
        1 point: loses information where the length counts: it can be strength, importance, frequency or certainty, and
            words of one direction become equal
        1 point: loses none where the classifier needs only the direction of each word, such as the sign or the angle
            of single words
        A point off: it says only that lengths are lost, not when the classifier needs them
        A point off: "none is lost where no two words are parallel": the direction of a sum changes all the same, as
            (2, 1) + (-1, 0.2) begins with +1, and the sum of both after the division with -0.09
        A point off: its example is a negative multiple, or equal words that are said to count once
        Nothing off: one of these sentences beside a right reason for the same point
    """
    return "Parallel vectors become one. That matters where length is strength, and not where only direction counts."


def adam_momentum() -> str:
    """Explain why updates with momentum vary less from step to step, and why that may help.

    Formula: `m = beta1 m + (1 - beta1) grad`
    Derivation:
        `m` is a mean of the past gradients with weights `(1 - beta1) beta1^k`, `k` steps ago
        a single gradient of a batch has weight `1 - beta1 = 0.1` only, so the noise of batches averages out; for
            independent gradients of equal variance that of `m` is smaller by `(1 - beta1) / (1 + beta1)`
        directions that all batches agree in add up, those that change sign cancel: fewer oscillations across a valley
    Rubric:
        1 point: m is a running mean, of which a new gradient is a small part, so that it varies little
        1 point: the benefit: noise of batches or oscillations cancel, the common direction stays
        A point off: it says that momentum is faster, without the average that causes it
        Nothing off: the picture of a ball that rolls, if it says what the ball's inertia averages out
    """
    return "m averages over many batches, so noise and oscillations cancel while the common direction adds up."


def adam_adaptive_rates() -> str:
    """Explain why larger updates for parameters whose gradients have been small may help.

    Formula: `theta = theta - learning_rate m / sqrt(v)`
    Derivation:
        with one rate for all, parameters on flat directions or of rare features hardly move, and a rate that moved
            them would make those of large gradients diverge
        divided by `sqrt(v)` all parameters move at about the same pace, also where the scales of their gradients differ
    Rubric:
        1 point: parameters with small gradients (flat directions, rare words) move at all
        1 point: parameters with large gradients take smaller steps, so that one rate suits all and stays stable
        A point off: it only repeats that small gradients get larger updates, without a benefit
        A point off: it says that every update gets larger, or that the loss cannot increase
    """
    return "Parameters with small gradients, as those of rare words, move too, and those with large ones stay stable."


def dropout_evaluation() -> str:
    """Explain why dropout is applied in training and not in evaluation.

    Formula: `E[gamma d * h] = h`
    Derivation:
        in training the random masks keep units from relying on each other, as if many thin networks were trained
            that share their weights: a regulariser
        in evaluation the prediction should be the best one and the same every time: that of the whole network, which
            is the mean over masks because `gamma` has kept the expectation of every unit
    Rubric:
        1 point: in training it is a regulariser: no unit can rely on others, many networks share weights
        1 point: in evaluation it would only add noise to the prediction; the full network is the mean over masks
        A point off: "because evaluation is not training", without the noise or the full network
        Nothing off: only one of the descriptions of the regulariser, such as an ensemble of thin networks
    """
    return "Random masks regularise in training. In evaluation they would only make predictions noisy."


def word2vec_derive_grad_center() -> str:
    """Derive the gradient of the naive softmax loss with respect to the centre word's vector.

    Formula: `dJ/dv_c = U.T (y_hat - y)`, or `U (y_hat - y)` with words as columns
    Derivation: that of word2vec_grad_center.
    Rubric:
        1 point: takes the logarithm of the fraction apart: J = -u_o . v_c + log sum_x exp(u_x . v_c)
        1 point: differentiates the second term by the chain rule to sum_x y_hat_x u_x, with the index under the sum
        1 point: collects both to the product of U and y_hat - y, in the convention that the student uses
        A point off: u_x stands outside of the sum over x, unless the next line is right again
        A point off: the exponential of a sum in place of the sum of exponentials
        Nothing off: the derivative taken by one coordinate; y in place of the index o
    """
    return (
        "J = -u_o.v_c + log sum_x exp(u_x.v_c); its derivative is -u_o + sum_x y_hat_x u_x, which is U.T (y_hat - y)."
    )


def word2vec_derive_grad_outside() -> str:
    """Derive the gradients of the naive softmax loss with respect to the outside vectors.

    Formula: `dJ/du_o = (y_hat_o - 1) v_c`;  `dJ/du_w = y_hat_w v_c`;  `dJ/dU = (y_hat - y) v_c.T`
    Derivation: those of word2vec_grad_outside_true, word2vec_grad_outside_other and word2vec_grad_outside_all.
    Rubric:
        1 point: u_o: both terms of J depend on it, which gives -v_c + y_hat_o v_c
        1 point: u_w of another word: only the second term does, which gives y_hat_w v_c
        1 point: all of U: one row for each word (or column), (y_hat_w - y_w) v_c, as an outer product in that order
        A point off: the outer product has the other shape than the convention that the student uses
        Nothing off: both cases in one by y_w
    """
    return "Row w is (y_hat_w - y_w) v_c: the term -u_o.v_c adds -v_c for w = o, the other y_hat_w v_c for every w."


def dropout_derive_gamma() -> str:
    """Derive the factor that keeps the expectation of every hidden unit under dropout.

    Formula: `gamma (1 - p_drop) h_i = h_i`
    Derivation: that of dropout_gamma.
    Rubric:
        1 point: the expectation of the mask is 1 - p_drop, so that of the unit gamma (1 - p_drop) h_i
        1 point: sets it equal to h_i for every h_i, and solves for gamma
        A point off: p_drop is taken for the probability that a unit is kept
        Nothing off: the expectation written as a sum over the two values of the mask
    """
    return "E[gamma d_i h_i] = gamma (1 - p_drop) h_i, which is h_i for every h_i where gamma = 1 / (1 - p_drop)."


def parser_derive_steps() -> str:
    """Explain why a sentence of n words takes the same number of transitions, whatever its tree is.

    Formula: `n + n`
    Derivation: that of parser_steps.
    Rubric:
        1 point: each word enters the stack by exactly one SHIFT: n of them
        1 point: each word leaves the stack by exactly one arc, left or right, as each has one head: n of them
        A point off: it counts the transitions of one example
        Nothing off: that ROOT is neither shifted nor removed is left out
    """
    return "Every word is shifted once and removed by one arc, since it has one head; ROOT does neither."


def parser_network_derive_relu() -> str:
    """Derive the derivative of one ReLU unit with respect to one input of its layer.

    Formula: `dh_i/dx_j = 1{z_i > 0} W_ji`
    Derivation: that of parser_network_relu_derivative.
    Rubric:
        1 point: writes z_i = sum_j x_j W_ji + b1_i, with the input as the row of W
        1 point: dz_i/dx_j = W_ji
        1 point: the slope of ReLU is 1 for z_i > 0 and 0 for z_i < 0
        1 point: multiplies them by the chain rule, as h_i depends on x through z_i alone
        A point off: W_ij with x W, unless the student writes W x
        Nothing off: the slope at z_i = 0, whatever is said of it
    """
    return "z_i = sum_j x_j W_ji + b1_i and h_i = ReLU(z_i), so dh_i/dx_j is W_ji where z_i > 0 and 0 elsewhere."


def parser_network_derive_logit() -> str:
    """Derive the derivative of the cross-entropy of a softmax with respect to one logit.

    Formula: `dJ/dl_i = y_hat_i - y_i`
    Derivation: that of parser_network_logit_gradient.
    Rubric:
        1 point: J = -l_label + log sum_k exp(l_k), or -sum_k y_k log y_hat_k with the softmax put in
        1 point: the derivative of log sum_k exp(l_k) by l_i is y_hat_i
        1 point: the case i = label: y_hat_i - 1
        1 point: the case i != label: y_hat_i, and both together as y_hat_i - y_i
        A point off: the Jacobian of the softmax is taken as diagonal, as if y_hat_k depended on l_k alone
        A point off: the denominator of the quotient rule is a sum of squares, not the square of the sum
        Nothing off: the way over the Jacobian of the softmax
    """
    return "J = -l_label + log sum_k exp(l_k); the first term gives -1 for i = label, the second y_hat_i."
