"""Answer file: turns a student's TOML file of answers into functions that the grader can call, one for each answer.

Loaded by the zygote, run in the worker after it has lost its rights. Trusts no byte of the file, which is the
student's: a parser in the grader's own process could be attacked. A file that is not valid TOML gets the functions too;
each of them raises the reason. An answer is a line of numpy notation, a table or a text: a formula is student code like
any other, and the worker contains it; the content of a cell stays text, which the grader interprets. The refusals here
only help the student; each names the accepted spelling, for powers written `^`, mathematical letters and signs, and
statements in place of a value.
"""

from __future__ import annotations

import ast
import contextlib
import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE_CHARACTERS = 200_000  # megabytes of brackets or digits, which slow the parser down
TEXT_CHARACTERS = 10_000  # an answer of megabytes, too long to read
_POSITION = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_ADVICE = (
    ("Unescaped '\\'", "write a text with backslashes between ''' and '''"),
    ("Invalid hex value", "write a text with backslashes between ''' and '''"),
    ("Illegal character '\\n'", "write a text of several lines between three quotes"),
    ("Unterminated string", "close the quotes"),
    ('Expected \'"""\'', "close the three quotes"),
    ("Expected \"'''\"", "close the three quotes"),
    ("Invalid value", "write every answer in quotes"),
    ("Cannot overwrite", "write each key once"),
    ("Cannot declare", "write each [table] once"),
    ("Expected '='", 'write: key = "answer"'),
    ("Invalid statement", 'write: key = "answer"'),
)
_CURLY = re.compile("[\u2018-\u201f]")
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


class Spec(NamedTuple):
    """One required answer: the name of its function, its key, its kind, and its names, choices or columns."""

    name: str
    key: str
    kind: str
    words: tuple[str, ...]


def build_functions(text: str, specs: Sequence[Sequence[Any]], *, content: str, module: str) -> dict[str, Any]:
    """Build a function for each answer by name, and one named `content` that returns all texts and all mistakes.

    A function raises NotImplementedError if its answer is empty. `module`: the module name that the functions get.
    """
    file = _AnswerFile(text, [Spec(*spec) for spec in specs])
    functions = {spec.name: file.make_function(spec) for spec in file.specs} | {content: file.make_content_reader()}
    for function in functions.values():
        function.__module__ = module
    return functions


class _AnswerFile:
    """The values of a file by key, or the reason why it cannot be read."""

    def __init__(self, text: str, specs: Sequence[Spec]) -> None:
        self.specs = specs
        self.values: dict[str, Any] = {}
        self.refusal = ""
        try:
            self.values = _flatten_tables(_parse_file(text), {spec.key for spec in specs})
        except AnswerProblem as problem:
            self.refusal = str(problem)

    def make_function(self, spec: Spec) -> Callable[..., Any]:
        """Make the function that returns the answer, or raises the reason why there is none."""

        def read_answer(*arguments: Any) -> Any:
            if self.refusal:
                raise AnswerProblem(f"the file {self.refusal}")
            value = self.values.get(spec.key, "")
            if _is_empty(value) and spec.kind == "setting":
                return spec.words[0]
            if _is_empty(value):
                raise NotImplementedError(spec.key)
            return _MAKERS[spec.kind](value, spec.words)(*arguments)

        return read_answer

    def make_content_reader(self) -> Callable[[], tuple[dict[str, str], list[str]]]:
        """Make the function that returns the texts by the names of their answers, and what is wrong in the file."""
        return lambda: (self._read_texts(), self._list_problems())

    def _read_texts(self) -> dict[str, str]:
        texts = {}
        for spec in self.specs:
            if spec.kind == "text":
                with contextlib.suppress(AnswerProblem, NotImplementedError):
                    texts[spec.name] = self.make_function(spec)()
        return texts

    def _list_problems(self) -> list[str]:
        """List why the file is unreadable, or which keys and notations are wrong."""
        if self.refusal:
            return [self.refusal]
        problems = self._check_keys()
        for spec in self.specs:
            found = self._find_problem(spec)
            if found:
                problems.append(f"{spec.key} {found}")
        return problems

    def _find_problem(self, spec: Spec) -> str:
        value = self.values.get(spec.key, "")
        if _is_empty(value):
            return ""
        try:
            _MAKERS[spec.kind](value, spec.words)
            if spec.kind in ("choice", "setting"):
                _check_choice(value, spec.words)
        except AnswerProblem as problem:
            return str(problem)
        return ""

    def _check_keys(self) -> list[str]:
        wanted = [spec.key for spec in self.specs]
        required = [spec.key for spec in self.specs if spec.kind != "setting"]
        missing = [key for key in required if key not in self.values]
        unknown = [key for key in self.values if key not in wanted]
        lines = [_describe_unknown_key(key, missing, wanted) for key in unknown]
        if len(missing) == len(required):
            return [*lines, "holds none of the keys that are asked for; write your answers into the file handed out"]
        return lines + [f"has no key {key}; write it as in the file handed out" for key in missing]


