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


@wording("parse_step_arcs_exchanged")
def arcs_mixed_up(self, transition):
    if transition == "S":
        self.stack.append(self.buffer[0])
        del self.buffer[0]
    else:
        top, below = self.stack.pop(), self.stack.pop()
        head, dependent = (top, below) if transition == "RA" else (below, top)
        self.stack.append(head)
        self.dependencies.append((head, dependent))


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


@wording("minibatch_parse_aliases_result")
def same_list(sentences, model, batch_size):
    partial_parses = list(map(PartialParse, sentences))
    unfinished_parses = partial_parses
    while unfinished_parses:
        batch = unfinished_parses[0:batch_size]
        for step, parse in zip(model.predict(partial_parses=batch), batch):
            parse.parse([step])
            if not parse.buffer and len(parse.stack) < 2:
                unfinished_parses.remove(parse)
    return [parse.dependencies for parse in partial_parses]


@wording("minibatch_parse_counts_to_batch_size")
def index_over_batch_size(sentences, model, batch_size):
    parses = [PartialParse(sentence) for sentence in sentences]
    todo = parses[:]
    while todo:
        batch = todo[:batch_size]
        steps = model.predict(batch)
        n = 0
        while n < batch_size:
            batch[n].parse_step(steps[n])
            n += 1
        todo = [parse for parse in todo if parse.buffer or parse.stack != ["ROOT"]]
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


@wording("minibatch_parse_full_batches_only")
def floor_of_the_number(sentences, model, batch_size):
    parses = [PartialParse(sentence) for sentence in sentences]
    for number in range(len(parses) // batch_size):
        batch = parses[number * batch_size : (number + 1) * batch_size]
        while batch:
            for parse, step in zip(batch, model.predict(batch)):
                parse.parse_step(step)
            batch = [parse for parse in batch if parse.buffer or len(parse.stack) > 1]
    return [parse.dependencies for parse in parses]


@wording("parse_step_stack_upside_down")
def newest_word_first(self, transition):
    if transition == "S":
        self.stack = [self.buffer[0], *self.stack]
        self.buffer = self.buffer[1:]
        return
    top, below = self.stack[0], self.stack[1]
    if transition == "LA":
        self.dependencies.append((top, below))
        del self.stack[1]
    elif transition == "RA":
        self.dependencies.append((below, top))
        del self.stack[0]


@wording("minibatch_parse_steps_of_the_first")
def counts_down(sentences, model, batch_size):
    parses = [PartialParse(sentence) for sentence in sentences]
    for i in range(0, len(parses), batch_size):
        batch = parses[i : i + batch_size]
        left = len(batch[0].sentence) * 2
        while left > 0:
            open_parses = [p for p in batch if not (len(p.buffer) == 0 and len(p.stack) == 1)]
            if len(open_parses) == 0:
                break
            for p, t in zip(open_parses, model.predict(open_parses)):
                p.parse_step(t)
            left -= 1
    return [p.dependencies for p in parses]
