import numpy as np

single = np.float32


def relu(z):
    z = np.array(z)
    z[z < 0] = 0
    return z


def hidden_forward(x, W, b1):
    return relu(np.asmatrix(x) * np.asmatrix(W) + np.asmatrix(b1))


def hidden_jacobian(x, W, b1):
    rows = W.T.astype(single)
    rows[x @ W + b1 <= 0] = 0
    return rows


def hidden_backward(grad_h, x, W, b1):
    grad_h[x @ W + b1 <= 0] = 0
    return [(grad_h @ W.T).tolist(), (x.T @ grad_h).tolist(), grad_h.sum(0, keepdims=True).tolist()]


def softmax(logits):
    logits = np.array(logits, dtype=float)
    logits -= logits.max(1)[:, np.newaxis]
    np.exp(logits, out=logits)
    logits /= np.sum(logits, axis=1)[:, np.newaxis]
    return logits


def cross_entropy(logits, labels):
    logits -= logits.max(axis=1, keepdims=True)
    losses = np.log(np.exp(logits).sum(axis=1)) - np.take_along_axis(logits, labels[:, None], axis=1).ravel()
    return losses.mean(keepdims=True)


def cross_entropy_grad(logits, labels):
    grad = np.asmatrix(softmax(logits))
    grad[np.arange(len(labels)), labels] -= 1
    grad /= len(labels)
    return grad


def loss_and_gradients(params, x, labels):
    h = hidden_forward(x, params["W"], params["b1"])
    logits = h @ params["U"] + params["b2"]
    delta = np.asarray(cross_entropy_grad(logits.copy(), labels))
    params["U"], grad_h = h.T @ delta, delta @ params["U"].T
    params["b2"] = delta.sum(0)
    _, params["W"], params["b1"] = hidden_backward(grad_h, x, params["W"], params["b1"])
    return cross_entropy(logits, labels), params
