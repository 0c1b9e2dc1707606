"""Hidden tests of parser_transitions: PartialParse step by step, and minibatch_parse with models that see a state."""

import contextlib
from typing import Any

from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import CallFailed, Remote, Student, checks
from reference.parser_transitions import PartialParse
from tests.hidden import parser_states as states
from tests.hidden.parser_states import Arcs, Predictor, Rule, Words, make_words, read_arcs, read_words

PARTS = ("head", "dependent")


def parse_in_state(student: Student, stack: Words, buffer: Words, dependencies: Arcs) -> Remote:
    """Make a parse and put it in this state; a right buffer of the student's constructor stays."""
    parse = student.parser_transitions.PartialParse(buffer or ["word"])
    parse.stack, parse.dependencies = list(stack), list(dependencies)
    found = parse.buffer
    if not buffer or checks.is_unusual(lambda: repr(found) != repr(buffer)):
        parse.buffer = list(buffer)
    return parse


def is_left_alone(student: Student) -> bool:
    """Say whether parse_step does nothing, as in the courses' starter code, which has `parse` already."""
    parse = student.parser_transitions.PartialParse(["word"])  # its buffer is as the student likes it, or missing
    parse.stack, parse.dependencies = ["ROOT", "a", "b"], []
    if any(changes_stack(parse, transition) for transition in ("S", "LA", "RA")):
        return False
    return not read_arcs("the dependencies", parse.dependencies)


def changes_stack(parse: Remote, transition: str) -> bool:
    """Apply a transition to this stack, and say whether it changes it."""
    parse.parse_step(transition)
    stack = read_words("the stack", parse.stack)
    return not checks.is_unusual(lambda: stack == ["ROOT", "a", "b"])


def require_step(student: Student) -> None:
    """End the test as "not written yet" if parse_step does nothing."""
    checks.not_written(is_left_alone(student), "parse_step leaves the state as it was")


def check_step(student: Student, transition: str, *states: tuple[Words, Words, Arcs]) -> None:
    """Apply a transition to each state, given by stack, buffer and dependencies; then compare the states after it."""
    found = [step_in_state(student, transition, *state) for state in states]
    for state, (stack_after, arcs_after, buffer_after) in zip(states, found, strict=True):
        right = PartialParse(state[1])
        right.stack, right.dependencies = list(state[0]), list(state[2])
        right.parse_step(transition)
        checks.equal(f"the stack after {transition!r}", stack_after, right.stack)
        checks.equal(f"the buffer after {transition!r}", read_words("the buffer", buffer_after), right.buffer)
        checks.equal(f"the dependencies after {transition!r}", arcs_after, sorted(right.dependencies), parts=PARTS)


def step_in_state(
    student: Student, transition: str, stack: Words, buffer: Words, dependencies: Arcs
) -> tuple[Words, Arcs, object]:
    """Apply one transition to this state and return the stack, the dependencies and the buffer after it."""
    parse = parse_in_state(student, stack, buffer, dependencies)
    parse.parse_step(transition)
    stack_after, arcs_after = read_words("the stack", parse.stack), read_arcs("the dependencies", parse.dependencies)
    if checks.is_unusual(lambda: stack_after == stack):
        require_step(student)
    return stack_after, arcs_after, parse.buffer


def require_apart(student: Student) -> None:
    """Require that steps of one parse leave another parse, and the sentence, as they were."""
    first, second = (student.parser_transitions.PartialParse(make_words(3)) for _ in range(2))
    before = [second.stack, second.buffer, second.dependencies]
    with contextlib.suppress(CallFailed):  # an error shows in the steps that the test is about
        for transition in ("S", "S", "LA", "S", "LA", "RA"):
            first.parse_step(transition)
    require_same_state(before, [second.stack, second.buffer, second.dependencies])
    with contextlib.suppress(CallFailed):  # a parse need not keep its sentence
        checks.equal("the sentence", read_words("the sentence", first.sentence), make_words(3))


def check_steps(student: Student, sentence: Words, transitions: list[str]) -> None:
    """Apply transitions to a new parse of a sentence, and compare the state after them with the right one."""
    right, parse = PartialParse(sentence), student.parser_transitions.PartialParse(sentence)
    parse.stack, parse.dependencies = ["ROOT"], []
    for step in transitions:
        right.parse_step(step)
        parse.parse_step(step)
    what = f"after {', '.join(map(repr, transitions))}"
    stack_after, arcs_after = read_words("the stack", parse.stack), read_arcs("the dependencies", parse.dependencies)
    checks.equal(f"the stack {what}", stack_after, right.stack)
    checks.equal(f"the buffer {what}", read_words("the buffer", parse.buffer), right.buffer)
    checks.equal(f"the dependencies {what}", arcs_after, sorted(right.dependencies), parts=PARTS)


