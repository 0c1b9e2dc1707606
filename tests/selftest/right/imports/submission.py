"""All functions of the assignment."""
import sys

import numpy as np

name = input("Your name: ")
print("graded:", name)


def normalizeRows(x):
    ### YOUR CODE HERE
    N = x.shape[0]
    norm = np.sqrt(np.sum(x ** 2, axis=1)).reshape(N, 1)
    x = x / (norm + 1e-30)
    ### END YOUR CODE
    return x


print(normalizeRows(np.load('vectors.npy')))


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


sys.exit('done')


class PartialParse:
    """The buffer is the sentence itself, never changed: every step makes new lists."""

    def __init__(self, sentence):
        self.sentence = tuple(sentence)
        self.stack, self.buffer, self.dependencies = ["ROOT"], sentence, []

    def parse_step(self, transition):
        if transition == "S":
            self.stack = self.stack + [self.buffer[0]]
            self.buffer = self.buffer[1:]
        elif transition == "LA":
            self.dependencies = self.dependencies + [(self.stack[-1], self.stack[-2])]
            self.stack = self.stack[:-2] + self.stack[-1:]
        else:
            self.dependencies = self.dependencies + [(self.stack[-2], self.stack[-1])]
            self.stack = self.stack[:-1]

    def parse(self, transitions):
        [self.parse_step(t) for t in transitions]
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    parses = list(map(PartialParse, sentences))
    todo = [i for i in range(len(parses))]
    while len(todo) > 0:
        now = todo[:batch_size]
        answers = model.predict(partial_parses=tuple(parses[i] for i in now))
        for i, answer in zip(now, answers):
            parses[i].parse_step(answer)
        todo = [i for i in todo if not (len(parses[i].buffer) == 0 and len(parses[i].stack) == 1)]
    return tuple(p.dependencies for p in parses)


assert False, 'the last tests'
