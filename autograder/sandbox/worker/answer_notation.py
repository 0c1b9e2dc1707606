"""Answer notation: turns one answer of a student, a line of numpy notation or a table, into a function or rows.

Loaded by the zygote, run in the worker after it has lost its rights. Trusts no text: a formula is student code like any
other, and the worker contains it; the content of a cell stays text, which the grader interprets. The refusals here only
help the student; each names the accepted spelling, for powers written `^`, mathematical letters and signs, and
statements in place of a value.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from types import CodeType
from typing import Any

import numpy as np

FORMULA_CHARACTERS = 1_000  # thousands of nested brackets, which slow Python's parser down
ROWS = 200  # a table of a million rows
CELL_CHARACTERS = 500
_SHOWN_CHARACTERS = 60
_GIVEN: dict[str, Any] = {"np": np, "numpy": np}
_ALLOWED = (abs, bool, enumerate, float, int, len, max, min, range, round, sum, zip)
_BUILTINS: dict[str, Any] = {each.__name__: each for each in _ALLOWED}
_IN_SCOPE = {**_BUILTINS, "__import__": __import__}  # numpy's C code imports parts of numpy by it, or crashes
_OPERATORS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.keyword)
_VALUES = (ast.Attribute, ast.Subscript, ast.Slice, ast.Name, ast.Constant, ast.Tuple, ast.List)
_LOOPS = (ast.ListComp, ast.GeneratorExp, ast.comprehension)
_PARTS = (ast.Expression, *_OPERATIONS, *_VALUES, *_LOOPS, *_OPERATORS)
_REFUSED = {ast.Lambda: "lambda", ast.NamedExpr: ":=", ast.JoinedStr: "f-string", ast.Starred: "star"}
_PRODUCT = "* for a product of numbers or entries, @ for a product of matrices"
_SPELLINGS = {
    "^": "** for powers and .T for the transpose",
    "\\": "numpy and no LaTeX",
    "$": "numpy and no LaTeX",
    "²": "**2",
    "³": "**3",
    "ᵀ": ".T",
    "⊤": ".T",  # noqa: RUF001  (the look-alikes are intended)
    "√": "np.sqrt(...)",
    "∑": "np.sum(...)",
    "Σ": "np.sum(...)",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "ŷ": "y_hat",
    "½": "0.5",
    **dict.fromkeys("·×⋅∙•⊙∘∗⊗", _PRODUCT),  # noqa: RUF001
    **dict.fromkeys("−–—‐", "the minus sign of the keyboard"),  # noqa: RUF001
    **dict.fromkeys("∂∇", "only the value, without the sign of a derivative"),
}
_NUMBER_THEN_NAME = re.compile(
    r"(?<![\w.])(\d+(?:\.\d*)?)[ ]*(?=(?!(?:if|else|and|or|in|is|not|for)\b|[eEjJ]\d|[xXbBoO]\d)[A-Za-z_(])"
)
_ASSIGNMENT = re.compile(r"(?<![=<>!:])=(?!=)")
_RULE = re.compile(r"[|:+\-=\s]*-{2,}[|:+\-=\s]*")
_SHORT = 3  # letters of a word that is not specific, such as "new"
_NEAR = 0.8  # "dependencies" matches "dependency", "action" does not match "transition"
_NOT_LETTERS = re.compile(r"[^a-z]+")


class AnswerProblem(ValueError):
    """An answer cannot be used; the text says why and what to write."""


def expand_products(text: str) -> str:
    """Insert the product signs of a count written as `2n` or `2(n)`."""
    return _NUMBER_THEN_NAME.sub(r"\1*", join_lines(text))


def join_lines(text: str) -> str:
    """Join the formula into one line, with each letter and its accents as one character."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def make_formula_function(text: str, names: Sequence[str]) -> Callable[..., Any]:
    """Make a function of `names`, by position; `AnswerProblem` if the text is not a formula."""
    code = compile_formula(text, names)

    def evaluate(*values: Any) -> Any:
        scope = {**_GIVEN, **dict(zip(names, values, strict=True)), "__builtins__": _IN_SCOPE}
        return eval(code, scope)  # noqa: S307  (evaluating the student's formula is the worker's purpose)

    return evaluate


def compile_formula(text: str, names: Sequence[str]) -> CodeType:
    """Compile the formula; `AnswerProblem` says which notation is wrong."""
    if len(text) > FORMULA_CHARACTERS:
        raise AnswerProblem(f"is longer than {FORMULA_CHARACTERS} characters; write one short formula")
    line = join_lines(text)
    _refuse_signs(line)
    tree = _parse(line)
    names_in_tree = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names_in_tree if isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        _refuse_part(node)
        if isinstance(node, ast.Name):
            _refuse_name(node.id, names, bound)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise AnswerProblem(f"holds .{cut(node.attr)}; a formula uses no name that begins with _")
    return compile(tree, "formula", "eval")


def _refuse_signs(line: str) -> None:
    for character in line:
        wanted = _SPELLINGS.get(character) or _suggest_spelling(character)
        if wanted:
            raise AnswerProblem(f"holds {_describe_character(character)}; write {wanted}")


def _suggest_spelling(character: str) -> str:
    if character.isascii():
        return ""
    words = unicodedata.name(character, "").lower().split()
    if words[:1] == ["greek"] and len(words) > 3:
        return f"it in letters, if it is one of the names listed ({words[3]} is {character})"
    if "subscript" in words:
        return "[...] for indices"
    if "superscript" in words or words[:2] == ["modifier", "letter"]:
        return "** for powers and .T for the transpose"
    return "numpy with the names listed and the signs of the keyboard"


