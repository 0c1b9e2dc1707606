from __future__ import print_function


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
    everything = [PartialParse(s) for s in sentences]

    # cut into batches, finish each of them before the next
    for first in range(0, len(everything), batch_size):
        todo = everything[first:first + batch_size]
        while todo:
            answers = model.predict(todo)
            still = []
            for p, answer in zip(todo, answers):
                p.parse_step(answer)
                if p.buffer or len(p.stack) > 1:
                    still.append(p)
            todo = still
    return [p.dependencies for p in everything]
    ### END YOUR CODE


if __name__ == '__main__':
    print(PartialParse(["time", "flies", "fast"]).parse(["S", "S", "LA", "S", "RA", "RA"]))
