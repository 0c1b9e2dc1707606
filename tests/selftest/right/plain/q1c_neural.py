import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def sigmoid_grad(s):
    ds = s * (1 - s)
    return ds


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def get_params(params, dimensions):
    Dx, H, Dy = dimensions
    end1 = Dx * H
    end2 = end1 + H
    end3 = end2 + H * Dy
    W1 = params[:end1].reshape(Dx, H)
    b1 = params[end1:end2].reshape(1, H)
    W2 = params[end2:end3].reshape(H, Dy)
    b2 = params[end3:].reshape(1, Dy)
    return W1, b1, W2, b2


def forward(data, label, params, dimensions):
    W1, b1, W2, b2 = get_params(params, dimensions)
    h = sigmoid(np.dot(data, W1) + b1)
    y_hat = softmax(np.dot(h, W2) + b2)
    return y_hat[0][label]


def forward_backward_prop(data, labels, params, dimensions):
    W1, b1, W2, b2 = get_params(params, dimensions)

    ### YOUR CODE HERE: forward propagation
    h = sigmoid(np.dot(data, W1) + b1)
    scores = np.dot(h, W2) + b2
    y_hat = softmax(scores)
    shifted = scores - np.max(scores, axis=1, keepdims=True)
    log_y_hat = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    cost = -np.sum(labels * log_y_hat)
    ### END YOUR CODE

    ### YOUR CODE HERE: backward propagation
    d2 = y_hat - labels
    gradW2 = np.dot(h.T, d2)
    gradb2 = np.sum(d2, axis=0)
    d1 = np.dot(d2, W2.T) * sigmoid_grad(h)
    gradW1 = np.dot(data.T, d1)
    gradb1 = np.sum(d1, axis=0)
    ### END YOUR CODE

    grad = np.concatenate((gradW1.flatten(), gradb1.flatten(), gradW2.flatten(), gradb2.flatten()))
    return cost, grad


def grad_input(data, labels, params, dimensions):
    W1, b1, W2, b2 = get_params(params, dimensions)
    h = sigmoid(np.dot(data, W1) + b1)
    y_hat = softmax(np.dot(h, W2) + b2)
    d1 = np.dot(y_hat - labels, W2.T) * sigmoid_grad(h)
    return np.dot(d1, W1.T)
