"""Hidden tests of parser_transitions: PartialParse step by step, and minibatch_parse with models that see a state."""

from typing import Any

from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Check, ObjectContract, Repeated, Student, checks
from reference import parser_transitions as reference
from tests.hidden import parser_states as states
from tests.hidden.parser_states import Predictor, Rule, Words, make_words, read_arcs

PARTS = ("head", "dependent")


def list_legal(parse: reference.PartialParse) -> list[str]:
    """List the legal transitions of a parse."""
    arcs = len(parse.stack) - 1  # below the top of the stack
    return ["S"] * bool(parse.buffer) + ["LA"] * (arcs > 1) + ["RA"] * (arcs > 0)


partial_parse = ObjectContract(
    reference.PartialParse,
    start="sentence: [str]",
    state=("stack", "buffer", "dependencies"),
    kept=("sentence",),
    actions={"parse_step": list_legal, "parse": Repeated("parse_step", returns="dependencies")},
    unordered={"dependencies": PARTS},
    shares={"S": 2, "LA": 3, "RA": 3},
    part_shares={"sentence": 0.2},  # the template sets it
)
parse_step, parse = partial_parse.get_action("parse_step"), partial_parse.get_action("parse")


@weight(1)
@number("6.1")
@visibility("visible")
def test_partial_parse() -> Check:
    """PartialParse: stack, buffer and dependencies at the start"""
    return partial_parse.ordinary()


@weight(1.5)
@number("6.2")
@visibility("after_due_date")
def test_partial_parse_everywhere() -> Check:
    """PartialParse: short and long sentences, repeated words"""
    return partial_parse.everywhere()


@weight(4)
@number("6.3")
@visibility("visible")
def test_parse_step() -> Check:
    """parse_step: shift, left-arc and right-arc"""
    return parse_step.ordinary()


@weight(6.5)
@number("6.4")
@visibility("after_due_date")
def test_parse_step_everywhere() -> Check:
    """parse_step: other states, repeated words, long sentences, several steps"""
    return parse_step.everywhere()


@weight(0.5)
@number("6.5")
@visibility("visible")
def test_parse() -> Check:
    """parse: several transitions"""
    return parse.ordinary()


@weight(1.5)
@number("6.6")
@visibility("after_due_date")
def test_parse_everywhere() -> Check:
    """parse: other states, repeated words, several calls"""
    return parse.everywhere()


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