def _describe_character(character: str) -> str:
    if character.isascii():
        return f"the sign {character}"
    name = unicodedata.name(character, "a character without a name")
    return f"{character} ({name.lower()})"


def _parse(line: str) -> ast.Expression:
    try:
        return ast.parse(line, mode="eval")
    except SyntaxError:  # its text depends on the version of Python
        raise AnswerProblem(_explain_error(line)) from None
    except (RecursionError, MemoryError, ValueError):
        raise AnswerProblem("is nested too deeply, or holds a number too long to be read") from None


def _explain_error(line: str) -> str:
    product = _NUMBER_THEN_NAME.search(line)
    if product:
        return f"leaves a * out after {product.group(1)}; write every product with *, such as 2*n"
    if _ASSIGNMENT.search(re.sub(r"\([^()]*\)", "", line)):
        return "holds =; write only the right side"
    if line.count("(") != line.count(")") or line.count("[") != line.count("]"):
        return "has brackets that do not match"
    return "cannot be read as a formula of numpy; write one value in the names listed"


def _refuse_part(node: ast.AST) -> None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Constant):
        raise AnswerProblem("leaves a * out before a bracket; write every product with *")
    if not isinstance(node, _PARTS):
        kind = _REFUSED.get(type(node), type(node).__name__.lower())
        raise AnswerProblem(f"holds {kind}, which is no part of a formula; write one value")


def _refuse_name(name: str, names: Sequence[str], bound: Collection[str]) -> None:
    known = [*names, *_GIVEN, *_BUILTINS]
    if name in known or name in bound:
        return
    if not name.startswith("_") and hasattr(np, name):
        raise AnswerProblem(f"uses {name}; write np.{name}")
    near = [each for each in names if each.startswith(f"{name}_")] or get_close_matches(name, known, 1)
    meant = f"did you mean {near[0]}? " if near else ""
    raise AnswerProblem(f"uses the name {cut(name)!r}; {meant}the names are {', '.join([*names, 'np'])}")


def cut(text: str) -> str:
    """Cut a text of the student for a message."""
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + " ..."


def read_rows(value: object, columns: Sequence[str]) -> list[dict[str, str]]:
    """Read the rows in their order, each with every column; a missing cell is empty.

    A row is a line of cells with | between them, a list of cells, or a table with the columns as keys. If the first row
    holds column names, it defines the order of the columns; columns with other names are ignored.
    """
    rows = _read_cells(value, columns)
    if len(rows) > ROWS:
        raise AnswerProblem(f"has more than {ROWS} rows")
    if not rows:
        return []
    headings = _match_header(rows[0], columns)
    if headings is None:
        headings = list(columns)
    else:
        del rows[0]
    return [_build_row(cells, headings, columns) for cells in rows]


def _read_cells(value: object, columns: Sequence[str]) -> list[list[str]]:
    if isinstance(value, str):
        lines = []
        for line in map(str.strip, value.splitlines()):
            if line and not _RULE.fullmatch(line):
                lines.append(line)
        return _split(lines)
    if not isinstance(value, list):
        raise AnswerProblem("is not a table; write one row a line, with | between the columns")
    return [_read_row(row, columns) for row in value]


def _split(lines: Sequence[str]) -> list[list[str]]:
    """Split each line into cells; if all lines begin with |, as in Markdown, it is a frame and no separator."""
    for line in lines:
        if "|" not in line:
            raise AnswerProblem(f"has no | in the row {line[:60]!r}; write | between the columns")
    if all(line.startswith("|") for line in lines):
        lines = [line[1:].removesuffix("|") for line in lines]
    return [list(map(str.strip, line.split("|"))) for line in lines]


def _read_row(row: object, columns: Sequence[str]) -> list[str]:
    if isinstance(row, Mapping):
        named = {}
        for name, cell in row.items():
            named[_find_column(str(name), columns)] = _join_cell(cell)
        return [named.get(column, "") for column in columns]
    if isinstance(row, list):
        return [_join_cell(cell) for cell in row]
    if isinstance(row, str):
        return _split([row])[0]
    raise AnswerProblem("has a row that is neither a line nor a list of cells")


def _join_cell(cell: object) -> str:
    if isinstance(cell, list):
        return " ".join(map(_join_cell, cell))
    return str(cell).strip()


def _match_header(cells: Sequence[str], columns: Sequence[str]) -> list[str | None] | None:
    """Return the columns in the order of a header row; None if the row is not a header."""
    order = [_find_column(cell, columns) for cell in cells]
    known = [column for column in order if column is not None]
    if len(known) <= len(columns) / 2 or len(set(known)) < len(known):
        return None
    missing = [column for column in columns if column not in known]
    if missing:
        raise AnswerProblem(f"names no column {missing[0]!r} in its first row; the columns are {', '.join(columns)}")
    return order


def _find_column(name: str, columns: Sequence[str]) -> str | None:
    """Find the column whose name, or a word of it, is most similar; None if none is similar."""
    spelled = {}
    for column in columns:
        for part in (*column.split(), column):
            if len(part) > _SHORT:
                spelled[_keep_letters(part)] = column
    near = get_close_matches(_keep_letters(name), spelled, 1, cutoff=_NEAR)
    return spelled[near[0]] if near else None


def _keep_letters(name: str) -> str:
    return _NOT_LETTERS.sub("", name.lower())


def _build_row(cells: Sequence[Any], headings: Sequence[str | None], columns: Sequence[str]) -> dict[str, str]:
    row = dict.fromkeys(columns, "")
    for name, cell in zip(headings, cells, strict=False):
        if name is not None:
            row[name] = cell[:CELL_CHARACTERS]
    return row
