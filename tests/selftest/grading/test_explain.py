"""What a student reads says what happened, shows nothing of a hidden test's values, and acts on no display."""

import re
import sys
from typing import Any

import pytest

from autograder.checks import CheckFailed
from autograder.checks.check_failed import describe_error
from autograder.grading.explain import explain_check, explain_endless, explain_outcome, explain_printed
from autograder.programs.outcome import Frame, Outcome, OutcomeKind
from autograder.sandbox.host.replies import read_failure
from autograder.sandbox.limits import MESSAGE_CHARACTERS, STANDARD, Limits

SECRET = "0.7361549821"
FAILED = CheckFailed(
    "gradOutsideVecs",
    expected="shape (5, 3)",
    found="shape (3, 5)",
    values=(f"expected at [0, 0]: {SECRET}",),
    hint="This is the transposed shape.",
)
RAISED = Outcome(
    OutcomeKind.RAISED,
    error_type="ValueError",
    message=f"x is {SECRET}",
    frames=(Frame("fitting.py", 12, "squash"), Frame("fitting.py", 3, "helper")),
)
NO_BREAK = "invalid non-printable character U+00A0"


def raised(**changes: Any) -> Outcome:
    """An exception, with changes."""
    return Outcome(**{**vars(RAISED), **changes})


class TestVisibleTests:
    @pytest.mark.parametrize("shows_values", [True, False])
    def test_a_failed_check_says_what_was_expected_and_found_and_what_to_do(self, shows_values: bool) -> None:
        assert explain_check(FAILED, shows_values=shows_values).splitlines() == [
            "FAIL gradOutsideVecs",
            "  expected: shape (5, 3)",
            "  found:    shape (3, 5)",
            *[f"  expected at [0, 0]: {SECRET}"] * shows_values,
            "  next:     This is the transposed shape.",
        ]

    def test_values_take_the_place_of_general_words(self) -> None:
        failed = CheckFailed(
            "x", expected="a number", found="another", values=("expected: 2", "found:    3", "found at [0]: 4")
        )
        assert explain_check(failed, shows_values=True) == "FAIL x\n  expected: 2\n  found:    3\n  found at [0]: 4"
        assert explain_check(failed, shows_values=False) == "FAIL x\n  expected: a number\n  found:    another"

    @pytest.mark.parametrize(
        ("what", "name", "is_named"),
        [("a is wrong; b is right", "a", False), ("a and b are wrong", "a", True), ("a is wrong", "a[1]", True)],
    )
    def test_of_several_values_the_one_that_is_shown_is_named(self, what: str, name: str, is_named: bool) -> None:
        failed = CheckFailed(name, expected="e", found="f").describe_as(what, relation=None)
        again = failed.describe_as(f"{what}; more", relation=None)
        for each in (failed, again):
            assert (f"\n  value:    {name}\n" in explain_check(each, shows_values=True)) is is_named
            assert "value:" not in explain_check(each, shows_values=False)

    def test_a_call_that_reaches_no_line_says_what_to_compare(self) -> None:
        text = explain_outcome(raised(error_type="TypeError", frames=()), shows_values=True)
        advice = "compare parameters and result with the assignment, and look at its decorators"
        assert text.endswith(f"\n  next:     no line of your function raised it: {advice}")

    @pytest.mark.parametrize("kind", ["invalid character '\N{LEFT DOUBLE QUOTATION MARK}' (U+201C)", NO_BREAK])
    def test_a_copied_character_is_to_be_typed_again(self, kind: str) -> None:
        text = explain_outcome(raised(error_type="SyntaxError", message=kind, is_at_load=True), shows_values=False)
        assert text.endswith("\n  next:     type this character again: it was copied from a page or a document")

    def test_an_exception_has_its_type_its_message_and_its_places(self) -> None:
        assert explain_outcome(RAISED, shows_values=True) == (
            "FAIL Your function gave no value.\n"
            f"  found:    a ValueError: x is {SECRET}\n"
            "  where:    fitting.py line 12, in squash\n"
            "  where:    fitting.py line 3, in helper"
        )

    def test_the_innermost_places_of_many_are_shown(self) -> None:
        many = raised(frames=tuple(Frame("a.py", line, "f") for line in range(8)))
        assert re.findall(r"line (\d)", explain_outcome(many, shows_values=True)) == ["5", "6", "7"]


