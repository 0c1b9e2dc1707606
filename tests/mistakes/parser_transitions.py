"""Known wrong answers of parser_transitions."""

from reference.parser_transitions import PartialParse
from tests.mistakes import mistake, mistake_edit

# The right-arc of parse_step, and that of another kind of parser.
RIGHT_ARC = """dependent = self.stack.pop()
        self.dependencies.append((self.stack[-1], dependent))"""
ARC_EAGER = """self.dependencies.append((self.stack[-1], self.buffer[0]))
        self.stack.append(self.buffer.pop(0))"""
# Lines of minibatch_parse.
UNFINISHED = "unfinished = [parse for parse in unfinished if parse.buffer or len(parse.stack) > 1]"
RESULT = "return [parse.dependencies for parse in partial_parses]"


def with_arcs_in_order(_arguments, reply):
    """Read a reply with every list of dependencies sorted, since any order is right."""
    if not isinstance(reply, (list, tuple)):
        return reply
    if reply and all(isinstance(arc, (list, tuple)) and [type(word) for word in arc] == [str, str] for arc in reply):
        return sorted(map(tuple, reply))
    return type(reply)(with_arcs_in_order((), item) for item in reply)


FUNCTIONS = ["PartialParse", "PartialParse.parse_step", "PartialParse.parse", "minibatch_parse"]
READERS = dict.fromkeys(FUNCTIONS, lambda: with_arcs_in_order)


partial_parse_reversed_buffer = mistake_edit(
    "PartialParse",
    {"list(sentence)": "list(reversed(sentence))"},
    story="Stores the buffer reversed, so that pop() takes the first word.",
    hint="At which end of the buffer does the assignment put the first word?",
)


partial_parse_without_root = mistake_edit(
    "PartialParse",
    {'["ROOT"]': "[]"},
    story="Starts with an empty stack.",
    hint="What is on the stack before the first transition?",
)


partial_parse_sentence_as_buffer = mistake_edit(
    "PartialParse",
    {"list(sentence)": "sentence"},
    story="Uses the sentence itself as the buffer, so every shift removes a word from the caller's list.",
    hint="Look at the sentence after a parse.",
)


partial_parse_shared_dependencies = mistake_edit(
    "PartialParse",
    {"sentence: Sequence[str])": "sentence, dependencies=[])", "= []": "= dependencies"},
    story="Shares one list of dependencies, a default argument, among all parses.",
    hint="Make two parses, change one and look at the other.",
)


parse_step_shifts_last_word = mistake_edit(
    "PartialParse.parse_step",
    {"self.buffer.pop(0)": "self.buffer.pop()"},
    story="Shifts the last word of the buffer.",
    hint="Which word of the buffer is the next one?",
)


parse_step_shortens_the_sentence = mistake_edit(
    "PartialParse.parse_step",
    {"self.buffer.pop(0))": "self.buffer.pop(0))\n        self.sentence.pop(0)"},
    story="Removes the shifted word from the sentence too.",
    hint="Look at the sentence after a shift.",
)


parse_step_dependent_first = mistake_edit(
    "PartialParse.parse_step",
    {
        f"{taken}\n        self.dependencies.append((self.stack[-1], dependent))": (
            f"{taken}\n        self.dependencies.append((dependent, self.stack[-1]))"
        )
        for taken in ("pop(-2)", "pop()")
    },
    story="Writes every dependency as (dependent, head).",
    hint="Which of the two words stands first in a dependency?",
)


parse_step_left_arc_from_below = mistake_edit(
    "PartialParse.parse_step",
    {
        ("pop(-2)\n        self.dependencies.append((self.stack[-1], dependent))"): (
            "pop(-2)\n        self.dependencies.append((dependent, self.stack[-1]))"
        )
    },
    story="Exchanges head and dependent in left-arc.",
    hint="In a left-arc, which of the two words is the head?",
)


