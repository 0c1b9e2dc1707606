class PartialParse(object):
    def __init__(self, sentence):
        self.sentence = sentence
        self.stack = ["ROOT"]
        self.buffer = sentence
        self.dependencies = []

    def parse_step(self, transition):
        if transition == "S":
            self.stack.append(self.buffer.pop(0))
        elif transition == "LA":
            self.dependencies.append((self.stack[-2], self.stack[-1]))
            self.stack.pop(-2)
        else:
            self.dependencies.append((self.stack[-2], self.stack[-1]))
            self.stack.pop(-1)

    def parse(self, transitions):
        for t in transitions:
            self.parse_step(t)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    partial_parses = [PartialParse(s) for s in sentences]
    unfinished_parses = partial_parses[:]

    while len(unfinished_parses) > 0:
        minibatch = unfinished_parses[:batch_size]
        transitions = model.predict(minibatch)
        for i, t in enumerate(transitions):
            minibatch[i].parse_step(t)
            if len(minibatch[i].buffer) == 0 and len(minibatch[i].stack) == 1:
                unfinished_parses.pop(i)

    return [p.dependencies for p in partial_parses]
