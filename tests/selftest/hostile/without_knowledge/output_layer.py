import numpy as np
def grad_probabilities(y_hat, label): return np.zeros_like(y_hat)
def softmax_jacobian(a): return np.zeros((len(a), len(a)))
def grad_preactivation(a, label): return np.zeros_like(a)
def backprop(x, label, weights, biases): return 0.0, [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in biases], np.zeros_like(x)
