"""Errors that were written before any case was looked at: a function, and an edit of its text.

One of each in a round is graded together, so that a function without an error has to keep its points.
"""

ROUNDS = [
    [
        ("batchnorm_forward", 'bn_param["mode"] == "test"', 'bn_param["mode"] == "eval"'),
        ("batchnorm_step", " - x_hat * dgamma / N", ""),
        ("softmax_loss", "scores - scores.max(axis=1, keepdims=True)", "scores"),
        ("hinge_loss", "margins[np.arange(N), y] = 0", "pass"),
        ("embedding_forward", "E[words]", "E[words - 1]"),
        ("embedding_backward", "np.add.at(dE, words, dout)", "dE[words] += dout"),
        ("sgd_momentum", "w + velocity", "w - velocity"),
        ("adaptive_moments", 'config["t"] += 1', "pass"),
        ("temporal_softmax_loss", "dflat *= weights[:, None] / N", "dflat /= N"),
        ("NearestNeighbors", "[:, :k]", "[:, -k:]"),
    ],
    [
        ("batchnorm_forward", "np.sqrt(var + eps)", "(np.sqrt(var) + eps)"),
        ("batchnorm_step", "(dout - dbeta / N - x_hat * dgamma / N)", "dout"),
        ("softmax_loss", "return loss, dscores / N", "return loss, dscores"),
        ("hinge_loss", "2 * reg * W", "reg * W"),
        ("sgd_momentum", 'config["velocity"] = velocity', "pass"),
        ("adaptive_moments", "(np.sqrt(v_hat) + eps)", "np.sqrt(v_hat + eps)"),
        ("temporal_softmax_loss", "labels])) / N", "labels])) / mask.sum()"),
        ("NearestNeighbors", "return np.sqrt(np.maximum(squares, 0))", "return np.maximum(squares, 0)"),
    ],
    [
        ("batchnorm_forward", 'momentum * bn_param["running_var"] + (1 - momentum) * var', "var"),
        ("batchnorm_step", "dbeta / N - x_hat", "x_hat"),
        ("softmax_loss", "y].mean()", "y].sum()"),
        ("hinge_loss", "reg * np.sum(W * W)", "0.5 * reg * np.sum(W * W)"),
        ("sgd_momentum", ' - config["learning_rate"] * dw', ' + config["learning_rate"] * dw'),
        ("adaptive_moments", "(1 - beta2) * dw**2", "(1 - beta2) * dw"),
        ("temporal_softmax_loss", "weights * np.log", "np.log"),
        ("NearestNeighbors", "np.bincount(self.y[row]).argmax()", "self.y[row][0]"),
    ],
    [
        ("batchnorm_forward", "x.mean(axis=0), x.var(axis=0)", "x.mean(axis=0), x.var(axis=0, ddof=1)"),
        ("batchnorm_step", "dgamma = (dout * x_hat)", "dgamma = (dout * x)"),
        ("hinge_loss", "correct[:, None] + 1", "correct[:, None]"),
        ("adaptive_moments", 'm_hat = config["m"] / (1 - beta1 ** config["t"])', 'm_hat = config["m"]'),
        ("NearestNeighbors", "2 * points @ self.X.T", "points @ self.X.T"),
    ],
    [
        ("batchnorm_forward", 'bn_param["running_mean"] = momentum *', 'bn_param["running_mean"] = (1 - momentum) *'),
        ("hinge_loss", "-mask.sum(axis=1)", "-1"),
        ("NearestNeighbors", "self.X, self.y = X, y", "self.X, self.y = X, np.sort(y)"),
    ],
]