def _describe_unknown_key(key: str, missing: Sequence[str], wanted: Sequence[str]) -> str:
    named = {each.rpartition(".")[2]: each for each in (*wanted, *missing)}  # missing keys take precedence
    near = [named[each] for each in get_close_matches(key.rpartition(".")[2], named, 1)]
    meant = f"; did you mean {near[0]}?" if near else "; remove it"
    return f"has the key {cut(key)}, which is not asked for{meant}"


def _parse_file(text: str) -> dict[str, Any]:
    if len(text) > FILE_CHARACTERS:
        raise AnswerProblem(f"is longer than {FILE_CHARACTERS} characters; keep only the answers")
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise AnswerProblem(_explain_file_error(str(error), text)) from None
    except (RecursionError, MemoryError, ValueError, OverflowError):
        raise AnswerProblem("is nested too deeply, or holds a number too long to be read") from None


def _explain_file_error(message: str, text: str) -> str:
    found = _POSITION.fullmatch(message)
    what = found.group(1) if found else message
    known = (advice for start, advice in _ADVICE if what.startswith(start))
    advice = next(known, "compare it with the file handed out")
    if not found or not found.group(2):
        return f"is not valid TOML: at its end: {what}; {advice}"
    line, column = int(found.group(2)), int(found.group(3))
    shown = cut(text.split("\n")[line - 1].strip())
    if _CURLY.search(shown):
        advice = "write straight quotes, \" or ', in place of curly ones"
    return f"is not valid TOML: line {line}, column {column} ({shown}): {what}; {advice}"


def _flatten_tables(values: Mapping[str, Any], wanted: set[str]) -> dict[str, Any]:
    """Flatten one level of tables: the key of a value becomes "table.key"."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict) and name not in wanted:
            flat.update({f"{name}.{inner}": inside for inner, inside in value.items()})
        else:
            flat[name] = value
    return flat


def _is_empty(value: Any) -> bool:
    return value in ([], {}) or (isinstance(value, str) and not value.strip())


def _read_formula(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise AnswerProblem("is not a text; write the formula in quotes")
    return str(value)


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise AnswerProblem("is not a text; write it in quotes")
    return value.strip()[:TEXT_CHARACTERS]


def _read_choice(value: Any) -> str:
    return _read_text(value).casefold().strip(" .()[]'\"`")


def _check_choice(value: Any, choices: tuple[str, ...]) -> None:
    if _read_choice(value) not in choices:
        raise AnswerProblem(f"is {cut(_read_text(value))!r}; write one of {', '.join(choices)}")


def _make_constant(answer: Any) -> Callable[..., Any]:
    return lambda *arguments: answer


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


# By kind, what makes the function of an answer from its value and its names, choices or columns.
_MAKERS: dict[str, Callable[[Any, tuple[str, ...]], Callable[..., Any]]] = {
    "formula": lambda value, names: make_formula_function(_read_formula(value), names),
    "count": lambda value, names: make_formula_function(expand_products(_read_formula(value)), names),
    "choice": lambda value, choices: _make_constant(_read_choice(value)),
    "setting": lambda value, choices: _make_constant(_read_choice(value)),
    "table": lambda value, columns: _make_constant(read_rows(value, columns)),
    "text": lambda value, words: _make_constant(_read_text(value)),
}
