class PartialParse(object):
    def __init__(self, sentence):
        self.sentence = sentence

        ### YOUR CODE HERE
        self.stack = ['ROOT']
        self.buffer = sentence[:]
        self.dependencies = []
        ### END YOUR CODE

    def parse_step(self, transition):
        ### YOUR CODE HERE
        if transition == "S":
            self.stack.append(self.buffer.pop(0))
        if transition == "LA":
            self.dependencies.append((self.stack[-1], self.stack.pop(-2)))
        if transition == "RA":
            self.dependencies.append((self.stack[-2], self.stack.pop()))
        ### END YOUR CODE

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    ### YOUR CODE HERE
    partial_parses = [PartialParse(s) for s in sentences]
    unfinished_parse = partial_parses[:]

    while len(unfinished_parse) > 0:
        minibatch = unfinished_parse[0:batch_size]
        # perform transition and single step parser on the minibatch until it is empty
        while len(minibatch) > 0:
            transitions = model.predict(minibatch)
            for index, action in enumerate(transitions):
                minibatch[index].parse_step(action)
            minibatch = [parse for parse in minibatch if len(parse.stack) > 1 or parse.buffer]

        # move to the next batch
        unfinished_parse = unfinished_parse[batch_size:]

    dependencies = []
    for n in range(len(sentences)):
        dependencies.append(partial_parses[n].dependencies)
    ### END YOUR CODE

    return dependencies


def test_parse():
    """Simple tests for the PartialParse.parse function"""
    sentence = ["parse", "this", "sentence"]
    dependencies = PartialParse(sentence).parse(["S", "S", "S", "LA", "RA", "RA"])
    assert sorted(dependencies) == [('ROOT', 'parse'), ('parse', 'sentence'), ('sentence', 'this')]
    print("parse test passed!")


if __name__ == '__main__':
    test_parse()
