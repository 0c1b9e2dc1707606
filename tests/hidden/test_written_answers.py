"""Hidden tests of written answers: formulas are judged by value, a table by simulation, choices by their letter.

A formula is evaluated on square arrays first, for which a product in the wrong order still has a value and can be
recognised, then on others, for which it has none.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, partial_credit, tags, visibility, weight

from autograder.authoring import Student, answer_checks, checks, read_assignment
from reference import written_answers as reference
from tests.hidden.parse_tables import Judgement, Sentence, find_nearest_tree, judge, read_sentence

QUESTION_ID = "written_answers"
ASSIGNMENT = read_assignment(Path(reference.__file__).with_name("assignment.toml"))
ANSWERS = {
    answer.key: answer for each in ASSIGNMENT.questions if each.question_id == QUESTION_ID for answer in each.answers
}
SHOWN_FAULTS = 8

Draw = Callable[[np.random.Generator], tuple[Any, ...]]


def check_formula(student: Student, key: str, draws: Sequence[Draw]) -> None:
    """Compare the value of the formula with the reference's on each draw of its names."""
    rng = np.random.default_rng(10)
    right = getattr(reference, ANSWERS[key].name)
    drawn = [draw(rng) for draw in draws]
    answers = [answer_checks.read_answer(student.written_answers, key, *inputs) for inputs in drawn]
    for answer, inputs in zip(answers, drawn, strict=True):
        checks.close(key, answer, right(*inputs))


def check_word_formula(student: Student, key: str) -> None:
    """Compare a formula of word vectors, which are rows of U, or columns where the student's file says so."""
    convention = answer_checks.read_setting(student.written_answers, "word2vec.convention", "rows")
    if convention != "columns":
        check_formula(student, key, WORDS)
        return
    rng = np.random.default_rng(10)
    right = getattr(reference, ANSWERS[key].name)
    for outside, *others in [draw(rng) for draw in WORDS]:
        answer = answer_checks.read_answer(student.written_answers, key, outside.T, *others)
        value = right(outside, *others)
        checks.close(key, answer, value.T)  # that of one vector stays what it is


def softmax(scores: np.ndarray) -> np.ndarray:
    """Compute the probabilities of rows of moderate scores."""
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


def make_word_draw(vocabulary: int, size: int, true: int, other: int) -> Draw:
    """Make a draw of U, y, y_hat, v_c, o, w of a vocabulary."""

    def draw(rng: np.random.Generator) -> tuple[Any, ...]:
        outside, center = rng.normal(size=(vocabulary, size)), rng.normal(size=size)
        return outside, np.eye(vocabulary)[true], softmax(outside @ center), center, true, other

    return draw


WORDS = (make_word_draw(4, 4, 2, 0), make_word_draw(7, 3, 5, 1), make_word_draw(3, 5, 0, 2))


def make_class_draw(count: int, label: int) -> Draw:
    """Make a draw of y_hat, e and label of one example."""
    return lambda rng: (softmax(rng.normal(size=count)), np.eye(count)[label], label)


CLASSES = (make_class_draw(5, 3), make_class_draw(4, 0), make_class_draw(2, 1))


def make_layer_draw(inputs: int, units: int, unit: int, entry: int) -> Draw:
    """Make a draw of z, W, i, j of a layer; half of z is negative."""

    def draw(rng: np.random.Generator) -> tuple[Any, ...]:
        sizes = rng.uniform(0.5, 2, size=units)
        return sizes * (-1) ** np.arange(units), rng.normal(size=(inputs, units)), unit, entry

    return draw


def make_logit_draw(count: int, entry: int, label: int) -> Draw:
    """Make a draw of y, y_hat, i and label."""
    return lambda rng: (np.eye(count)[label], softmax(rng.normal(size=count)), entry, label)


