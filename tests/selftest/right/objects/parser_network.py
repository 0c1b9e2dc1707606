"""Forward passes return the value and a closure that carries a gradient back."""
from types import SimpleNamespace

import numpy as np


def affine(x, W, b):
    return x @ W + b, lambda grad: SimpleNamespace(x=grad @ W.T, W=x.T @ grad, b=grad.sum(0))


def rectify(z):
    return z.clip(min=0), lambda grad: np.where(z > 0, grad, 0)


def nll(logits, labels):
    z = logits - logits.max(1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(1, keepdims=True))
    rows = np.arange(len(labels))

    def back():
        grad = np.exp(log_p)
        grad[rows, labels] -= 1
        return grad / len(labels)

    return -log_p[rows, labels].mean(), back


def relu(z):
    return rectify(z)[0]


def hidden_forward(x, W, b1):
    return rectify(affine(x, W, b1)[0])[0]


def hidden_jacobian(x, W, b1):
    _, back = rectify(affine(x, W, b1)[0])
    return np.stack([W @ back(row) for row in np.eye(len(b1))])


def hidden_backward(grad_h, x, W, b1):
    z, through_affine = affine(x, W, b1)
    _, through_relu = rectify(z)
    grads = through_affine(through_relu(grad_h))
    return grads.x, grads.W, grads.b


def softmax(logits):
    z = np.exp(logits - logits.max(axis=1)[:, None])
    return z / z.sum(axis=1)[:, None]


def cross_entropy(logits, labels):
    return nll(logits, labels)[0]


def cross_entropy_grad(logits, labels):
    return nll(logits, labels)[1]()


def loss_and_gradients(params, x, labels):
    z, back1 = affine(x, params["W"], params["b1"])
    h, back_relu = rectify(z)
    logits, back2 = affine(h, params["U"], params["b2"])
    loss, back_loss = nll(logits, labels)
    top = back2(back_loss())
    bottom = back1(back_relu(top.x))
    return loss, {"W": bottom.W, "b1": bottom.b, "U": top.W, "b2": top.b}
