import sys


class PartialParse(object):
    def __init__(self, sentence):
        self.sentence = sentence
        ### YOUR CODE HERE
        self.stack = ['ROOT']
        self.buffer = sentence.copy()
        self.dependencies = []
        ### END YOUR CODE

    def parse_step(self, transition):
        ### YOUR CODE HERE
        if transition == "S":
            self.stack.append(self.buffer[0])
            self.buffer = self.buffer[1:]
        elif transition == "LA":
            self.dependencies.append((self.stack[-1], self.stack[-2]))
            self.stack.pop(-2)
        elif transition == "RA":
            self.dependencies.append((self.stack[-2], self.stack[-1]))
            self.stack.pop(-1)
        ### END YOUR CODE

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    dependencies = []

    ### YOUR CODE HERE
    partial_parses = []
    for sentence in sentences:
        partial_parses.append(PartialParse(sentence))
    unfinished_parses = partial_parses[:]

    while len(unfinished_parses) > 0:
        batch = unfinished_parses[:batch_size]
        transitions = model.predict(batch)
        for parse, transition in zip(batch, transitions):
            parse.parse_step(transition)
            if len(parse.buffer) == 0 and len(parse.stack) == 1:
                unfinished_parses.remove(parse)

    for parse in partial_parses:
        dependencies.append(parse.dependencies)
    ### END YOUR CODE

    return dependencies


if __name__ == '__main__':
    words = sys.argv[1:] or ["my", "cat", "sleeps"]
    p = PartialParse(words)
    for t in ["S", "S", "LA", "S", "LA", "RA"]:
        p.parse_step(t)
        print(t, p.stack, p.buffer, p.dependencies)
