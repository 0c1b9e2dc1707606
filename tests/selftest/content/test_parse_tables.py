"""A parse table is simulated row by row; a wrong row is named, and the next row is judged from the student's state."""

import pytest

from autograder.assignment import AnswerKind
from reference.arc_standard_oracle import gold_transitions
from tests.hidden.parse_tables import (
    Sentence,
    State,
    find_nearest_tree,
    judge,
    parse_arcs,
    parse_transition,
    read_sentence,
    split_cell,
)
from tests.selftest.support.grading import ASSIGNMENT

pytestmark = pytest.mark.content

TABLES = [answer for each in ASSIGNMENT.questions for answer in each.answers if answer.kind is AnswerKind.TABLE]
LONG_NAMES = {"S": "SHIFT", "LA": "LEFT-ARC", "RA": "RIGHT-ARC"}

# "the cat saw the dog", in which a word is repeated: saw -> cat -> the, saw -> dog -> the
HEADS = [2, 3, 0, 5, 3]
SENTENCE = read_sentence({"sentence": "The cat saw the dog", "trees": [HEADS]})

Row = dict[str, str]


def rows_of(heads: list[int], sentence: Sentence) -> list[Row]:
    """Write the right rows of a tree, without the first state."""
    state = State((0,), tuple(range(1, len(heads) + 1)))
    rows = []
    for short in gold_transitions(heads):
        state, arc = state.apply(LONG_NAMES[short])
        stack, buffer = (" ".join(map(sentence.get_word, positions)) for positions in (state.stack, state.buffer))
        shown = sentence.show_arc(arc) if arc else ""
        rows.append({"stack": stack, "buffer": buffer, "new dependency": shown, "transition": short})
    return rows


RIGHT = rows_of(HEADS, SENTENCE)
FIRST = {"stack": "ROOT", "buffer": "The cat saw the dog", "new dependency": "", "transition": "initial"}


def changed(position: int, **cells: str) -> list[Row]:
    """Write the right rows with one of them changed."""
    named = {name.replace("_", " "): cell for name, cell in cells.items()}
    return [{**each, **named} if place == position else each for place, each in enumerate(RIGHT)]


@pytest.mark.parametrize("answer", TABLES, ids=lambda answer: answer.key)
def test_every_gold_tree_of_the_assignment_is_found(answer):
    sentence = read_sentence(answer.data)
    assert len(sentence.trees) == len(set(sentence.trees)) == 4
    for heads, tree in zip(answer.data["trees"], sentence.trees, strict=True):
        found = judge(rows_of(heads, sentence), sentence)
        assert (found.faults, found.right, found.count, found.is_finished) == ([], 16, 16, True)
        assert found.arcs == find_nearest_tree(found.arcs, sentence) == tree


@pytest.mark.parametrize("rows", [RIGHT, [FIRST, *RIGHT], [*RIGHT, {**RIGHT[-1], "transition": "done"}]])
def test_a_row_that_repeats_a_state_without_a_transition_does_not_count(rows):
    found = judge(rows, SENTENCE)
    assert (found.faults, found.right, found.count) == ([], 10, 10)
    assert found.arcs == SENTENCE.trees[0]


@pytest.mark.parametrize(
    ("position", "cells", "fault"),
    [
        (0, {"stack": "The ROOT"}, "row 1: the stack is not what SHIFT makes of the row before: [ROOT The]"),
        (1, {"buffer": "the saw dog"}, "row 2: the buffer is not what SHIFT makes of the row before: [saw the dog]"),
        (2, {"new_dependency": "The->cat"}, "row 3: LEFT-ARC adds the dependency cat->The, and another is written"),
        (2, {"new_dependency": ""}, "row 3: LEFT-ARC adds the dependency cat->The, and none is written"),
        (2, {"new_dependency": "cat The dog"}, "row 3: the new dependency 'cat The dog' cannot be read"),
        (2, {"new_dependency": "cat->mouse"}, "row 3: LEFT-ARC adds the dependency cat->The, and another is written"),
        (0, {"new_dependency": "ROOT->The"}, "row 1: SHIFT adds no dependency"),
        (4, {"transition": "jump"}, "row 5: the transition 'jump' is none of SHIFT, LEFT-ARC and RIGHT-ARC"),
        (4, {"transition": ""}, "row 5: no transition"),
        (0, {"transition": "RA"}, "row 1: RIGHT-ARC is not legal: an arc needs two items on the stack"),
        (1, {"transition": "LA"}, "row 2: LEFT-ARC is not legal: ROOT would become a dependent"),
        (9, {"transition": "S"}, "row 10: SHIFT is not legal: the buffer is empty, so there is nothing to shift"),
    ],
)
def test_one_slip_costs_one_row_and_is_named(position, cells, fault):
    found = judge(changed(position, **cells), SENTENCE)
    assert found.right == 9, found.faults
    assert found.faults[0].startswith(fault)


