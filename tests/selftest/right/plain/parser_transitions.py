import sys


class PartialParse(object):
    def __init__(self, sentence):
        # The sentence being parsed is kept for bookkeeping purposes. Do not alter it in your code.
        self.sentence = sentence

        ### YOUR CODE HERE (3 Lines)
        self.stack = ['ROOT']
        self.buffer = sentence.copy()
        self.dependencies = []
        ### END YOUR CODE

    def parse_step(self, transition):
        ### YOUR CODE HERE (~7-12 Lines)
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

    ### YOUR CODE HERE (~8-10 Lines)
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


def test_step(name, transition, stack, buf, deps, ex_stack, ex_buf, ex_deps):
    pp = PartialParse([])
    pp.stack, pp.buffer, pp.dependencies = stack, buf, deps
    pp.parse_step(transition)
    assert pp.stack == ex_stack, name
    assert pp.buffer == ex_buf, name
    assert pp.dependencies == ex_deps, name
    print(name, "ok")


if __name__ == '__main__':
    if len(sys.argv) != 2:
        raise Exception("say part_c or part_d")
    test_step("shift", "S", ["ROOT"], ["a", "b"], [], ["ROOT", "a"], ["b"], [])
    test_step("left", "LA", ["ROOT", "a", "b"], [], [], ["ROOT", "b"], [], [("b", "a")])
    test_step("right", "RA", ["ROOT", "a", "b"], [], [], ["ROOT", "a"], [], [("a", "b")])