class TestHiddenTests:
    def test_an_exception_shows_its_type_and_places_only(self) -> None:
        assert explain_outcome(RAISED, shows_values=False) == (
            "FAIL Your function gave no value.\n"
            "  found:    a ValueError\n"
            "  where:    fitting.py line 12\n"
            "  where:    fitting.py line 3"
        )

    def test_what_cannot_be_handed_over_shows_no_reason(self) -> None:
        outcome = read_failure(("unsendable", f"an int key {SECRET}"), (), {})
        shown = explain_outcome(outcome, shows_values=False)
        assert (
            shown == "FAIL Your function gave no value.\n  found:    it returned something that cannot be handed over"
        )
        assert SECRET in explain_outcome(outcome, shows_values=True)

    def test_a_class_of_the_students_is_not_named(self) -> None:
        text = explain_outcome(raised(error_type="TooLong"), shows_values=False)
        assert text.splitlines()[1] == "  found:    an exception of a class of your own"
        assert "a TooLong" in explain_outcome(raised(error_type="TooLong"), shows_values=True)

    @pytest.mark.parametrize("name", [f"E[{SECRET}]", "x" * 200, "", "two words", "E\n  next:     a line of its own"])
    def test_a_class_that_was_named_after_the_inputs_is_not_named(self, name: str) -> None:
        text = explain_outcome(raised(error_type=name), shows_values=False)
        assert text.splitlines()[1] == "  found:    an exception without a proper name"

    def test_places_that_are_not_in_the_students_files_are_not_shown(self) -> None:
        frames = [
            ("shapes.py", 3, "area"),
            (f"[{SECRET}]", 1, "f"),
            ("shapes.py", 4, f"f {SECRET}"),
            ("shapes.py", 5, "f"),
            ("shapes.py", -1, "f"),
        ]
        outcome = read_failure(("raised", "ValueError", ("ValueError",), "", "", frames), (), {"shapes.py": 4})
        assert outcome.frames == (Frame("shapes.py", 3, "area"), Frame("shapes.py", 4, ""))


SENTENCES = {
    OutcomeKind.TIMED_OUT: ("It was stopped because it took too long.", "look for a loop that does not end"),
    OutcomeKind.OUT_OF_MEMORY: (
        "It asked for more memory than the grader allows (384 MiB with Python and numpy).",
        "look for an array",
    ),
    OutcomeKind.OUTPUT_LIMIT: ("It was stopped because it printed more than 8 MB.", "remove the prints inside loops"),
    OutcomeKind.DIED: ("It ended the whole Python process (10 s).", "look for calls of exit() or os._exit()"),
    OutcomeKind.GARBLED: ("It disturbed the connection to the grader (10 s).", "do not use file descriptors"),
}


@pytest.mark.parametrize("shows_values", [True, False])
@pytest.mark.parametrize("kind", SENTENCES)
def test_each_way_of_ending_has_a_sentence_and_a_next_step(kind: OutcomeKind, shows_values: bool) -> None:
    sentence, step = SENTENCES[kind]
    lines = explain_outcome(Outcome(kind, detail="10 s"), shows_values=shows_values, limits=STANDARD).splitlines()
    sentence = sentence if shows_values else sentence.replace(" (10 s)", "")  # the code chooses it
    assert lines[0] == "FAIL Your function gave no value."
    assert lines[1] == f"  found:    {sentence}"
    assert lines[2].startswith(f"  next:     {step}")


def test_the_limits_of_the_assignment_are_those_that_are_told() -> None:
    declared = Limits(cpu_s=25, address_space_bytes=512 << 20)
    asked = Outcome(OutcomeKind.OUT_OF_MEMORY)
    assert "than the grader allows (512 MiB with Python and numpy)." in explain_outcome(
        asked, shows_values=False, limits=declared
    )
    assert "than the grader allows." in explain_outcome(asked, shows_values=False)
    assert "area did not end in 2 earlier checks within the time limit." in explain_endless(("area",))


def test_a_file_that_does_not_load_is_shown_with_its_message_in_every_test() -> None:
    syntax = raised(error_type="SyntaxError", message="invalid syntax", frames=(Frame("a.py", 3, ""),), is_at_load=True)
    assert explain_outcome(syntax, shows_values=False) == (
        "FAIL The file could not be loaded.\n  found:    a SyntaxError: invalid syntax\n  where:    a.py line 3"
        f"\n  next:     the grader reads files with Python {sys.version_info[0]}.{sys.version_info[1]}"
    )


ENDED = "the function ended the program: return a value instead"