def keep_sentence(student: Student, sentence: Words) -> None:
    """Shift all words, add arcs, and compare the sentence after each step with the sentence before."""
    parse = parse_in_state(student, ["ROOT"], sentence, [])
    parse.sentence = list(sentence)
    for transition in ["S"] * len(sentence) + ["LA"] * (len(sentence) - 1) + ["RA"]:
        parse.parse_step(transition)
        checks.unchanged("the sentence", sentence, read_words("the sentence", parse.sentence))


def read_state(student: Student, parse: Remote) -> list[object]:
    """Read stack, buffer and dependencies."""
    state = [parse.stack, parse.buffer, parse.dependencies]
    student.observe(state)
    return state


@checks.reads_replies
def check_start(state: list[object], sentence: Words) -> None:
    """Compare the state with that of a new parse."""
    checks.equal("the stack", read_words("the stack", state[0]), ["ROOT"])
    checks.equal("the buffer", read_words("the buffer", state[1]), sentence)
    checks.equal("the dependencies", read_arcs("the dependencies", state[2]), [])


def parse_with(student: Student, sentence: Words, transitions: list[str]) -> tuple[Remote, object]:
    """Return a parse after these transitions, and the value of `parse`; observe the state, which shows its work."""
    parse = student.parser_transitions.PartialParse(sentence)
    dependencies = parse.dependencies
    if checks.is_unusual(lambda: bool(dependencies)):  # a list that parses share costs points in parse_step
        parse.dependencies = []
    got = parse.parse(transitions)
    student.observe([parse.stack, parse.buffer])
    return parse, got


def check_parses(student: Student, cases: list[tuple[Words, list[list[str]]]]) -> None:
    """Call `parse` once for each list of transitions of each sentence; then compare all values and states."""
    found = [parse_in_turn(student, *case) for case in cases]
    for (sentence, several), after_each in zip(cases, found, strict=True):
        right = PartialParse(sentence)
        for transitions, (got, stack, buffer) in zip(several, after_each, strict=True):
            arcs = read_arcs("the result of parse", got)
            checks.equal("the result of parse", arcs, sorted(right.parse(transitions)), parts=PARTS)
            checks.equal("the stack after parse", read_words("the stack", stack), right.stack)
            checks.equal("the buffer after parse", read_words("the buffer", buffer), right.buffer)


def parse_in_turn(student: Student, sentence: Words, several: list[list[str]]) -> list[tuple[object, ...]]:
    """Call `parse` once for each list of transitions; return its value, the stack and the buffer after each call."""
    parse, got = parse_with(student, sentence, several[0])
    found = [tuple(map(copy_list, (got, parse.stack, parse.buffer)))]
    for transitions in several[1:]:
        got = parse.parse(transitions)
        found.append(tuple(map(copy_list, (got, parse.stack, parse.buffer))))
    return found


def copy_list(value: object) -> object:
    """Copy a list, which later calls change where nothing stands between a submission and the tests."""
    return list(value) if isinstance(value, list) else value


def call_minibatch(student: Student, predictor: Predictor, sentences: list[Words], batch_size: int) -> tuple[Any, Any]:
    """Call minibatch_parse; return its value, and the sentences as the call left them."""
    call = student.parser_transitions.minibatch_parse.with_arguments
    try:
        got, (sentences_after, *_) = call(sentences, predictor.make_model(), batch_size)
    finally:
        student.observe(predictor.asked)
    require_calls(got, sentences, predictor)
    return got, sentences_after


@checks.reads_replies
def require_calls(got: object, sentences: list[Words], predictor: Predictor) -> None:
    """End as not written where nothing was done."""
    is_stub = bool(sentences) and repr(got) == "[]" and not predictor.questions
    checks.not_written(is_stub, "minibatch_parse returns [] and never calls model.predict")


def check_minibatch(
    student: Student, rule: Rule, sentences: list[Words], batch_size: int, *, largest_batch: int | None = None
) -> None:
    """Compare each list of dependencies with the right one, and the sentences with what they were."""
    got, after = call_minibatch(student, Predictor(rule, largest_batch), sentences, batch_size)
    compare_parses(got, rule, sentences)
    checks.unchanged("sentences", sentences, after)


def ask_another_model(student: Student, sentences: list[Words]) -> None:
    """Parse each sentence alone by another model, which decides nothing of later calls."""
    for sentence in sentences:
        call_minibatch(student, Predictor(states.left_arcs_rule), [sentence], 1)


