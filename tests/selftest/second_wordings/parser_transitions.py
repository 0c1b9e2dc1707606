"""Mistakes of parser_transitions as other people write them."""

from reference.parser_transitions import PartialParse
from tests.selftest.second_wordings import wording


@wording("partial_parse_reversed_buffer")
def sliced_backwards(self, sentence):
    self.sentence, self.stack, self.dependencies = list(sentence), ["ROOT"], []
    self.buffer = self.sentence[::-1]


@wording("partial_parse_sentence_as_buffer")
def alias(self, sentence):
    self.sentence = self.buffer = sentence
    self.stack = list(["ROOT"])
    self.dependencies = []


@wording("parse_step_left_arc_from_below")
def pairs_swapped(self, transition):
    if transition == "S":
        word, *self.buffer = self.buffer
        self.stack = self.stack + [word]
        return
    *rest, second, first = self.stack
    if transition == "LA":
        self.stack = rest + [first]
        self.dependencies = self.dependencies + [(second, first)]
    if transition == "RA":
        self.stack = rest + [second]
        self.dependencies = self.dependencies + [(second, first)]


@wording("parse_step_shifts_last_word")
def pops_the_end(self, transition):
    if transition == "S":
        self.stack += [self.buffer[-1]]
        self.buffer = self.buffer[:-1]
    if transition == "LA":
        self.dependencies.insert(0, (self.stack[-1], self.stack[-2]))
        del self.stack[-2]
    if transition == "RA":
        self.dependencies.insert(0, (self.stack[-2], self.stack[-1]))
        del self.stack[-1]


@wording("parse_returns_nothing")
def no_return(self, transitions):
    steps = iter(transitions)
    for step in steps:
        self.parse_step(step)
    return


@wording("minibatch_parse_removes_by_index")
def deletes_by_position(sentences, model, batch_size):
    parses = [PartialParse(sentence) for sentence in sentences]
    left = parses.copy()
    while len(left) > 0:
        batch = left[:batch_size]
        steps = model.predict(batch)
        finished = []
        for i in range(len(batch)):
            batch[i].parse_step(steps[i])
            if len(batch[i].stack) == 1 and len(batch[i].buffer) == 0:
                finished.append(i)
        for i in finished:
            del left[i]
    return [parse.dependencies for parse in parses]


@wording("minibatch_parse_buffer_decides")
def until_the_buffer_is_empty(sentences, model, batch_size):
    results = {}
    parses = {n: PartialParse(sentence) for n, sentence in enumerate(sentences)}
    while parses:
        keys = list(parses)[:batch_size]
        for key, step in zip(keys, model.predict([parses[key] for key in keys])):
            parses[key].parse_step(step)
            if len(parses[key].buffer) == 0:
                results[key] = parses.pop(key).dependencies
    return [results[key] for key in range(len(sentences))]


@wording("minibatch_parse_order_of_finishing")
def appends_what_is_done(sentences, model, batch_size):
    queue = [PartialParse(sentence) for sentence in sentences]
    dependencies = []
    while queue:
        batch, rest = queue[:batch_size], queue[batch_size:]
        for parse, step in zip(batch, model.predict(batch)):
            parse.parse_step(step)
        dependencies += [parse.dependencies for parse in batch if not parse.buffer and len(parse.stack) == 1]
        queue = [parse for parse in batch if parse.buffer or len(parse.stack) > 1] + rest
    return dependencies