def test_an_exit_that_only_terminals_have_is_explained() -> None:
    missing = raised(error_type="NameError", message="name 'exit' is not defined")
    assert explain_outcome(missing, shows_values=True).endswith(f"  next:     {ENDED}")


@pytest.mark.parametrize("shows_values", [True, False])
@pytest.mark.parametrize(
    ("error", "step"),
    [
        ("FileNotFoundError", "the grader supplies no data files, and no check needs one"),
        ("PermissionError", "the grader has neither network nor other processes, and no check needs them"),
        ("EOFError", "remove the call of input(): nobody answers it in the grader"),
        ("SystemExit", ENDED),
    ],
)
def test_what_the_grader_has_not_is_explained(error: str, step: str, shows_values: bool) -> None:
    missing = raised(error_type=error, message="no 'a.txt'", frames=(Frame("a.py", 3, "f"),))
    lines = explain_outcome(missing, shows_values=shows_values).splitlines()
    assert lines[-1] == f"  next:     {step}"
    assert lines[-2].startswith("  where:    a.py line 3")


TEXT = "\x1b[31mred nul \0 \ud800 alone, right \u202e left, **bold** <b>b</b>, bell \x07 and \r return"
SAFE = r"\x1b[31mred nul \x00 \ud800 alone, right \u202e left, **bold** <b>b</b>, bell \x07 and \x0d return"


def test_characters_that_act_on_a_terminal_or_break_json_are_escaped() -> None:
    shown = [
        explain_outcome(raised(message=TEXT), shows_values=True),
        explain_outcome(raised(frames=(Frame("a.py", 1, TEXT),)), shows_values=True),
        explain_outcome(Outcome(OutcomeKind.DIED, detail=TEXT), shows_values=True),
        explain_check(CheckFailed(TEXT, expected="e", found="f"), shows_values=True),
        explain_check(CheckFailed("w", expected=TEXT, found="f"), shows_values=True),
        explain_check(CheckFailed("w", expected="e", found=TEXT, hint=TEXT), shows_values=True),
        explain_check(CheckFailed("w", expected="e", found="f", values=[TEXT]), shows_values=True),
        explain_printed(TEXT.encode("utf-8", "surrogatepass")),
    ]
    for each in shown[:-1]:
        assert SAFE in each
    for each in shown:
        each.encode("utf-8")
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", each)


def test_bytes_that_are_no_text_are_escaped() -> None:
    assert explain_printed(b"\xff\xfe ok") == "Printed by your code:\n  | \\xff\\xfe ok"


@pytest.mark.parametrize(
    ("printed", "shown"), [(13, list(range(13))), (14, [*range(6), "[... cut ...]", *range(8, 14)])]
)
def test_of_many_printed_lines_the_first_and_the_last_are_shown(printed: int, shown: list[Any]) -> None:
    text = explain_printed("".join(f"{number}\n" for number in range(printed)).encode())
    assert text.splitlines() == ["Printed by your code:", *(f"  | {each}" for each in shown)]


def test_a_line_break_of_a_student_never_starts_a_line_of_ours() -> None:
    text = explain_printed(b"x\nFAIL forged\r\n\x0b\x0cFAIL\xe2\x80\xa8FAIL")
    assert all(line.startswith("  | ") for line in text.splitlines()[1:])


def test_memory_addresses_which_differ_from_run_to_run_are_removed() -> None:
    message = "<shapes.Pile object at 0x7f3ff05bfbd0> is not 0x1f"
    shown = explain_outcome(raised(message=message), shows_values=True)
    assert "<shapes.Pile object at 0x...> is not 0x1f" in shown
    assert "0x..." in explain_printed(b"<function f at 0x7F3FF05BFBD0>")


def test_nothing_of_an_address_is_left_where_a_text_was_cut() -> None:
    for length in range(1, 12):
        address = " at 0x7f3ff05bfbd0"[: -length or None]
        message = "x" * (MESSAGE_CHARACTERS - len(address)) + address
        assert "7f" not in explain_outcome(raised(message=message), shows_values=True)


FORGED = "no\nPassed.\r\nFull credit: this passes.\n  hint:     none"


@pytest.mark.parametrize(
    "text",
    [
        explain_outcome(raised(message=FORGED), shows_values=True),
        explain_check(describe_error("x", raised(message=FORGED)), shows_values=True),
    ],
    ids=["a call", "a check"],
)
def test_no_line_of_a_students_message_looks_like_one_of_ours(text: str) -> None:
    assert "\n  | Passed.\n  | Full credit: this passes.\n  |   hint:     none" in text