@checks.reads_replies
def compare_parses(got: object, rule: Rule, sentences: list[Words]) -> None:
    """Compare each list of dependencies with the right one."""
    is_right_length = isinstance(got, (list, tuple)) and len(got) == len(sentences)
    wanted = f"a list of {len(sentences)} lists of dependencies, one for each sentence"
    checks.require(is_right_length, "minibatch_parse", wanted, checks.describe(got))
    for position, (value, sentence) in enumerate(zip(got, sentences, strict=True), start=1):
        what = f"the dependencies of sentence {position}"
        checks.equal(what, read_arcs(what, value), states.parse_alone(rule, sentence), parts=PARTS)


@weight(1.5)
@number("6.1")
@visibility("visible")
@tags("PartialParse")
def test_partial_parse_start(student: Student) -> None:
    """PartialParse: stack, buffer and dependencies at the start"""
    sentence = ["I", "parsed", "this", "sentence", "correctly"]
    check_start(read_state(student, student.parser_transitions.PartialParse(sentence)), sentence)


@weight(1)
@number("6.2")
@visibility("after_due_date")
@tags("PartialParse")
def test_partial_parse_sentences(student: Student) -> None:
    """PartialParse: one word, repeated words, a long sentence"""
    several = [["Go"], ["that", "that", "is", "is"], make_words(40), ["ROOT", "vegetables"], ["a", "b", "a"]]
    several += [make_words(length) for length in (1, 2, 3, 4, 5, 6, 7, 8, 12)]
    parses = [student.parser_transitions.PartialParse(sentence) for sentence in several]
    states = [read_state(student, parse) for parse in parses]
    for sentence, parse, state in zip(several, parses, states, strict=True):
        check_start(state, sentence)
        checks.equal("the sentence", read_words("the sentence", parse.sentence), sentence)


@weight(0.5)
@number("6.3")
@visibility("after_due_date")
@tags("PartialParse.parse_step")
def test_parse_step_keeps_the_callers_sentence(student: Student) -> None:
    """parse_step: three shifts do not change the sentence"""
    require_step(student)
    parse, (after,) = student.parser_transitions.PartialParse.with_arguments(make_words(3))
    checks.unchanged("the sentence", make_words(3), after)
    for _ in range(3):
        parse.parse_step("S")
    checks.unchanged("the sentence", make_words(3), read_words("the sentence", parse.sentence))
    require_apart(student)


@weight(0.5)
@number("6.4")
@visibility("visible")
@tags("PartialParse.parse_step")
def test_parse_step_changes_its_own_parse_only(student: Student) -> None:
    """parse_step: a step does not change other parses"""
    require_step(student)
    first, second = (student.parser_transitions.PartialParse(make_words(3)) for _ in range(2))
    before = [second.stack, second.buffer, second.dependencies]
    for transition in ("S", "S", "LA"):
        first.parse_step(transition)
    for parse in (second, student.parser_transitions.PartialParse(make_words(3))):
        require_same_state(before, [parse.stack, parse.buffer, parse.dependencies])


@checks.reads_replies
def require_same_state(before: list[object], after: list[object]) -> None:
    """Require that a parse is in the state that it had before."""
    for what, was, now in zip(("stack", "buffer", "dependencies"), before, after, strict=True):
        checks.equal(f"the {what} of another parse", now, was)


@weight(0.75)
@number("6.5")
@visibility("visible")
@tags("PartialParse.parse_step")
def test_parse_step_shift(student: Student) -> None:
    """parse_step: shift"""
    check_step(student, "S", (["ROOT"], ["I", "parsed", "this"], []), (["ROOT", "the"], ["cat"], []))
    require_apart(student)


@weight(1.75)
@number("6.6")
@visibility("visible")
@tags("PartialParse.parse_step")
def test_parse_step_left_arc(student: Student) -> None:
    """parse_step: left-arc"""
    check_step(student, "LA", (["ROOT", "the", "cat"], ["sat"], []), (["ROOT", "he", "sat"], [], [("cat", "the")]))
    check_steps(student, ["the", "cat", "sat"], ["S", "S", "LA"])
    require_apart(student)


@weight(1.75)
@number("6.7")
@visibility("visible")
@tags("PartialParse.parse_step")
def test_parse_step_right_arc(student: Student) -> None:
    """parse_step: right-arc"""
    check_step(student, "RA", (["ROOT", "run", "fast"], ["!"], []), (["ROOT", "run"], [], [("run", "fast")]))
    check_steps(student, ["run", "fast", "!"], ["S", "S", "RA"])
    require_apart(student)