def make_row_draw(count: int, sizes: tuple[int, int, int]) -> Draw:
    """Make a draw of y, y_hat, z, h, W1, W2 of a net with these sizes of input, hidden layer and output."""

    def draw(rng: np.random.Generator) -> tuple[Any, ...]:
        size, hidden, outputs = sizes
        first, second = rng.normal(size=(size, hidden)), rng.normal(size=(hidden, outputs))
        z = rng.normal(size=(count, size)) @ first + rng.normal(size=hidden)
        h = 1 / (1 + np.exp(-z))
        return np.eye(outputs)[rng.integers(outputs, size=count)], softmax(h @ second), z, h, first, second

    return draw


ROWS = (make_row_draw(3, (3, 3, 3)), make_row_draw(2, (5, 4, 3)), make_row_draw(1, (2, 6, 4)))


def judge_table(student: Student, key: str) -> tuple[Judgement, Sentence]:
    """Simulate a table; "not written yet" if it has only its first row."""
    asked = ANSWERS[key]
    sentence = read_sentence(asked.data or {})
    rows = answer_checks.read_table(student.written_answers, key, asked.words)
    found = judge(rows, sentence)
    checks.not_written(found.count == 0, f"{key} has no row with a transition")
    return found, sentence


def give(key: str, set_score: Callable[[float], None], share: float, points: float) -> None:
    """Give points by the share of right rows or arcs; the notes list the wrong ones."""
    checks.require(share > 0, key, "a table in which something is right", "no right row")
    set_score(points if share == 1 else round(points * share, 2))


def note_faults(student: Student, faults: Sequence[str]) -> None:
    """Write the first faults as notes."""
    for fault in faults[:SHOWN_FAULTS]:
        student.note(fault)
    if len(faults) > SHOWN_FAULTS:
        student.note(f"and {len(faults) - SHOWN_FAULTS} more")


@weight(2)
@number("10.1")
@visibility("visible")
@tags("word2vec_grad_center")
def test_grad_center(student: Student) -> None:
    """word2vec.grad_center: the gradient with respect to the centre word"""
    check_word_formula(student, "word2vec.grad_center")


@weight(1)
@number("10.2")
@visibility("visible")
@tags("word2vec_grad_outside_true")
def test_grad_outside_true(student: Student) -> None:
    """word2vec.grad_outside_true: the gradient with respect to the true outside word"""
    check_word_formula(student, "word2vec.grad_outside_true")


@weight(1)
@number("10.3")
@visibility("after_due_date")
@tags("word2vec_grad_outside_other")
def test_grad_outside_other(student: Student) -> None:
    """word2vec.grad_outside_other: the gradient with respect to another word"""
    check_word_formula(student, "word2vec.grad_outside_other")


@weight(1)
@number("10.4")
@visibility("after_due_date")
@tags("word2vec_grad_outside_all")
def test_grad_outside_all(student: Student) -> None:
    """word2vec.grad_outside_all: the gradient with respect to all outside vectors"""
    check_word_formula(student, "word2vec.grad_outside_all")


@weight(1)
@number("10.5")
@visibility("after_due_date")
@tags("word2vec_zero_gradient")
def test_zero_gradient(student: Student) -> None:
    """word2vec.zero_gradient: when the gradient is zero"""
    answer_checks.require_choice(student.written_answers, "word2vec.zero_gradient", reference.word2vec_zero_gradient())


@weight(1)
@number("10.6")
@visibility("after_due_date")
@tags("adam_larger_updates")
def test_larger_updates(student: Student) -> None:
    """adam.larger_updates: which parameters get larger updates"""
    answer_checks.require_choice(student.written_answers, "adam.larger_updates", reference.adam_larger_updates())


@weight(1)
@number("10.7")
@visibility("visible")
@tags("dropout_gamma")
def test_gamma(student: Student) -> None:
    """dropout.gamma: the scale that keeps the expectation"""
    check_formula(student, "dropout.gamma", [lambda rng: (0.2,), lambda rng: (0.7,), lambda rng: (0.4,)])


