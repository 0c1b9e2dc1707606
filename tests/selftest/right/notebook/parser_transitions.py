from collections import deque


class PartialParse(object):
    def __init__(self, sentence):
        self.sentence = sentence
        self.stack = ["ROOT"]
        self.buffer = deque(sentence)
        self.dependencies = []

    def parse_step(self, transition):
        if transition == "S":
            self.stack.append(self.buffer.popleft())
        elif transition == "LA":
            self.dependencies.append((self.stack[-1], self.stack.pop(-2)))
        elif transition == "RA":
            self.dependencies.append((self.stack[-2], self.stack.pop(-1)))

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    partial_parses = [PartialParse(s) for s in sentences]
    unfinished = deque(partial_parses)
    while unfinished:
        batch = [unfinished.popleft() for _ in range(min(batch_size, len(unfinished)))]
        for parse, transition in zip(batch, model.predict(batch)):
            parse.parse_step(transition)
            if parse.buffer or len(parse.stack) != 1:
                unfinished.append(parse)
    return [p.dependencies for p in partial_parses]
