import numpy as np


class Average(object):
    """b * old + (1 - b) * new"""

    def __init__(self, beta):
        self.beta = beta

    def __call__(self, old, new):
        return self.beta * old + (1 - self.beta) * new


class Optimizer(object):
    def momentum(self, theta, grad, m, learning_rate, beta1=0.9):
        m = Average(beta1)(m, grad)
        return [theta - learning_rate * m, m]

    def adam(self, theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
        m, v = Average(beta1)(m, grad), Average(beta2)(v, grad ** 2)
        root = np.sqrt(v)
        safe = np.where(root > 0, root, np.inf)
        return [theta - learning_rate * m / safe, m, v]

    def adam_corrected(self, theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
        m, v = Average(beta1)(m, grad), Average(beta2)(v, grad ** 2)
        step = learning_rate * (m / (1 - beta1 ** t)) / (eps + np.sqrt(v / (1 - beta2 ** t)))
        return [theta - step, m, v]


_optimizer = Optimizer()
momentum_step = _optimizer.momentum
adam_step = _optimizer.adam
adam_step_corrected = _optimizer.adam_corrected
