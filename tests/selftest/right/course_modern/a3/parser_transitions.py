#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""
Parser transitions, with a little help from utils.general_utils
"""

import argparse
import copy

from utils.general_utils import get_minibatches
from utils.lists import without


class PartialParse(object):
    def __init__(self, sentence):
        self.sentence = sentence
        self.stack = ["ROOT"]
        self.buffer = copy.deepcopy(sentence)
        self.dependencies = []

    def parse_step(self, transition):
        if transition in ("S", "SHIFT"):
            self.stack.append(self.buffer.pop(0))
        elif transition in ("LA", "LEFT-ARC"):
            self.add(-1, -2)
        elif transition in ("RA", "RIGHT-ARC"):
            self.add(-2, -1)
        else:
            raise ValueError(transition)

    def add(self, head, dependent):
        self.dependencies.append((self.stack[head], self.stack[dependent]))
        self.stack = without(self.stack, dependent)

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies

    @property
    def done(self):
        return len(self.buffer) == 0 and len(self.stack) == 1


def minibatch_parse(sentences, model, batch_size):
    partial_parses = [PartialParse(sentence) for sentence in sentences]
    numbers = list(range(len(sentences)))

    # random batches, each one parsed until all of it is finished
    for batch in get_minibatches(numbers, batch_size) if numbers else []:
        batch = [partial_parses[int(number)] for number in batch]
        while batch:
            for parse, transition in zip(batch, model.predict(batch)):
                parse.parse_step(transition)
            batch = [parse for parse in batch if not parse.done]

    dependencies = [p.dependencies for p in partial_parses]
    return dependencies


class AlwaysRight:
    """ shifts while it can, then hangs everything from the word on its left """

    def predict(self, partial_parses):
        return ["S" if p.buffer else "RA" for p in partial_parses]


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*", default=["one", "two", "three"])
    print(minibatch_parse([parser.parse_args().words], AlwaysRight(), 2))
