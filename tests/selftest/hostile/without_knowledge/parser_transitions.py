class PartialParse:
    def __init__(self, sentence):
        self.sentence = sentence
        self.stack = ["ROOT"]
        self.buffer = list(sentence)
        self.dependencies = []

    def parse_step(self, transition):
        self.stack.append(transition)

    def parse(self, transitions):
        for each in transitions:
            self.parse_step(each)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    parses = [PartialParse(each) for each in sentences]
    for start in range(0, len(parses), batch_size):
        model.predict(parses[start : start + batch_size])
    return [[] for each in sentences]