parse_step_left_arc_pops_the_top = mistake_edit(
    "PartialParse.parse_step",
    {
        "dependent = self.stack.pop(-2)\n        self.dependencies.append((self.stack[-1], dependent))": (
            "self.dependencies.append((self.stack[-1], self.stack[-2]))\n        self.stack.pop()"
        )
    },
    story="Takes the top of the stack off in a left-arc, and not the word below.",
    hint="Which of the two words leaves the stack in a left-arc: the head or the dependent?",
)


parse_step_arcs_exchanged = mistake_edit(
    "PartialParse.parse_step",
    {'"LA"': '"RA"', '"RA"': '"LA"'},
    story="Exchanges left-arc and right-arc.",
    hint="Draw the arc of a left-arc between two words of a sentence.",
)


@mistake(
    "PartialParse.parse_step",
    story="Takes the top of the stack at index 0.",
    hint="Which end of the list is the top of the stack?",
)
def parse_step_top_first(self, transition):
    if transition == "S":
        self.stack.append(self.buffer.pop(0))
    elif transition == "LA":
        self.dependencies.append((self.stack[0], self.stack.pop(1)))
    else:
        self.dependencies.append((self.stack[1], self.stack.pop(0)))


@mistake(
    "PartialParse.parse_step",
    story='Recognises no transition and does nothing: it compares with "is", or with other letters.',
    hint='With which letters do you compare the transition, and with == or with "is"?',
)
def parse_step_knows_no_transition(self, transition):
    pass


@mistake(
    "PartialParse.parse_step",
    story='Takes every transition for a right-arc: it compares with "is", or with other letters.',
    hint='With which letters do you compare the transition, and with == or with "is"?',
)
def parse_step_right_arcs_only(self, transition):
    dependent = self.stack.pop()
    self.dependencies.append((self.stack[-1], dependent))


parse_returns_nothing = mistake_edit(
    "PartialParse.parse",
    {"return self.dependencies": "return None"},
    story="Returns nothing.",
    hint="What should parse return?",
)


parse_returns_early = mistake_edit(
    "PartialParse.parse",
    {"    return self.dependencies": "        return self.dependencies"},
    story="Returns from inside the loop, after the first transition.",
    hint="How far is the return statement indented?",
)


minibatch_parse_removes_by_index = mistake_edit(
    "minibatch_parse",
    {
        UNFINISHED: (
            "for i in [i for i, parse in enumerate(batch) if not parse.buffer and len(parse.stack) == 1]:\n"
            "            unfinished.pop(i)"
        )
    },
    story="Removes finished parses by indices that each removal before has moved.",
    hint="What happens to the indices when you remove an item, as when two sentences finish in the same step?",
)


minibatch_parse_removes_while_looping = mistake_edit(
    "minibatch_parse",
    {
        UNFINISHED: (
            "for parse in unfinished:\n"
            "            if not parse.buffer and len(parse.stack) == 1:\n"
            "                unfinished.remove(parse)"
        )
    },
    story="Removes items from the list it loops over, so the parse after a finished one is predicted once too often.",
    hint="Which item of a list does a loop skip when you remove one, as when two sentences finish in the same step?",
)


minibatch_parse_aliases_result = mistake_edit(
    "minibatch_parse",
    {
        "list(partial_parses)": "partial_parses",
        UNFINISHED: (
            "for parse in batch:\n"
            "            if not parse.buffer and len(parse.stack) == 1:\n"
            "                unfinished.remove(parse)"
        ),
    },
    story="Uses one list for the unfinished parses and the result, so the result is empty at the end.",
    hint="Are the list that you empty and the list that you return the same list?",
)


minibatch_parse_counts_to_batch_size = mistake_edit(
    "minibatch_parse",
    {
        (
            "for parse, transition in zip(batch, model.predict(batch), strict=True):\n"
            "            parse.parse_step(transition)"
        ): (
            "transitions = model.predict(batch)\n"
            "        for i in range(batch_size):\n"
            "            batch[i].parse_step(transitions[i])"
        )
    },
    story="Counts to batch_size in every batch, even in a shorter one.",
    hint="How many parses are in the last batch?",
)


