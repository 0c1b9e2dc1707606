"""Errors that were written before any case was looked at: a function, and an edit of its text.

One of each in a round is graded together, so that a function without an error has to keep its points.
"""

ROUNDS = [
    [
        ("attention", " / np.sqrt(Q.shape[1])", ""),
        ("layer_norm", "x.mean(axis=1, keepdims=True)", "x.mean(axis=0, keepdims=True)"),
        ("viterbi", "return path[::-1]", "return path"),
        ("forward_likelihood", "top + np.log(np.exp(scores - top).sum(axis=0))", "top"),
        ("edit_distance", "current = [i]", "current = [0]"),
        ("confusion_matrix", "(labels, predictions), 1)", "(predictions, labels), 1)"),
        ("gru_step", "(1 - z) * n + z * h", "z * n + (1 - z) * h"),
        ("count_ngrams", "len(tokens) - n + 1", "len(tokens) - n"),
        ("pairwise_cosine", "X @ Y.T", "np.abs(X @ Y.T)"),
    ],
    [
        ("attention", "-1e9", "0.0"),
        ("layer_norm", "np.sqrt(var + eps)", "(np.sqrt(var) + eps)"),
        ("viterbi", "best[:, None] + transition", "best[:, None] + transition.T"),
        ("forward_likelihood", "alpha = start + emission", "alpha = emission"),
        ("edit_distance", "(s != t)", "2 * (s != t)"),
        ("confusion_matrix", "np.add.at(counts, (labels, predictions), 1)", "counts[labels, predictions] += 1"),
        ("gru_step", "r * g[:, 2 * H :]", "(r * h) @ U[:, 2 * H :]"),
        ("count_ngrams", "counts.get(key, 0) + 1", "1"),
    ],
    [
        ("attention", "weights.sum(axis=1, keepdims=True)", "weights.sum(axis=0, keepdims=True)"),
        ("layer_norm", "x.var(axis=1, keepdims=True)", "x.var(axis=1, keepdims=True, ddof=1)"),
        ("viterbi", "best = start + emission", "best = emission"),
        ("edit_distance", "range(len(target) + 1)", "range(len(source) + 1)"),
        ("macro_f1", "np.mean(scores)", "np.mean([each for each in scores if each > 0] or [0])"),
        ("pairwise_cosine", "norm(Y, axis=1)[None, :]", "norm(Y)"),
    ],
    [("macro_f1", "if denominator else 0.0", "if denominator else 1.0")],
]
