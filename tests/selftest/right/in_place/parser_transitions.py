class PartialParse:
    def __init__(self, sentence):
        self.sentence = tuple(sentence)
        self.buffer = sentence          # never changed, only cut
        self.stack = ["ROOT"]
        self.dependencies = []

    def parse_step(self, transition):
        if transition == "S":
            word, *self.buffer = self.buffer
            self.stack += [word]
            return
        *self.stack, below, top = self.stack
        head, dependent = (top, below) if transition == "LA" else (below, top)
        self.stack += [head]
        self.dependencies += [(head, dependent)]

    def parse(self, transitions):
        while transitions:
            self.parse_step(transitions.pop(0))
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    parses = list(map(PartialParse, sentences))
    active = list(range(len(parses)))
    while active:
        batch, active = active[:batch_size], active[batch_size:]
        for number, transition in zip(batch, model.predict([parses[number] for number in batch])):
            parses[number].parse_step(transition)
        # the batch goes to the end of the queue
        active += [n for n in batch if parses[n].buffer or len(parses[n].stack) != 1]
    return [[list(arc) for arc in parse.dependencies] for parse in parses]