@weight(0.5)
@number("6.8")
@visibility("after_due_date")
@tags("PartialParse.parse_step")
def test_parse_step_shift_states(student: Student) -> None:
    """parse_step: shift of the last word, of repeated words, from a long buffer, with dependencies"""
    arcs = [(word, "the") for word in make_words(8)]
    check_step(
        student,
        "S",
        (["ROOT", "saw", "Kim"], ["yesterday"], [("Kim", "old")]),
        (["ROOT", "that"], ["that", "is", "that"], []),
        (["ROOT"], ["b", "a", "b"], [("x", "y"), ("y", "z")]),
        (["ROOT"], ["so", "so", "far", *make_words(6)], [("x", "y")] * 2),
        (["ROOT", *make_words(8)], make_words(5, "next"), []),
        *((["ROOT", "saw", "saw"], ["Kim", "Kim"], arcs[:count]) for count in (3, 5, 8)),
    )
    require_apart(student)


@weight(0.25)
@number("6.9")
@visibility("after_due_date")
@tags("PartialParse.parse_step")
def test_parse_step_keeps_the_sentence(student: Student) -> None:
    """parse_step: a step does not change the sentence"""
    require_step(student)
    parse = student.parser_transitions.PartialParse(make_words(3))
    parse.sentence = make_words(3)  # a list of its own, even if the constructor uses the sentence as the buffer
    parse.parse_step("S")
    checks.unchanged("the sentence", make_words(3), read_words("the sentence", parse.sentence))
    for sentence in (["Go"], ["so", "so"], make_words(5), ["so", "so", *make_words(6)]):
        keep_sentence(student, sentence)


@weight(2.25)
@number("6.10")
@visibility("after_due_date")
@tags("PartialParse.parse_step")
def test_parse_step_left_arc_states(student: Student) -> None:
    """parse_step: left-arc with a deep stack, repeated words, an empty buffer, dependencies"""
    check_steps(student, make_words(5), ["S", "S", "S", "LA"])
    check_step(
        student,
        "LA",
        (["ROOT", *make_words(5)], [], [("word9", "word8")]),
        (["ROOT", "very", "good", "very", "bad"], ["idea"], []),
        (["ROOT", "that", "that"], ["is"], [("that", "that")]),
        (["ROOT", *make_words(8)], make_words(8, "next"), [(word, "a") for word in make_words(8)]),
        (["ROOT", "a", "a", "b"], ["so", "so"], [("x", "y"), ("x", "y")]),
        (["ROOT", *make_words(8)], [], []),
        (["ROOT", "so", "so"], ["it"], [("so", "so")] * 3),
    )
    require_apart(student)


@weight(2.25)
@number("6.11")
@visibility("after_due_date")
@tags("PartialParse.parse_step")
def test_parse_step_right_arc_states(student: Student) -> None:
    """parse_step: right-arc from ROOT early and last, with repeated words and dependencies"""
    check_steps(student, make_words(5), ["S", "S", "S", "RA"])
    check_step(
        student,
        "RA",
        (["ROOT", "Go"], ["away", "now"], []),
        (["ROOT", "Go"], [], [("Go", "away")]),
        (["ROOT", "so", "good", "so", "so"], ["it"], [("so", "far"), ("a", "b")]),
        (["ROOT", *make_words(8)], make_words(8, "next"), [(word, "a") for word in make_words(5)]),
        (["ROOT", "so"], ["so", "so", "so"], [("x", "y")] * 3),
    )
    require_apart(student)


@weight(0.5)
@number("6.12")
@visibility("visible")
@tags("PartialParse.parse")
def test_parse_sentence(student: Student) -> None:
    """parse: all transitions of a sentence"""
    require_step(student)
    _, got = parse_with(student, ["I", "parsed", "this"], ["S", "S", "LA", "S", "RA", "RA"])
    arcs = read_arcs("the result of parse", got)
    checks.equal("the result of parse", arcs, [("ROOT", "parsed"), ("parsed", "I"), ("parsed", "this")], parts=PARTS)


@weight(1.5)
@number("6.13")
@visibility("after_due_date")
@tags("PartialParse.parse")
def test_parse_states(student: Student) -> None:
    """parse: part of a sentence, repeated words, several calls, the state at the end"""
    require_step(student)
    sentence = ["so", "far", "so", "good"]
    long = ["so", "so", "so", *make_words(6)]
    starts = (["S", "S", "S", "LA"], ["S", "S", "RA", "S", "S", "LA", "RA", "RA"], ["S"], ["S", "S"], ["S", "RA", "S"])
    cases = [
        *((sentence, [transitions]) for transitions in starts),
        (make_words(6), [["S", "S"], ["S"], ["LA"]]),
        (["Go"], [["S", "RA"], []]),
        (["no", "no"], [["S", "S"], ["LA"], ["RA"]]),
        (["a", "b", "c"], [["S"], ["S", "LA"], ["S", "RA"], ["RA"]]),
        (long, [["S", "S", "LA"], ["S"] * 3, ["LA"], ["LA", "S"], ["LA"], ["S"] * 3, ["RA"]]),
        (["so"] * 5, [["S"] * 5, ["LA"], ["LA"], ["LA"], ["LA", "RA"]]),
    ]
    check_parses(student, cases)


