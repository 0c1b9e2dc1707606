"""Right explanations: give the answers in words, each with the derivation and a rubric; they are graded by hand.

The lines under `Rubric` in a docstring are shown next to a student's answer to the person who grades it;
docs/solutions/written_answers.md says what takes a point off. Each function returns a good answer.
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
    """
    return "v_c moves towards u_o, the word that was seen, and away from the mean of the words the model expected."


def word2vec_normalization() -> str:
    """Explain when dividing word vectors by their L2 norm loses information for a classifier of their sums.

    Formula: `u / ||u||`
    Derivation:
        let `u_x = a u_y` with `a > 0`; then `u_x / ||u_x|| = u_y / ||u_y||`, so both words become the same
        a phrase is classified by the sign of a score of the sum of its vectors, to which a longer vector contributes
            more; if `x` is a stronger word than `y` (say, "great" and "good"), only the length shows it, and it is lost
        if lengths do not matter for the task (say, they follow the frequency of a word), nothing is lost
    Rubric:
        1 point: loses information if the length counts, with the reason that parallel vectors become equal
        1 point: loses none if only the direction counts (or if no two words of the task are parallel)
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
    """
    return "Random masks regularise in training. In evaluation they would only make predictions noisy."
