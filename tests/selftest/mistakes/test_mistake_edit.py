"""A known mistake may be written as an edit of the right function; an edit that fits no more is named."""

import ast
import inspect
from types import ModuleType
from typing import Any

import pytest

from autograder.assignment import AssignmentError, GoneKeyError
from autograder.mistakes import Mistake, MistakeBank, apply_edits, mistake, mistake_edit
from tests.selftest.support.toy_assignment import ASSIGNMENT
from tests.selftest.support.written_module import import_text

REFERENCE = '''
"""Right solutions of steps."""

RATE = 0.5


def step(x, grad, rate=RATE):
    """One step along -grad: `x - rate * grad`."""
    longer = (
        rate * grad
    )
    return x - longer


class Walk:
    """A walk."""

    def __init__(self, x):
        """Start at x."""
        self.x = x

    def go(self, grad):
        self.x = step(self.x, grad)
        return self.x
'''
FIELDS = {"story": "A story.", "hint": "A hint."}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module of the right solutions."""
    return import_text("reference.steps", tmp_path_factory.mktemp("reference") / "steps.py", REFERENCE)


def apply(reference: ModuleType, function: str, edit: dict[str, str], **fields: object) -> Mistake:
    """Apply an edit named `wrong`."""
    (made,) = apply_edits({"wrong": mistake_edit(function, edit, **{**FIELDS, **fields})}, reference).values()
    return made


def refuse(reference: ModuleType, **edits: tuple[str, dict[str, str]]) -> list[str]:
    """Return the lines of the error that edits give."""
    made = {name: mistake_edit(*edit, **FIELDS) for name, edit in edits.items()}
    with pytest.raises(AssignmentError) as refused:
        apply_edits(made, reference)
    return str(refused.value).splitlines()


def test_it_is_the_right_function_but_for_the_edit_and_has_what_a_mistake_has(reference: ModuleType) -> None:
    made = apply(reference, "step", {"x - longer": "x + longer"})
    assert made.wrong(1.0, 2.0) == 2.0
    assert reference.step(1.0, 2.0) == 0.0
    assert not hasattr(reference, "wrong")
    assert (made.id, made.question_id, made.function, made.wrong.__name__) == ("wrong", "steps", "step", "wrong")
    assert (made.story, made.hint) == ("A story.", "A hint.")


def test_several_lines_and_several_places_may_be_edited(reference: ModuleType) -> None:
    made = apply(reference, "step", {"(\n        rate * grad\n    )": "grad", "x - ": "x + 2 * "})
    assert made.wrong(1.0, 2.0) == 5.0
    assert made.source == "def wrong(x, grad, rate=RATE):\n    longer = grad\n    return x + 2 * longer\n"


def test_methods_and_constructors_are_edited(reference: ModuleType) -> None:
    started = reference.Walk(3.0)
    apply(reference, "Walk", {"self.x = x": "self.x = 2 * x"}).wrong(started, 3.0)
    assert started.x == 6.0
    assert apply(reference, "Walk.go", {"step(self.x, grad)": "grad"}).wrong(started, 8.0) == 8.0


def test_edits_that_do_not_fit_are_all_named(reference: ModuleType) -> None:
    assert refuse(
        reference,
        gone=("step", {"x * longer": "x"}),
        twice=("step", {"longer": "grad"}),
        nothing=("step", {"x - longer": "x - longer"}),
        broken=("step", {"x - longer": "x -"}),
        fine=("step", {"x - longer": "x"}),
    ) == [
        "tests/mistakes/steps.py: edits do not fit reference/steps.py; write the text that is there now, once",
        "  gone: 'x * longer' occurs 0 times in step",
        "  twice: 'longer' occurs 2 times in step",
        "  nothing: 'x - longer' is replaced by itself",
        "  broken: the edited step is no Python: invalid syntax",
    ]


@pytest.mark.parametrize("key", ["severity", "keeps", "breaks", "caught_by", "ends", "graded_in"])
def test_a_key_that_is_gone_is_refused_with_what_a_mistake_has(reference: ModuleType, key: str) -> None:
    told = rf"the mistake wrong: delete `{key}`; a mistake has a function, an edit or code, a story and a hint"
    with pytest.raises(GoneKeyError, match=told):
        apply(reference, "step", {"x - longer": "x"}, **{key: "slip"})


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"hint": ""}, "it has no hint; write a sentence"),
        ({"story": ""}, "it has no story; write a sentence"),
        ({"stroy": "A story.", "story": ""}, "delete `stroy`; a mistake has "),
    ],
)
def test_one_without_words_or_with_a_misspelt_key_is_refused(
    reference: ModuleType, fields: dict[str, str], told: str
) -> None:
    with pytest.raises((AssignmentError, GoneKeyError), match=told):
        apply(reference, "step", {"x - longer": "x"}, **fields)


@pytest.mark.parametrize("wrong", [type("Stack", (), {}), lambda a, b: a], ids=["a class", "a lambda"])
def test_a_mistake_that_is_no_function_is_refused(wrong: Any) -> None:
    with pytest.raises(AssignmentError, match="it is no function; write a `def`, for a method one that takes self"):
        mistake("add", **FIELDS)(wrong)


def test_edits_of_the_toy_stand_among_its_mistakes_and_make_submissions(monkeypatch: pytest.MonkeyPatch) -> None:
    bank, module = MistakeBank(ASSIGNMENT), ASSIGNMENT.import_mistakes("averages")
    before = [each.id for each in bank.load("averages")]
    edit = mistake_edit("glide_step", {"rate * m": "m"}, **FIELDS)
    monkeypatch.setattr(module, "glide_without_rate", edit, raising=False)
    *others, made = bank.load("averages")
    assert [each.id for each in (*others, made)] == [*before, "glide_without_rate"]
    source = bank.build_submission_source(made)
    assert source.startswith(inspect.getsource(ASSIGNMENT.import_reference("averages")))
    assert "def glide_without_rate(" in source
    ast.parse(source)
