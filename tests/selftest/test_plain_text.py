"""Plain text: untrusted text cannot affect the terminal, the JSON document or the reader."""

import pytest

from autograder.plain_text import clean, clean_line, order_naturally

ORDINARY = "line one\n\tline two: 中文 עברית é 🎉 \\x1b"


@pytest.mark.parametrize(
    ("text", "shown"),
    {
        "a\x1b[31mred": "a\\x1b[31mred",
        "\x00\x07\x7f\x85\x9b": "\\x00\\x07\\x7f\\x85\\x9b",
        "over\rwritten": "over\\x0dwritten",
        "pass\u202efail\u2066": "pass\\u202efail\\u2066",
        "lone \ud800 surrogate": "lone \\ud800 surrogate",
        "line\u2028separator \ufeff": "line\\u2028separator \\ufeff",
        "tag \U000e0041": "tag \\U000e0041",
        "no XML \ufffe\uffff": "no XML \\ufffe\\uffff",
        "seen\ufff9as\ufffbthis \u206a": "seen\\ufff9as\\ufffbthis \\u206a",
        "h\u00adid\u034fe\u115f\u3164": "h\\xadid\\u034fe\\u115f\\u3164",
        "zero\u200bwidth\u2060\ufe0f\U000e0100": "zero\\u200bwidth\\u2060\\ufe0f\\U000e0100",
        ORDINARY: ORDINARY,
        "a\r\nb\r\n": "a\nb\n",
    }.items(),
    ids=[
        "ansi",
        "c0 c1",
        "carriage return",
        "bidi",
        "surrogate",
        "separators",
        "tags",
        "no XML",
        "annotations",
        "fillers",
        "without a width",
        "ordinary",
        "line ends",
    ],
)
def test_unsafe_characters_are_escaped_and_others_stay(text, shown):
    assert clean(text, 100) == shown


@pytest.mark.parametrize(("text", "ends"), [("head" + "x" * 1000 + "tail", ("head", "tail")), ("\x1b" * 40, ("", ""))])
def test_long_text_keeps_its_head_and_tail_and_escapes_count(text, ends):
    shown = clean(text, 50)
    assert (shown.startswith(ends[0]), shown.endswith(ends[1])) == (True, True)
    assert "[... cut ...]" in shown
    assert len(shown) <= 50


@pytest.mark.parametrize("limit", [0, 1, 14, 15, 16, 17, 18])
@pytest.mark.parametrize("text", ["x" * 100, "\ud800" * 12, "\n" * 100])
def test_no_limit_is_exceeded(text, limit):
    assert len(clean(text, limit)) <= limit
    assert len(clean_line(text, limit)) <= limit


def test_a_line_stays_one_line():
    assert clean_line("a\nb\tc\r\nd", 100) == "a\\nb\\tc\\nd"


def test_numbers_in_a_text_are_sorted_by_size():
    ordered = ["5", "5.9", "5.10", "10.1", "a2", "a10", "²"]
    assert sorted({*ordered}, key=order_naturally) == ordered
