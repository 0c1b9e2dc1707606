import tqdm  # not installed, and not used


class PartialParse(object):
    def __init__(self, sentence):
        self.sentence = sentence[:]
        self.stack = ["ROOT"]
        self.buffer = sentence[:]
        self.dependencies = []

    def parse_step(self, transition):
        if transition == "S":
            self.stack += [self.buffer.pop(0)]
        elif transition == "LA":
            self.dependencies.insert(0, (self.stack[-1], self.stack.pop(-2)))
        else:
            self.dependencies.insert(0, [self.stack[-2], self.stack.pop()])

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    parses = [PartialParse(s) for s in sentences]
    # The longest first, then put back in order.
    order = sorted(range(len(parses)), key=lambda i: -len(sentences[i]))
    unfinished = [parses[i] for i in order]
    while unfinished:
        batch = unfinished[-batch_size:]
        for parse, transition in zip(batch, model.predict(batch)):
            parse.parse_step(transition)
        for parse in batch:
            if not parse.buffer and parse.stack == ["ROOT"]:
                unfinished.remove(parse)
    return [parse.dependencies for parse in parses]