@weight(1.75)
@number("6.14")
@visibility("visible")
@tags("minibatch_parse")
def test_minibatch_parse_lengths(student: Student) -> None:
    """minibatch_parse: sentences of different lengths"""
    sentences = [make_words(3, "a"), make_words(6, "b"), make_words(2, "c")]
    ask_another_model(student, sentences)
    check_minibatch(student, states.hash_rule, sentences, 2)


@weight(0.5)
@number("6.15")
@visibility("visible")
@tags("minibatch_parse")
def test_minibatch_parse_edges(student: Student) -> None:
    """minibatch_parse: one sentence of one word, and no sentences"""
    check_minibatch(student, states.hash_rule, [["Go"]], 3)
    check_minibatch(student, states.hash_rule, [], 2)


@weight(1.25)
@number("6.16")
@visibility("after_due_date")
@tags("minibatch_parse")
def test_minibatch_parse_same_step(student: Student) -> None:
    """minibatch_parse: several sentences that finish in the same step, equal sentences"""
    ask_another_model(student, [make_words(3, name) for name in "abcde"])
    for batch_size in (2, 3, 4):
        check_minibatch(student, states.hash_rule, [make_words(3, name) for name in "abcde"], batch_size)
    for names in ("aa", "aabcdef"):
        check_minibatch(student, states.hash_rule, [make_words(2, name) for name in names], 2)


@weight(1.25)
@number("6.17")
@visibility("after_due_date")
@tags("minibatch_parse")
def test_minibatch_parse_order(student: Student) -> None:
    """minibatch_parse: long sentences before short ones, words that occur again"""
    sentences = [["that", "that", "is"], ["so", "far", "so", "good", "so", "what", "now"], ["so", "far"], ["is"]]
    ask_another_model(student, sentences)
    for batch_size in (1, 2):
        check_minibatch(student, states.hash_rule, sentences, batch_size)


@weight(1)
@number("6.18")
@visibility("after_due_date")
@tags("minibatch_parse")
def test_minibatch_parse_batch_sizes(student: Student) -> None:
    """minibatch_parse: a short last batch, a batch size larger than the list"""
    sentences = [make_words(length, name) for length, name in ((2, "a"), (4, "b"), (1, "c"), (7, "d"), (5, "e"))]
    ask_another_model(student, sentences)
    for batch_size in (3, 4, 5, 100):
        check_minibatch(student, states.hash_rule, sentences, batch_size)


@weight(1.75)
@number("6.19")
@visibility("after_due_date")
@tags("minibatch_parse")
def test_minibatch_parse_finished(student: Student) -> None:
    """minibatch_parse: a parse continues while words are in the buffer or the stack"""
    for rule in (states.shift_first_rule, states.root_early_rule):
        check_minibatch(student, rule, [make_words(3, "a"), make_words(5, "b"), make_words(1, "c")], 2)


@weight(1)
@number("6.20")
@visibility("after_due_date")
@tags("minibatch_parse")
def test_minibatch_parse_keeps_to_batch_size(student: Student) -> None:
    """minibatch_parse: predict gets 1 to batch_size parses at a time"""
    sentences = [make_words(length, name) for length, name in ((2, "a"), (5, "b"), (3, "c"), (4, "d"), (1, "e"))]
    ask_another_model(student, sentences)
    for batch_size in (1, 3):
        check_minibatch(student, states.hash_rule, sentences, batch_size, largest_batch=batch_size)


@weight(0.5)
@number("6.21")
@visibility("after_due_date")
@tags("minibatch_parse")
def test_minibatch_parse_keeps_the_sentences(student: Student) -> None:
    """minibatch_parse: the sentences are not changed"""
    sentences = [make_words(4, "a"), make_words(1, "b"), make_words(2, "c")]
    predictor = Predictor(states.hash_rule)
    _, after = call_minibatch(student, predictor, sentences, 2)
    asked = bool(predictor.questions)
    checks.require(asked, "minibatch_parse", "calls of model.predict", "no call")  # whether the parses are right or not
    checks.unchanged("sentences", sentences, after)
