import random
from dataclasses import dataclass, field


@dataclass
class PartialParse:
    sentence: list
    stack: list = field(default_factory=lambda: ["ROOT"])
    buffer: list = None
    dependencies: list = field(default_factory=list)

    def __post_init__(self):
        self.buffer = self.sentence.copy()

    def parse_step(self, transition):
        if transition == "S":
            first, *self.buffer = self.buffer
            self.stack.append(first)
        else:
            top = self.stack.pop()
            below = self.stack.pop()
            head, dependent = (top, below) if transition == "LA" else (below, top)
            self.dependencies.append((head, dependent))
            self.stack.append(head)

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return list(self.dependencies)


def minibatch_parse(sentences, model, batch_size):
    parses = [PartialParse(list(s)) for s in sentences]
    unfinished = parses[:]
    while unfinished:
        size = random.randint(1, min(batch_size, len(unfinished)))
        batch = random.sample(unfinished, size)
        for transition, parse in zip(model.predict(batch), batch):
            parse.parse_step(transition)
        unfinished = [p for p in unfinished if p.buffer or len(p.stack) > 1]
        random.shuffle(unfinished)
    return [p.dependencies for p in parses]
