"""Linear patterns find the definitions of a source text and its outdated lines, without parsing it."""

import ast
import re

import pytest

from autograder.submission.file_tree import FILE_BYTES
from autograder.submission.source_scan import (
    count_parameters,
    find_defined_names,
    find_other_definition,
    note_empty_repetitions,
    note_obsolete_code,
    note_oddities,
    note_other_format,
    scan_body,
)
from tests.selftest.support.linear_cost import assert_linear

PYTHON_2 = [
    'print "text"',
    "print 'text' % x",
    "print x",
    'print"glued"',
    "if x: print x",
    "x = 1; print x",
    "print >>sys.stderr, x",
    "print `x`",
    'exec "x = 1"',
    "exec code in scope",
    "try:\n    pass\nexcept ValueError, e:\n    pass",
    "try:\n    pass\nexcept (ValueError, socket.error), e:\n    pass",
    'raise ValueError, "text"',
    "mode = 0777",
    "x = size-07",
    "x = 10L",
    "if x <> y: pass",
    "f = lambda (a, b): a",
]
PYTHON_3 = [
    'print("text")',
    "print (x), y",
    "print",
    "print = x",
    "x = print if y else z",
    "y = print in x",
    "print -1",
    '"""\nprint x\n"""',
    "# print x",
    "'it is 0777 `or` <>'",
    "x = '''\nexcept ValueError, e:\n'''",
    "x = 'a\\\nprint x'",
    "x = r'\\'; y = 1",
    'x = "abc"""\ny = "print"',
    "x = 0; y = 00; z = 0o777; u = 0x0777; v = 1e05; w = 01.5; t = 0_7.5",
    "close(f, g, rtol=1e-05, atol=1.e+06 + 2.5E-08)",
    "exec('x')",
    "executor = 1\nprinter = 2",
    "raise ValueError('a, b')",
    "raise ValueError",
    "f(print, x)",
    "# a comment that ends in a backslash \\\nx = 'print y'",
    "x: int = 1",
]


def find_python2(text: str) -> int | None:
    """The line that the note on Python 2 names."""
    notes = note_obsolete_code(text)
    found = re.match(r"is written for Python 2 \(line (\d+)\)", notes[0]) if notes else None
    return int(found[1]) if found else None


@pytest.mark.parametrize("line", PYTHON_2)
def test_python_2_is_found_on_its_line(line):
    with pytest.raises(SyntaxError):
        ast.parse(line if ">>" not in line else "print x")
    expected = 5 if line.startswith("try") else 3
    assert find_python2("import numpy as np\n\n" + line) == expected


@pytest.mark.parametrize("text", PYTHON_3)
def test_python_3_is_not_taken_for_python_2(text):
    assert find_python2(text) is None


def test_definitions_at_the_top_level_are_found():
    text = '''
def first(x): return x
async def second(): pass
class Third: pass
fourth = first
fifth: int = 3
fourth == 3
def
    def inner(): pass
"""
def quoted(): pass
"""
# def commented(): pass
'''
    assert find_defined_names(text) == {"first", "second", "Third", "fourth", "fifth"}


@pytest.mark.parametrize(
    ("text", "count"),
    {
        "def f(): pass": 0,
        "def f(a, b=(1, 2), *, c: dict[str, int] = {'x,': 1}): pass": 3,
        "def f(\n    a,  # one, two\n    b=')',\n): pass": 2,
        "def f(a): pass\ndef f(a, b): pass": 2,
        "def f(a, /, b): pass": 2,
        "def f(*arguments): pass": None,
        "def f(a, **options): pass": None,
        "def g(a): pass\n    def f(a): pass": None,
        "'def f(a)'": None,
        "def f(a, b": None,
        "def f(" + "a, " * 10_000 + "): pass": None,
    }.items(),
    ids=lambda text: str(text)[:30],
)
def test_parameters_are_counted(text, count):
    assert count_parameters(text, "f") == count


NUMPY = "x = np.float(3)\ny = numpy.product(z)\nnp.float64(1), np.floating, my.np.int, np.bool_\n# np.int\n'np.object'"
CALLS = "for i in xrange(3):\n    raw_input()\nfor i in xrange(4): pass\n# unicode(x)\nobject.unicode(3)\n"
OWN = ("xrange = range", "from six.moves import xrange", "from past import range as xrange")
NOTES = [
    (
        CALLS,
        [
            "is written for Python 2 (line 1), which is not run here; write it for Python 3",
            "uses raw_input, which only Python 2 has (line 2): write input",
            "uses xrange, which only Python 2 has (lines 1, 3): write range",
        ],
    ),
    (
        NUMPY,
        [
            "uses np.float, which not every version of numpy has (line 1): write float",
            "uses np.product, which not every version of numpy has (line 2): write np.prod",
        ],
    ),
    ("np.int\n" * 9, ["uses np.int, which not every version of numpy has (lines 1, 2, 3, 4, 5, ...): write int"]),
    *((f"{own}\nxrange(3)", []) for own in OWN),
]


@pytest.mark.parametrize(("text", "notes"), NOTES, ids=lambda value: value[:20] if isinstance(value, str) else "")
def test_names_that_are_gone_are_noted_with_their_lines(text, notes):
    assert note_obsolete_code(text) == tuple(notes)


