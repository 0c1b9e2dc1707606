import math

import numpy as np


def relu(z):
    return z * (z > 0)


def hidden_forward(x, W, b1):
    nRows = x.shape[0]
    nHidden = W.shape[1]
    h = np.zeros((nRows, nHidden))
    for n in range(nRows):
        for i in range(nHidden):
            z = b1[i]
            for j in range(x.shape[1]):
                z += x[n, j] * W[j, i]
            if z > 0:
                h[n, i] = z
    return h


def hidden_jacobian(x, W, b1):
    nIn, nHidden = W.shape
    h = hidden_forward(x.reshape(1, nIn), W, b1)
    jac = np.zeros((nHidden, nIn))
    for i in range(nHidden):
        for j in range(nIn):
            # h is 0 exactly where relu is flat
            if h[0, i] > 0:
                jac[i, j] = W[j, i]
    return jac


def hidden_backward(grad_h, x, W, b1):
    grad_x = np.zeros(x.shape)
    grad_W = np.zeros(W.shape)
    grad_b1 = np.zeros(b1.shape)
    h = hidden_forward(x, W, b1)
    for n in range(x.shape[0]):
        for i in range(W.shape[1]):
            if h[n, i] > 0:
                grad_b1[i] += grad_h[n, i]
                for j in range(W.shape[0]):
                    grad_x[n, j] += grad_h[n, i] * W[j, i]
                    grad_W[j, i] += grad_h[n, i] * x[n, j]
    return grad_x, grad_W, grad_b1


def softmax(logits):
    result = np.zeros(logits.shape)
    for n in range(logits.shape[0]):
        biggest = max(logits[n])
        exps = [math.exp(value - biggest) for value in logits[n]]
        for c in range(logits.shape[1]):
            result[n, c] = exps[c] / sum(exps)
    return result


def cross_entropy(logits, labels):
    probs = softmax(logits)
    total = 0.0
    for n in range(len(labels)):
        total -= math.log(probs[n, labels[n]])
    return total / len(labels)


def cross_entropy_grad(logits, labels):
    grad = softmax(logits)
    for n in range(len(labels)):
        grad[n, labels[n]] -= 1
    # I think this still has to be divided by something?
    return grad


def loss_and_gradients(params, x, labels):
    ### YOUR CODE HERE
    raise NotImplementedError("parser_network.loss_and_gradients is not written yet")
    ### END YOUR CODE
