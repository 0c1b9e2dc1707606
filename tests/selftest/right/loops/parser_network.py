import numpy as np

from mathstuff import column, dot, log_probabilities, probabilities, zeros


def relu(z):
    out = np.zeros(z.shape)
    for i in np.ndindex(*z.shape):
        if z[i] > 0:
            out[i] = z[i]
    return out


def preactivation(row, W, b1):
    return [dot(row, column(W, i)) + b1[i] for i in range(len(b1))]


def hidden_forward(x, W, b1):
    h = zeros(len(x), len(b1))
    for n in range(len(x)):
        z = preactivation(x[n], W, b1)
        for i in range(len(z)):
            h[n][i] = max(0.0, z[i])
    return np.array(h)


def hidden_jacobian(x, W, b1):
    z = preactivation(x, W, b1)
    jacobian = zeros(len(z), len(x))
    for i in range(len(z)):
        for j in range(len(x)):
            jacobian[i][j] = W[j][i] if z[i] > 0 else 0.0
    return np.array(jacobian)


def hidden_backward(grad_h, x, W, b1):
    N, Dx, H = len(x), len(W), len(b1)
    grad_x, grad_W, grad_b1 = zeros(N, Dx), zeros(Dx, H), [0.0] * H
    for n in range(N):
        z = preactivation(x[n], W, b1)
        for i in range(H):
            if z[i] <= 0:
                continue
            grad_b1[i] += grad_h[n][i]
            for j in range(Dx):
                grad_x[n][j] += grad_h[n][i] * W[j][i]
                grad_W[j][i] += grad_h[n][i] * x[n][j]
    return np.array(grad_x), np.array(grad_W), np.array(grad_b1)


def softmax(logits):
    return np.array([probabilities(row) for row in logits])


def cross_entropy(logits, labels):
    total = 0.0
    for row, label in zip(logits, labels):
        total -= log_probabilities(row)[label]
    return total / len(labels)


def cross_entropy_grad(logits, labels):
    grad = softmax(logits)
    for n in range(len(labels)):
        grad[n][labels[n]] -= 1
        for c in range(grad.shape[1]):
            grad[n][c] /= len(labels)
    return grad


def loss_and_gradients(params, x, labels):
    W, b1, U, b2 = params["W"], params["b1"], params["U"], params["b2"]
    h = hidden_forward(x, W, b1)
    logits = np.array([[dot(row, column(U, c)) + b2[c] for c in range(len(b2))] for row in h])
    grad_logits = cross_entropy_grad(logits, labels)

    N, H, C = len(x), len(b1), len(b2)
    grad_U, grad_b2, grad_h = np.zeros((H, C)), np.zeros(C), np.zeros((N, H))
    for n in range(N):
        for c in range(C):
            grad_b2[c] += grad_logits[n, c]
            for i in range(H):
                grad_U[i, c] += h[n, i] * grad_logits[n, c]
                grad_h[n, i] += grad_logits[n, c] * U[i, c]
    _, grad_W, grad_b1 = hidden_backward(grad_h, x, W, b1)
    return cross_entropy(logits, labels), {"W": grad_W, "b1": grad_b1, "U": grad_U, "b2": grad_b2}
