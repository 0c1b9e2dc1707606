import numpy as np


def relu(z):
    return (np.abs(z) + z) / 2


def hidden_forward(x, W, b1):
    return relu(x.dot(W) + b1.reshape(1, -1))


def hidden_jacobian(x, W, b1):
    z = x.reshape(1, -1).dot(W) + b1
    return np.diag((z[0] > 0).astype(float)).dot(W.T)


def hidden_backward(grad_h, x, W, b1):
    delta = np.where(hidden_forward(x, W, b1) > 0, grad_h, 0)
    return delta.dot(W.T), x.T.dot(delta), np.ones((1, len(x))).dot(delta)


def softmax(logits):
    e = np.exp(logits - np.max(logits, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def cross_entropy(logits, labels):
    top = np.max(logits, axis=1, keepdims=True)
    log_sum = np.log(np.sum(np.exp(logits - top), axis=1, keepdims=True)) + top
    one_hot = np.eye(logits.shape[1])[labels]
    return np.mean(log_sum - np.sum(one_hot * logits, axis=1, keepdims=True), axis=0)


def cross_entropy_grad(logits, labels):
    one_hot = np.eye(logits.shape[1])[labels]
    return (softmax(logits) - one_hot) / float(len(labels))


def loss_and_gradients(params, x, labels):
    h = hidden_forward(x, params["W"], params["b1"])
    logits = h.dot(params["U"]) + params["b2"].reshape(1, -1)
    delta = cross_entropy_grad(logits, labels)
    grads = {"U": h.T.dot(delta), "b2": np.sum(delta, axis=0, keepdims=True)}
    gx, grads["W"], grads["b1"] = hidden_backward(delta.dot(params["U"].T), x, params["W"], params["b1"])
    grads["x"] = gx
    return np.array(cross_entropy(logits, labels)), grads