@partial_credit(2)
@number("10.8")
@visibility("visible")
@tags("parser_transitions")
def test_transitions_rows(student: Student, set_score: Callable[[float], None] = print) -> None:
    """parser.transitions: every row follows from the one before"""
    found, sentence = judge_table(student, "parser.transitions")
    note_faults(student, found.faults)
    if not found.is_finished:
        student.note(f"the parse is not finished: {found.count} of {sentence.steps} transitions")
    share = found.right / max(sentence.steps, found.count)
    give("parser.transitions", set_score, share, 2)


@partial_credit(3)
@number("10.9")
@visibility("after_due_date")
@tags("parser_transitions")
def test_transitions_arcs(student: Student, set_score: Callable[[float], None] = print) -> None:
    """parser.transitions: the dependencies are those of the sentence"""
    found, sentence = judge_table(student, "parser.transitions")
    tree = find_nearest_tree(found.arcs, sentence)
    note_faults(student, [f"{sentence.show_arc(arc)} is not in the tree" for arc in sorted(found.arcs - tree)])
    headless = sorted({word for _, word in tree} - {word for _, word in found.arcs})
    note_faults(student, [f"without a head: {', '.join(map(sentence.get_word, headless))}"] if headless else [])
    share = len(found.arcs & tree) / max(len(tree), len(found.arcs))
    give("parser.transitions", set_score, share, 3)


@weight(1)
@number("10.10")
@visibility("after_due_date")
@tags("parser_steps")
def test_steps(student: Student) -> None:
    """parser.steps: the number of transitions"""
    check_formula(student, "parser.steps", [lambda rng: (5,), lambda rng: (1,), lambda rng: (12,)])


@weight(1)
@number("10.11")
@visibility("visible")
@tags("parser_network_relu_derivative")
def test_relu_derivative(student: Student) -> None:
    """parser_network.relu_derivative: the derivative of a hidden unit"""
    check_formula(
        student,
        "parser_network.relu_derivative",
        (
            make_layer_draw(4, 4, 2, 1),
            make_layer_draw(4, 4, 1, 2),
            make_layer_draw(5, 3, 2, 4),
            make_layer_draw(2, 6, 5, 1),
        ),
    )


@weight(1)
@number("10.12")
@visibility("after_due_date")
@tags("parser_network_logit_gradient")
def test_logit_gradient(student: Student) -> None:
    """parser_network.logit_gradient: the derivative with respect to a logit"""
    draws = (make_logit_draw(5, 3, 3), make_logit_draw(4, 0, 2), make_logit_draw(3, 2, 0))
    check_formula(student, "parser_network.logit_gradient", draws)


@weight(1)
@number("10.13")
@visibility("visible")
@tags("output_grad_probabilities")
def test_grad_probabilities(student: Student) -> None:
    """output.grad_probabilities: the gradient with respect to the probabilities"""
    check_formula(student, "output.grad_probabilities", CLASSES)


@weight(1)
@number("10.14")
@visibility("after_due_date")
@tags("output_grad_preactivation")
def test_grad_preactivation(student: Student) -> None:
    """output.grad_preactivation: the gradient with respect to the preactivation"""
    check_formula(student, "output.grad_preactivation", CLASSES)


@weight(1)
@number("10.15")
@visibility("after_due_date")
@tags("q1c_softmax_input_gradient")
def test_softmax_input_gradient(student: Student) -> None:
    """q1c.softmax_input_gradient: the gradient with respect to the input of the softmax"""
    check_formula(student, "q1c.softmax_input_gradient", [lambda rng, draw=draw: draw(rng)[:2] for draw in ROWS])


@weight(1)
@number("10.16")
@visibility("after_due_date")
@tags("q1c_input_gradient")
def test_input_gradient(student: Student) -> None:
    """q1c.input_gradient: the gradient with respect to the input of the net"""
    check_formula(student, "q1c.input_gradient", ROWS)