@pytest.mark.sampled(second=1)
@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        '"""',
        "'",
        '\\"""',
        "\\",
        "(",
        "except (",
        "except a",
        "01",
        "0",
        "print ",
        "raise a.",
        "`",
        "x",
        "x =",
        "#\n",
        ": ",
        "lambda ",
        "np.int ",
        " ",
        "def ",
        "def a(\n",
        "class a(\n def go(\n",
        "\n<<<<<<<\n",
        "\n\t",
    ],
)
def test_the_cost_of_a_text_is_linear(piece):
    def scan(size):
        text = "print x; xrange(); " + piece * (size // len(piece))
        find_defined_names(text)
        note_obsolete_code(text)
        note_other_format(text)
        note_empty_repetitions(text)
        find_other_definition(text, "solve", ())
        scan_body(text, "a")
        scan_body(text, "a.go")

    assert_linear(scan, FILE_BYTES // 256)


MARKED = """
def solve(x,
          y) -> float:
    total = 0
    for each in x:
        ### YOUR CODE HERE
        {}
        ### END YOUR CODE
    return total
"""
OF_A_CLASS = """
class Walk:
    def __init__(self, start):
        self.start = start

    def go(self, steps):
        '''Go.

Nothing is returned.
        '''
        {}

def go(steps):
    return steps + 1
"""


@pytest.mark.parametrize(
    ("text", "name", "is_empty", "has_code"),
    [
        (MARKED.format(""), "solve", True, False),
        (MARKED.format("pass  # later"), "solve", True, False),
        (MARKED.format("raise NotImplementedError('solve')"), "solve", True, False),
        (MARKED.format("total += each"), "solve", False, True),
        (MARKED.format("") + MARKED.format("total += each"), "solve", False, True),  # the last one counts
        (OF_A_CLASS.format(""), "Walk.go", True, False),
        (OF_A_CLASS.format("..."), "Walk.go", True, False),
        (OF_A_CLASS.format("self.start += steps"), "Walk.go", False, True),
        (OF_A_CLASS.format(""), "Walk", False, False),
        (OF_A_CLASS.format(""), "go", False, True),
        ("def first(x):\n    found = []\n    return found, np.zeros(3)\n", "first", False, False),
        ("def first(x):\n    return x.sort()\n", "first", False, True),
    ],
)
def test_a_body_shows_whether_it_is_a_stub(text: str, name: str, is_empty: bool, has_code: bool) -> None:
    body = scan_body(text, name)
    assert body is not None and (bool(body.gap), body.has_code) == (is_empty, has_code)
    assert scan_body(text, "other") is None


INSIDE = "; line 2 defines it inside a class or another block: move it to the left edge of the file"
NEAR = "; it defines {}: if that is your answer, rename it to unitRows"


@pytest.mark.parametrize(
    ("text", "found"),
    {
        "class Solution:\n    def unitRows(self, x): return x\n": INSIDE,
        "if __name__ == '__main__':\n\tasync def unitRows(x): return x\n": INSIDE,
        "def unitrows(x): return x\n": NEAR.format("unitrows"),
        "def unit_rows(x): return x\n": NEAR.format("unit_rows"),
        "unitRow = lambda x: x\n": NEAR.format("unitRow"),
        "@missing\ndef unitRows(x): return x\ndef unitRow(x): return x\n": "",
        "def unitRoot(x): return x\n": "",  # another one that is graded
        "def unitRows_of_all(x): return x\n": "",
        "# def unitRow(x):\n'''\n    def unitRows(x):\n'''\n": "",
    }.items(),
)
def test_what_may_be_meant_by_a_missing_function_is_named(text, found):
    assert find_other_definition(text, "unitRows", {"unitRows", "unitRoot"}) == found


@pytest.mark.parametrize(
    ("text", "note"),
    {
        "\n<!DOCTYPE html>\n<html>": "is a web page, not Python: submit the code itself",
        "{\\rtf1\\ansi": "is a document of a word processor, not Python: submit the code itself",
        "PK\3\4\0\0": "is a zip or a document of a word processor, not Python: submit the code itself",
        "version https://git-lfs.github.com/spec/v1": "is a pointer of Git LFS, not Python: submit the code itself",
        "x = 1\n<<<<<<< HEAD\nx = 2\n=======\nx = 3\n>>>>>>> other\n": (
            "has a conflict of Git (line 2): keep one version, and remove the lines of <, = and >"
        ),
    }.items(),
    ids=["web page", "rich text", "zip", "Git LFS", "conflict"],
)
def test_what_another_program_saved_is_noted(text, note):
    assert note_other_format(text) == (note,)
    assert note_other_format(f"'''\n{text}\n'''") == note_other_format("x = 1 << 7\n") == ()


def test_an_empty_definition_after_another_is_noted():
    solved, empty = MARKED.format("total += each"), MARKED.format("pass")
    told = "defines solve more than once (lines 2, 11): the last definition counts, and nothing is written there"
    assert note_empty_repetitions(solved + empty) == (told,)
    assert note_empty_repetitions(empty + solved) == note_empty_repetitions(empty) == ()


def test_names_in_notes_are_escaped_and_cut():
    text = f"%run \x1b[31m{'a' * 1000}.py\ndef {'b' * 1000}():\n    pass\n"
    shown = note_oddities(text + text)
    assert len(shown) == 2
    assert all(note.isprintable() and len(note) < 300 for note in shown)
