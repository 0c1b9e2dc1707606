import numpy as np


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    m = beta1 * m + (1 - beta1) * grad
    theta = theta - learning_rate * m
    return theta, m


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad * grad

    # no step where v is 0: dividing by 1 there and multiplying the step with 0
    zero = (v == 0)
    step = learning_rate * m / np.sqrt(v + zero)
    theta = theta - step * (1 - zero)
    return theta, m, v


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad * grad
    m_hat = m / (1 - beta1 ** t)
    v_hat = v / (1 - beta2 ** t)
    theta = theta - learning_rate * m_hat / (np.sqrt(v_hat) + eps)
    return theta, m, v


import numpy as np


def dropout_scale(p_drop):
    return 1 / (1 - p_drop)


def dropout_forward(h, p_drop, training, rng):
    if training == True:
        mask = rng.binomial(1, 1 - p_drop, size=h.shape)
        h_drop = dropout_scale(p_drop) * mask * h
        return h_drop, mask
    else:
        mask = np.ones(h.shape)
        return h, mask


def dropout_backward(grad_h_drop, mask, p_drop):
    return dropout_scale(p_drop) * mask * grad_h_drop


quit()


import numpy as np


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = x0
    average = 0.0
    for i in range(iterations):
        ### YOUR CODE HERE
        loss, grad = f(x)
        x = x - step * grad
        if postprocessing is not None:
            x = postprocessing(x)
        ### END YOUR CODE

        # a smooth loss is nicer to look at
        average = 0.9 * average + 0.1 * loss
        if (i + 1) % PRINT_EVERY == 0:
            print("iteration", i + 1, "loss", average)
        if (i + 1) % 20000 == 0:
            step = step / 2
    return x
