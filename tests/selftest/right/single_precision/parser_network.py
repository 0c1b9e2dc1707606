import numpy as np

F = np.float32


def relu(z):
    return np.maximum(np.asarray(z, dtype=F), F(0))


def hidden_forward(x, W, b1):
    return relu(np.asarray(x, F) @ np.asarray(W, F) + np.asarray(b1, F))


def hidden_jacobian(x, W, b1):
    return ((x @ W + b1) > 0).astype(F)[:, None] * W.T.astype(F)


def hidden_backward(grad_h, x, W, b1):
    delta = grad_h.astype(F) * (x @ W + b1 > 0)
    return delta @ W.T.astype(F), x.T.astype(F) @ delta, delta.sum(axis=0)


def softmax(logits):
    shifted = (logits - logits.max(axis=1, keepdims=True)).astype(F)
    return np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)


def cross_entropy(logits, labels):
    shifted = (logits - logits.max(axis=1, keepdims=True)).astype(F)
    log_y = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -log_y[range(len(labels)), labels].mean()


def cross_entropy_grad(logits, labels):
    y = np.eye(logits.shape[1], dtype=F)[labels]
    return (softmax(logits) - y) / F(len(labels))


def loss_and_gradients(params, x, labels):
    W, b1, U, b2 = (params[name] for name in ("W", "b1", "U", "b2"))
    h = hidden_forward(x, W, b1)
    logits = h @ U.astype(F) + b2.astype(F)
    d = cross_entropy_grad(logits, labels)
    _, gW, gb1 = hidden_backward(d @ U.T.astype(F), x, W, b1)
    return cross_entropy(logits, labels), {"W": gW, "b1": gb1, "U": h.T @ d, "b2": d.sum(axis=0)}
