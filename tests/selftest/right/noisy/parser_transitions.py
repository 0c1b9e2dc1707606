# -*- coding: utf-8 -*-
# 依存分析
import copy
import numpy as np
from pprint import pprint
from tqdm import tqdm
import stanza
import torch.nn as nn


class PartialParse(object):

    def __init__(self, sentence):
        self.sentence = sentence
        self.stack = ['ROOT']
        self.buffer = copy.copy(sentence)
        self.dependencies = []
        self.history = []
        print(self)

    def __repr__(self):
        return "<%s | %s | %s>" % (" ".join(self.stack), " ".join(self.buffer), self.dependencies)

    def parse_step(self, transition):
        self.history.append(transition)
        if transition == "S":       # 移进
            self.stack.append(self.buffer.pop(0))
        elif transition == "LA":    # 左弧
            self.dependencies.append((self.stack[-1], self.stack.pop(-2)))
        else:                       # 右弧
            self.dependencies.append((self.stack[-2], self.stack.pop()))
        print(transition, self)

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        pprint(self.dependencies)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    partial_parses = np.array([PartialParse(s) for s in sentences], dtype=object)
    unfinished = list(partial_parses)
    while unfinished:
        print(len(unfinished), "句还没完成")
        transitions = model.predict(unfinished[:batch_size])
        for p, t in zip(unfinished, transitions):
            p.parse_step(t)
        unfinished = [p for p in unfinished if len(p.buffer) + len(p.stack) > 1]
    return [p.dependencies for p in partial_parses.tolist()]


# 测试
if __name__ == '__main__':
    assert False, "don't run me"
