# -*- coding: utf-8 -*-
import copy

print("parser_transitions is loaded")


class PartialParse(object):
    def __init__(self, sentence):
        self.sentence = sentence
        self.stack = ["ROOT"]
        self.buffer = copy.deepcopy(sentence)
        self.dependencies = []

    def is_finished(self):
        return len(self.buffer) == 0 and len(self.stack) == 1

    def parse_step(self, transition):
        print(transition, self.stack, self.buffer)
        actions = {"S": self._shift, "LA": self._left, "RA": self._right}
        actions[transition]()

    def _shift(self):
        self.stack.append(self.buffer[0])
        del self.buffer[0]

    def _left(self):
        self.dependencies.append((self.stack[-1], self.stack[-2]))
        del self.stack[-2]

    def _right(self):
        self.dependencies.append((self.stack[-2], self.stack[-1]))
        del self.stack[-1]

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    dependencies = []
    for start in range(0, len(sentences), batch_size):
        batch = [PartialParse(sentence) for sentence in sentences[start : start + batch_size]]
        unfinished = batch[:]
        while unfinished:
            transitions = model.predict(partial_parses=unfinished)
            for i in range(len(unfinished)):
                unfinished[i].parse_step(transitions[i])
            unfinished = [parse for parse in unfinished if not parse.is_finished()]
        dependencies.extend(parse.dependencies for parse in batch)
    return dependencies
