"""The weight of the project is counted as its table says."""

from __future__ import annotations

import pytest

from benchmarks.weight import Weight, count_dense, count_kind_tests, count_mistakes, find_kinds

pytestmark = pytest.mark.once

SOURCE = '''"""A docstring
over two lines."""

# a comment
class ArrayKind:
    """One."""

def tell(x):
    text = """a text
    over two lines"""
    return text if x else (1 if text else 2)
'''


def test_docstrings_are_tokens_and_no_lines_and_dense_expressions_are_counted() -> None:
    weight = Weight([SOURCE, "x = [1]\n"])
    assert (weight.tokens, weight.lines, weight.files, weight.wide) == (31, 5, 2, 0)
    assert weight.mean == 31 / 5
    assert Weight(["#" * 121]).wide == 1
    assert count_dense(SOURCE) == 1
    assert count_dense("[[y for y in x] for x in (z for z in range(3))]") == 2
    assert count_dense("[\n x for x in range(3)]") == 0
    assert count_dense("[\n x\n for x in range(3)]") == 1
    assert count_mistakes("a = mistake_edit('f')\n@mistake('f')\ndef b(): mistaken()") == 2
    kinds = find_kinds(SOURCE)
    assert kinds == {"ArrayKind"}
    tested = "isinstance(x, ArrayKind) or isinstance(x, (int, ArrayKind)) or isinstance(x, ArrayKinds)"
    assert (count_kind_tests(tested, kinds), count_kind_tests(SOURCE + tested, kinds)) == (2, 0)
