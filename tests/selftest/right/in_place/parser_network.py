import numpy as np


def relu(z):
    z[z < 0] = 0
    return z


def hidden_forward(x, W, b1):
    z = x @ W
    z += b1
    return relu(z)


def hidden_jacobian(x, W, b1):
    W[:, x @ W + b1 <= 0] = 0
    return W.T


def hidden_backward(grad_h, x, W, b1):
    grad_h[x @ W + b1 <= 0] = 0
    return grad_h @ W.T, x.T @ grad_h, grad_h.sum(0)


def softmax(logits):
    logits = np.array(logits, dtype=float)
    logits -= logits.max(1)[:, None]
    np.exp(logits, logits)
    logits /= logits.sum(1)[:, None]
    return logits


def cross_entropy(logits, labels):
    logits -= logits.max(axis=1, keepdims=True)
    return float(np.mean(np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(labels)), labels]))


def cross_entropy_grad(logits, labels):
    logits = np.asarray(logits, dtype=float)
    logits[:] = softmax(logits)
    logits[np.arange(len(labels)), labels] -= 1
    logits /= len(labels)
    return logits


def loss_and_gradients(params, x, labels):
    h = hidden_forward(x, params["W"], params["b1"])
    logits = h @ params["U"] + params["b2"]
    loss = cross_entropy(logits.copy(), labels)
    d = cross_entropy_grad(logits, labels)
    grad_h = d @ params["U"].T
    params["U"], params["b2"] = np.asarray(params["U"], dtype=float), np.asarray(params["b2"], dtype=float)
    params["U"][:] = h.T @ d
    params["b2"][:] = d.sum(0)
    _, gW, gb1 = hidden_backward(grad_h, x, params["W"], params["b1"])
    params["W"], params["b1"] = gW, gb1
    return loss, params
