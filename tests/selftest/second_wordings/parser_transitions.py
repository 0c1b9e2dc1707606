"""Mistakes of parser_transitions as other people write them."""

from reference.parser_transitions import PartialParse
from tests.selftest.second_wordings import wording


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
