import math

import numpy as np

from mathstuff import column, dot, log_probabilities, logistic, probabilities, zeros


def sigmoid_grad(s):
    return s * (1 - s)


def split(params, dimensions):
    Dx, H, Dy = dimensions
    numbers = iter(params)
    W1 = [[next(numbers) for _ in range(H)] for _ in range(Dx)]
    b1 = [next(numbers) for _ in range(H)]
    W2 = [[next(numbers) for _ in range(Dy)] for _ in range(H)]
    b2 = [next(numbers) for _ in range(Dy)]
    return W1, b1, W2, b2


def run(row, params, dimensions):
    W1, b1, W2, b2 = split(params, dimensions)
    h = [logistic(dot(row, column(W1, i)) + b1[i]) for i in range(dimensions[1])]
    scores = [dot(h, column(W2, c)) + b2[c] for c in range(dimensions[2])]
    return h, scores


def forward(data, label, params, dimensions):
    _, scores = run(data[0], params, dimensions)
    return math.exp(log_probabilities(scores)[label])


def forward_backward_prop(data, labels, params, dimensions):
    Dx, H, Dy = dimensions
    W1, b1, W2, b2 = split(params, dimensions)
    gW1, gb1, gW2, gb2 = zeros(Dx, H), [0.0] * H, zeros(H, Dy), [0.0] * Dy
    cost = 0.0

    for n in range(len(data)):
        h, scores = run(data[n], params, dimensions)
        logs = log_probabilities(scores)
        cost -= sum(labels[n][c] * logs[c] for c in range(Dy))
        delta2 = [math.exp(logs[c]) - labels[n][c] for c in range(Dy)]
        for i in range(H):
            back = 0.0
            for c in range(Dy):
                gW2[i][c] += h[i] * delta2[c]
                back += W2[i][c] * delta2[c]
            delta1 = back * sigmoid_grad(h[i])
            gb1[i] += delta1
            for j in range(Dx):
                gW1[j][i] += data[n][j] * delta1
        for c in range(Dy):
            gb2[c] += delta2[c]

    flat = []
    for row in gW1 + [gb1] + gW2 + [gb2]:
        flat.extend(row)
    return cost, np.array(flat)


def grad_input(data, labels, params, dimensions):
    W1, _, W2, _ = split(params, dimensions)
    Dx, H, Dy = dimensions
    grad = zeros(len(data), Dx)
    for n in range(len(data)):
        h, scores = run(data[n], params, dimensions)
        y_hat = probabilities(scores)
        for i in range(H):
            back = sum((y_hat[c] - labels[n][c]) * W2[i][c] for c in range(Dy))
            for j in range(Dx):
                grad[n][j] += back * sigmoid_grad(h[i]) * W1[j][i]
    return np.array(grad)