def test_later_rows_are_judged_from_the_state_that_the_student_wrote():
    lost = [{**each, "buffer": each["buffer"].replace(" dog", "")} for each in RIGHT[2:5]]
    found = judge([*RIGHT[:2], *lost], SENTENCE)
    assert found.faults == ["row 3: the buffer is not what LEFT-ARC makes of the row before: [saw the dog]"]
    assert found.right == 4


def test_an_unfinished_parse_and_rows_too_many_are_seen():
    unfinished = judge(RIGHT[:7], SENTENCE)
    assert (unfinished.is_finished, unfinished.right, unfinished.count, unfinished.faults) == (False, 7, 7, [])
    longer = judge([*RIGHT, RIGHT[-1]], SENTENCE)
    assert (longer.right, longer.count) == (10, 11)
    assert longer.faults == ["row 11: RIGHT-ARC is not legal: an arc needs two items on the stack"]


def test_the_list_of_all_dependencies_so_far_is_read():
    so_far: list[str] = []
    rows = []
    for each in RIGHT:
        so_far += [each["new dependency"]] if each["new dependency"] else []
        rows.append({**each, "new dependency": ", ".join(so_far)})
    assert judge(rows, SENTENCE).faults == []


ARROWS = ["saw->I", "saw → I", "saw-->I", "saw => I", "(saw, I)"]
ARROWS += ["I <- saw", "I←saw", "[saw, I]", "'saw' -> 'I'", "SAW I"]
EMPTY = ["", " ", "-", "–", "none", "None", "[]", "()", "∅", "{ }", '""']  # noqa: RUF001
STACKS = ["[ROOT, The, cat]", "ROOT The cat", "ROOT;the;cat", "<root> 'The' `cat`"]


@pytest.mark.parametrize(
    ("read", "cells", "meant"),
    [
        pytest.param(parse_arcs, ARROWS, [("saw", "i")], id="an arrow or a pair"),
        pytest.param(
            parse_arcs,
            ["a->b, c->d", "a→b; d←c", "(a, b), (c, d)", "{(a,b) (c,d)}", "a b c d"],
            [("a", "b"), ("c", "d")],
            id="several dependencies",
        ),
        pytest.param(parse_arcs, EMPTY, [], id="no dependency"),
        pytest.param(parse_arcs, ["a->", "->b", "a b->c", "a", "a->b c"], None, id="what is not guessed"),
        pytest.param(split_cell, EMPTY, [], id="an empty stack"),
        pytest.param(split_cell, STACKS, ["root", "the", "cat"], id="a stack"),
        pytest.param(parse_transition, ["S", "shift", "SHIFT", "Shift."], "SHIFT", id="a shift"),
        pytest.param(
            parse_transition,
            ["LA", "LEFT-ARC", "left arc (nsubj)", "LA-nsubj", "leftarc"],
            "LEFT-ARC",
            id="an arc to the left",
        ),
        pytest.param(
            parse_transition, ["RA", "RIGHT-ARC", "Right-Arc: obj", "right"], "RIGHT-ARC", id="an arc to the right"
        ),
        pytest.param(parse_transition, ["", "initial", "reduce", "?"], None, id="no transition"),
    ],
)
def test_cells_are_read_under_their_usual_notations(read, cells, meant):
    assert [cell for cell in cells if read(cell) != meant] == []
