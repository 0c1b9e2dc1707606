import numpy as np


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    newM = beta1 * m + (1 - beta1) * grad
    newTheta = theta - learning_rate * newM
    return newTheta, newM


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    newM = beta1 * m + (1 - beta1) * grad
    newV = beta2 * v + (1 - beta2) * grad * grad
    # added 1e-8 because I got nan
    newTheta = theta - learning_rate * newM / (np.sqrt(newV) + 1e-8)
    return newTheta, newM, newV


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    ### YOUR CODE HERE
    raise NotImplementedError("adam.adam_step_corrected is not written yet")
    ### END YOUR CODE