minibatch_parse_buffer_decides = mistake_edit(
    "minibatch_parse",
    {"parse.buffer or len(parse.stack) > 1": "parse.buffer"},
    story="Treats a parse as finished when its buffer is empty, although words are left on the stack.",
    hint="Which two things must be true of a finished parse?",
)


minibatch_parse_finished_at_the_start = mistake_edit(
    "minibatch_parse",
    {
        "list(partial_parses)": "[parse for parse in partial_parses if len(parse.stack) > 1]",
        "parse.buffer or len(parse.stack) > 1": "len(parse.stack) > 1",
    },
    story="Leaves every parse as it is at its start, as where one item on the stack counts as finished.",
    hint="How often does your code call model.predict, and which parses are finished before the first call?",
)


@mistake(
    "minibatch_parse",
    story="Returns the parses in the order in which they finish.",
    hint="Put the longest sentence first.",
)
def minibatch_parse_order_of_finishing(sentences, model, batch_size):
    unfinished, finished = [PartialParse(sentence) for sentence in sentences], []
    while unfinished:
        batch = unfinished[:batch_size]
        for parse, transition in zip(batch, model.predict(batch)):
            parse.parse_step(transition)
        finished += [parse for parse in unfinished if not parse.buffer and len(parse.stack) == 1]
        unfinished = [parse for parse in unfinished if parse.buffer or len(parse.stack) > 1]
    return [parse.dependencies for parse in finished]


minibatch_parse_one_list_a_word = mistake_edit(
    "minibatch_parse",
    {"for parse in partial_parses]": "for parse in partial_parses for _ in parse.sentence]"},
    story="Returns one list of dependencies for each word: the loop variable of the sentences is used again.",
    hint="How long should the result be?",
)


@mistake(
    "minibatch_parse",
    story="Parses full batches only and leaves the last, short one out.",
    hint="Count your sentences, and the sentences in your batches.",
)
def minibatch_parse_full_batches_only(sentences, model, batch_size):
    partial_parses = [PartialParse(sentence) for sentence in sentences]
    for start in range(0, len(sentences) - batch_size + 1, batch_size):
        unfinished = partial_parses[start : start + batch_size]
        while unfinished:
            for parse, transition in zip(unfinished, model.predict(unfinished)):
                parse.parse_step(transition)
            unfinished = [parse for parse in unfinished if parse.buffer or len(parse.stack) > 1]
    return [parse.dependencies for parse in partial_parses]


minibatch_parse_ignores_batch_size = mistake_edit(
    "minibatch_parse",
    {"unfinished[:batch_size]": "unfinished"},
    story="Passes all unfinished parses to the model at once.",
    hint="What is batch_size for?",
)


@mistake(
    "minibatch_parse",
    story="Takes as many steps with each batch as its first sentence needs.",
    hint="How many transitions does the longest sentence of a batch need?",
)
def minibatch_parse_steps_of_the_first(sentences, model, batch_size):
    partial_parses = [PartialParse(sentence) for sentence in sentences]
    for start in range(0, len(partial_parses), batch_size):
        unfinished = partial_parses[start : start + batch_size]
        for _ in range(2 * len(unfinished[0].sentence)):
            if unfinished:
                for parse, transition in zip(unfinished, model.predict(unfinished)):
                    parse.parse_step(transition)
            unfinished = [parse for parse in unfinished if parse.buffer or len(parse.stack) > 1]
    return [parse.dependencies for parse in partial_parses]


parse_step_arc_eager = mistake_edit(
    "PartialParse.parse_step",
    {RIGHT_ARC: ARC_EAGER},
    story="Has the right-arc of the arc-eager parser: to the first word of the buffer, which goes to the stack.",
    hint="Between which two words does a right-arc go, and which of them leaves the stack?",
)


minibatch_parse_returns_parses = mistake_edit(
    "minibatch_parse",
    {RESULT: "return partial_parses"},
    story="Returns the parses, and not their dependencies.",
    hint="What is the type of the items that your function returns?",
)
