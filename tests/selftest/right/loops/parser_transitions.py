class PartialParse:
    def __init__(self, sentence):
        self.sentence = sentence
        self.stack = ["ROOT"]
        self.buffer = [word for word in sentence]
        self.dependencies = []

    def parse_step(self, transition):
        if transition == "S":
            word = self.buffer[0]
            del self.buffer[0]
            self.stack = self.stack + [word]
            return
        n = len(self.stack)
        if transition == "LA":
            head, dependent = n - 1, n - 2
        else:
            head, dependent = n - 2, n - 1
        self.dependencies.append((self.stack[head], self.stack[dependent]))
        self.stack = [self.stack[i] for i in range(n) if i != dependent]

    def parse(self, transitions):
        for i in range(len(transitions)):
            self.parse_step(transitions[i])
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    parses = []
    finished = []
    for sentence in sentences:
        parses.append(PartialParse(sentence))
        finished.append(False)

    while not all(finished):
        # the first batch_size parses that are not finished
        numbers = []
        for i in range(len(parses)):
            if not finished[i] and len(numbers) < batch_size:
                numbers.append(i)
        transitions = model.predict([parses[i] for i in numbers])
        for k in range(len(numbers)):
            parse = parses[numbers[k]]
            parse.parse_step(transitions[k])
            finished[numbers[k]] = len(parse.buffer) == 0 and len(parse.stack) == 1

    result = []
    for parse in parses:
        result.append(parse.dependencies)
    return result
