"""Transition-based dependency parsing (question 6)."""


class PartialParse:
    """One sentence on its way from words to a dependency tree."""

    def __init__(self, sentence):
        """Stack with ROOT, buffer with all words (a copy: the sentence is not ours to change), no arcs."""
        self.sentence = sentence
        self.stack = ["ROOT"]
        self.buffer = list(sentence)
        self.dependencies = []

    def parse_step(self, transition):
        """Apply one of "S", "LA", "RA"."""
        if transition == "S":
            self.stack.append(self.buffer.pop(0))
        elif transition == "LA":
            dependent = self.stack.pop(-2)
            self.dependencies.append((self.stack[-1], dependent))
        elif transition == "RA":
            dependent = self.stack.pop()
            self.dependencies.append((self.stack[-1], dependent))
        else:
            raise ValueError("unknown transition: %r" % (transition,))

    def is_finished(self):
        """Nothing left to shift and only ROOT on the stack."""
        return not self.buffer and len(self.stack) == 1

    def parse(self, transitions):
        """Apply several transitions in order."""
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    """Parse all sentences, always the first batch_size unfinished ones together."""
    partial_parses = [PartialParse(sentence) for sentence in sentences]
    unfinished = partial_parses[:]  # the list is copied, the parses are shared
    while unfinished:
        batch = unfinished[:batch_size]
        for parse, transition in zip(batch, model.predict(batch)):
            parse.parse_step(transition)
        unfinished = [parse for parse in unfinished if not parse.is_finished()]
    return [parse.dependencies for parse in partial_parses]
