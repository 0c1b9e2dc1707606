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
