#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""
parser_transitions.py: Algorithms for completing partial parsess.
"""

import sys


class PartialParse(object):
    def __init__(self, sentence):
        """Initializes this partial parse."""
        # The sentence being parsed is kept for bookkeeping purposes. Do NOT alter it in your code.
        self.sentence = sentence

        ### YOUR CODE HERE (3 Lines)
        self.stack = ["ROOT"]
        self.buffer = self.sentence.copy()
        self.dependencies = []
        ### END YOUR CODE

    def parse_step(self, transition):
        """Performs a single parse step by applying the given transition to this partial parse"""
        if transition == "S":
            self.stack.append(self.buffer.pop(0))
        if transition == "LA":
            dependent = self.stack.pop(len(self.stack) - 2)
            self.dependencies.append((self.stack[len(self.stack) - 1], dependent))
        if transition == "RA":
            dependent = self.stack.pop()
            self.dependencies.append((self.stack[len(self.stack) - 1], dependent))

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    dependencies = []
    partial_parses = [PartialParse(sentence) for sentence in sentences]
    unfinished_parses = partial_parses[:]
    while len(unfinished_parses) > 0:
        minibatch = unfinished_parses[:batch_size]
        transitions = model.predict(minibatch)
        for i, parse in enumerate(minibatch):
            parse.parse_step(transitions[i])
            if len(parse.buffer) == 0 and len(parse.stack) == 1:
                unfinished_parses.remove(parse)
    for partial_parse in partial_parses:
        dependencies.append(partial_parse.dependencies)
    return dependencies


if __name__ == "__main__":
    args = sys.argv
    raise SystemExit("self-test")
