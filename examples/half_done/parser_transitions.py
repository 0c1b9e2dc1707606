class PartialParse:
    def __init__(self, sentence):
        self.sentence = sentence
        ### YOUR CODE HERE
        self.stack = ["ROOT"]
        self.buffer = []
        for word in sentence:
            self.buffer.append(word)
        self.dependencies = []
        ### END YOUR CODE

    def parse_step(self, transition):
        ### YOUR CODE HERE
        if transition == "S":
            firstWord = self.buffer[0]
            self.buffer = self.buffer[1:]
            self.stack.append(firstWord)
        if transition == "LA":
            head = self.stack[-1]
            dependent = self.stack[-2]
            self.dependencies.append((head, dependent))
            self.stack = self.stack[:-2] + [head]
        if transition == "RA":
            head = self.stack[-2]
            dependent = self.stack[-1]
            self.dependencies.append((head, dependent))
            self.stack = self.stack[:-1]
        ### END YOUR CODE

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    dependencies = []
    ### YOUR CODE HERE
    ### END YOUR CODE
    return dependencies
