import numpy as np


def relu(z):
    return np.maximum(z, 0)


def hidden_forward(x, W, b1):
    z = np.dot(x, W) + b1
    h = relu(z)
    return h


def hidden_jacobian(x, W, b1):
    z = np.dot(x, W) + b1
    slope = np.zeros(z.shape)
    slope[z > 0] = 1
    return np.dot(np.diag(slope), W.T)


def hidden_backward(grad_h, x, W, b1):
    z = np.dot(x, W) + b1
    grad_z = grad_h.copy()
    grad_z[z <= 0] = 0
    grad_x = np.dot(grad_z, W.T)
    grad_W = np.dot(x.T, grad_z)
    grad_b1 = np.sum(grad_z, axis=0)
    return grad_x, grad_W, grad_b1


def softmax(logits):
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    e = np.exp(shifted)
    return e / np.sum(e, axis=1, keepdims=True)


def cross_entropy(logits, labels):
    N = logits.shape[0]
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_sum = np.log(np.sum(np.exp(shifted), axis=1))
    right = shifted[np.arange(N), labels]
    return np.mean(log_sum - right)


def cross_entropy_grad(logits, labels):
    N, C = logits.shape
    y = np.zeros((N, C))
    y[np.arange(N), labels] = 1
    return (softmax(logits) - y) / N


def loss_and_gradients(params, x, labels):
    W = params["W"]
    b1 = params["b1"]
    U = params["U"]
    b2 = params["b2"]

    # forward
    h = hidden_forward(x, W, b1)
    logits = np.dot(h, U) + b2
    loss = cross_entropy(logits, labels)

    # backward
    grad_logits = cross_entropy_grad(logits, labels)
    grad_U = np.dot(h.T, grad_logits)
    grad_b2 = np.sum(grad_logits, axis=0)
    grad_h = np.dot(grad_logits, U.T)
    grad_x, grad_W, grad_b1 = hidden_backward(grad_h, x, W, b1)

    grads = {}
    grads["W"] = grad_W
    grads["b1"] = grad_b1
    grads["U"] = grad_U
    grads["b2"] = grad_b2
    return loss, grads
