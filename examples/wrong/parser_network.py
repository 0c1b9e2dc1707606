import numpy as np


def relu(z):
    return np.maximum(0, z)


def hidden_forward(x, W, b1):
    return relu(x.dot(W) + b1)


def hidden_jacobian(x, W, b1):
    mask = (x.dot(W) + b1 > 0).astype(float)
    return (W * mask)


def hidden_backward(grad_h, x, W, b1):
    grad_x = grad_h.dot(W.T)
    grad_W = x.T.dot(grad_h)
    grad_b1 = np.sum(grad_h, axis=0)
    return grad_x, grad_W, grad_b1


def softmax(logits):
    e = np.exp(logits)
    return e / np.sum(e, axis=1, keepdims=True)


def cross_entropy(logits, labels):
    p = softmax(logits)
    return -np.sum(np.log(p[range(len(labels)), labels]))


def cross_entropy_grad(logits, labels):
    p = softmax(logits)
    p[range(len(labels)), labels] -= 1
    return p


def loss_and_gradients(params, x, labels):
    W, b1, U, b2 = params["W"], params["b1"], params["U"], params["b2"]
    h = hidden_forward(x, W, b1)
    logits = h.dot(U) + b2
    loss = cross_entropy(logits, labels)
    d_logits = cross_entropy_grad(logits, labels)
    grads = {}
    grads["U"] = h.T.dot(d_logits)
    grads["b2"] = np.sum(d_logits, axis=0)
    d_h = d_logits.dot(U.T)
    _, grads["W"], grads["b1"] = hidden_backward(d_h, x, W, b1)
    return loss, grads
