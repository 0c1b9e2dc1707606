"""Source scan: turns the bytes of a Python file, from any editor, into text as Python would read it, and searches that.

By linear patterns it finds the names that an untrusted text defines, Python 2, and old names of numpy. The text is
never parsed in the grader's process: a crafted text can crash or stall Python's own parser. So the results are good
guesses; whether a file works is decided in the worker.
"""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Collection, Iterator, Sequence, Sized
from typing import NamedTuple

from autograder.plain_text import clean_line, find_near

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# The declaration of PEP 263 is searched in the first two lines only, up to this many bytes.
_HEAD_BYTES = 1000
_DECLARATION = re.compile(rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))??[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
# Only text encodings: some of Python's codecs decompress, or take quadratic time.
_ENCODINGS = re.compile(
    r"(?:utf-?8|ascii|us-ascii|latin-?1|iso-?8859-?\d{1,2}|(?:cp|windows-?)\d{3,4}|gbk|gb2312|gb18030|big5|shift-?jis"
    r"|euc-?(?:jp|kr)|koi8-?[ru]|utf-?8-sig)\Z"
)
_TOKEN = re.compile(r'"""|\'\'\'|"|\'|#|\n|\\.', re.DOTALL)
_DEFINITION = re.compile(
    r"^(?:(?:async[ \t]+)?def[ \t]+|class[ \t]+)(\w+)|^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)",
    re.MULTILINE,
)
_STATEMENT = r"(?:^|[;:])[ \t]*"
_OPERATOR = r"(?!(?:in|is|and|or|if|else|not|for)\b)"
# Each is a syntax error in Python 3, except `print >>`, which is an error at run time.
_PYTHON_2 = re.compile(
    rf"{_STATEMENT}(?:"
    rf"print(?:[ \t]*[\"'`]|[ \t]+{_OPERATOR}\w|[ \t]*>>)"
    rf"|exec(?:[ \t]*[\"'`]|[ \t]+{_OPERATOR}\w)"
    r"|except[ \t]+(?:[\w.]+|\([^()\n]*\))[ \t]*,[ \t]*\w+[ \t]*:"
    r"|raise[ \t]+[\w.]+[ \t]*,)"
    r"|`[^`\n]*`"
    r"|<>"
    r"|(?<![\w.])\d+[lL]\b"
    r"|(?<![\w.])(?<![\d.][eE][-+])0+[1-9]\d*(?![\w.])"
    r"|\blambda[ \t]*\(",
    re.MULTILINE,
)
_PYTHON_2_NAMES = {"xrange": "range", "raw_input": "input", "unicode": "str", "basestring": "str", "cPickle": "pickle"}
_PYTHON_2_CALL = re.compile(r"(?<![\w.])(xrange|raw_input|unicode|basestring)[ \t]*\(")
_PYTHON_2_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+(cPickle)\b", re.MULTILINE)
_BOTH_IMPORT = re.compile(r"\bimport[ \t]+pickle\b")  # what follows where the import of cPickle fails
# Names that numpy 1.24 or 2.0 removed (`bool` came back), with their replacements.
_REMOVED = {
    "float": "float",
    "int": "int",
    "bool": "bool",
    "object": "object",
    "str": "str",
    "float_": "np.float64",
    "Inf": "np.inf",
    "Infinity": "np.inf",
    "infty": "np.inf",
    "NaN": "np.nan",
    "product": "np.prod",
    "asscalar": "value.item()",
    "mat": "np.asmatrix",
    "round_": "np.round",
}
_NUMPY_NAME = re.compile(rf"(?<![\w.])(?:np|numpy)\.({'|'.join(_REMOVED)})(?!\w)")
_EMPTY = re.compile(r"(?:pass|\.\.\.|raise[ \t]+NotImplementedError\b.*|[\"'rR]*)")
_RETURNED = re.compile(r"return\b[ \t]*(?:None)?")
_START = re.compile(
    r"return\b(?:[\w., \t]|zeros\([\w., \t()]*\))*|[\w., \t]+=[ \t]*(?:\[\]|\{\}|[\w.]+|(?:np|numpy)\.zeros.*)"
)
_SHOWN_LINES = 5
_NAME_CHARACTERS = 80
_SIGNATURE_CHARACTERS = 2_000
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)
_OTHER_FORMATS = {  # by how they begin
    "<!doctype": "a web page",
    "<html": "a web page",
    "{\\rtf": "a document of a word processor",
    "pk\3\4": "a zip or a document of a word processor",
    "%pdf": "a PDF",
    "version https://git-lfs": "a pointer of Git LFS",
}
_TOP_FUNCTION = re.compile(r"^def[ \t]+(\w+)", re.MULTILINE)
_RUN = re.compile(r"^[ \t]*%run[ \t]+(\S+)", re.MULTILINE)
_SEARCHED_NAMES = 500
_NEAR_CHARACTERS = 3  # below it is how much longer or shorter a name is that may be meant
_LIKENESS = 0.8


def decode_source(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text of a source file with newlines as line ends, and notes for the student; any bytes are accepted.

    The encoding is given by the byte order mark, else the declared encoding, else UTF-8, else Latin-1, which fits any
    bytes.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], encoding)
    return _decode(data, _read_declared_encoding(data))


def _decode(data: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    notes: tuple[str, ...] = ()
    if encoding.startswith("utf-16"):
        notes = ("is saved as UTF-16, which Python does not read; save it as UTF-8",)
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        text, notes = _decode_by_guess(data, encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def _decode_by_guess(data: bytes, refused: str) -> tuple[str, tuple[str, ...]]:
    try:
        return data.decode(), (f"is not {refused} text as it says; it was read as UTF-8",)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        note = f"is not {refused} text (line {line}); it was read as Latin-1: save it as UTF-8"
        return data.decode("latin-1"), (note,)


def _read_declared_encoding(data: bytes) -> str:
    found = _DECLARATION.match(data[:_HEAD_BYTES])
    declared = found.group(1).decode("ascii", "replace") if found else ""
    name = declared.lower().replace("_", "-")
    return name if _ENCODINGS.match(name) else "utf-8"


def find_defined_names(text: str) -> frozenset[str]:
    """Find the names that the text defines at its top level by def, class or assignment."""
    return frozenset(first or second for first, second in _DEFINITION.findall(_blank_comments_and_strings(text)))


def find_other_definition(text: str, name: str, others: Collection[str]) -> str:
    """Say where a text defines a name that is not at its top level, or which one may be meant by it; empty for neither.

    `others`: names that are not meant.
    """
    defined = find_defined_names(text)
    if name in defined:
        return ""
    code = _blank_comments_and_strings(text)
    inner = re.search(rf"^[ \t]+(?:async[ \t]+)?def[ \t]+{re.escape(name)}\b", code, re.MULTILINE)
    if inner:
        line = code.count("\n", 0, inner.end()) + 1
        return f"; line {line} defines it inside a class or another block: move it to the left edge of the file"
    own = sorted(defined.difference(others))[:_SEARCHED_NAMES]
    spelled = {each.lower(): each for each in own if abs(len(each) - len(name)) < _NEAR_CHARACTERS}
    near = find_near(name.lower(), spelled, _LIKENESS)
    return f"; it defines {spelled[near]}: if that is your answer, rename it to {name}" if near else ""


def takes_all(text: str, name: str, parameters: Sized) -> bool:
    """Return whether a function at the top level takes as many arguments as there are `parameters`."""
    count = count_parameters(text, name)
    return count is not None and count >= len(parameters)


def count_parameters(text: str, name: str) -> int | None:
    """Count the parameters of a function at the top level; None if it is not defined there, or takes any number."""
    code = _blank_comments_and_strings(text)
    found = list(re.finditer(rf"^def[ \t]+{re.escape(name)}[ \t]*\(", code, re.MULTILINE))
    if not found:
        return None
    depth, texts = 1, [""]
    start = found[-1].end()
    for character in code[start : start + _SIGNATURE_CHARACTERS]:
        depth += (character in "([{") - (character in ")]}")
        if not depth:
            break
        if character == "," and depth == 1:
            texts.append("")
        else:
            texts[-1] += character
    named = [text for text in map(str.strip, texts) if text not in ("", "/", "*")]
    takes_any = any(text.startswith("*") for text in named)
    return None if depth or takes_any else len(named)


class Body(NamedTuple):
    """What the text of a function shows. `gap`: where nothing is written, in words; `has_code`: more than a start."""

    gap: str
    has_code: bool


def scan_body(text: str, name: str) -> Body | None:
    """Scan the last definition of a function, method or, for a class, constructor; None where there is none.

    Starter code marks where students write; without the marks, a function without a statement is empty, and a start has
    nothing but first values and what is returned.
    """
    code = _blank_comments_and_strings(text).split("\n")
    body = _find_body(code, *name.split("."))
    if not body:
        return None
    every = text.split("\n")
    marked, lines, is_inside = False, [], False
    for number in body:
        if "YOUR CODE" in every[number]:
            marked, is_inside = True, "END" not in every[number]
        elif is_inside:
            lines.append(code[number].strip())
    if marked:
        is_empty = all(_EMPTY.fullmatch(line) or _RETURNED.fullmatch(line) for line in lines)
        return Body("nothing is written between the marks" * is_empty, has_code=not is_empty)
    lines = [code[number].strip() for number in body]
    has_code = not all(_EMPTY.fullmatch(line) or _START.fullmatch(line) for line in lines)
    is_empty = all(map(_EMPTY.fullmatch, lines))
    return Body("its body is empty" * is_empty, has_code)


def find_gap(bodies: Sequence[Body | None]) -> str:
    """Find where nothing is written in the bodies of functions; empty where something is, or one is not defined."""
    gaps = [body.gap if body is not None else "" for body in bodies]
    return gaps[0] if all(gaps) else ""


def have_code(bodies: Sequence[Body | None]) -> bool:
    """Whether one of these bodies is more than a start."""
    return any(body is not None and body.has_code for body in bodies)


def _find_body(code: Sequence[str], owner: str, method: str = "") -> range:
    """Find the lines of a body in code without comments and strings; none where it is not defined.

    Of several definitions the last counts; the block of that one alone is sought, as a text may repeat a header.
    """
    header = rf"class[ \t]+{re.escape(owner)}\b"
    if not method:
        header += rf"|(?:async[ \t]+)?def[ \t]+{re.escape(owner)}\b"
    start = _find_last(code, range(len(code)), header)
    if start is None:
        return range(0)
    block = _find_block(code, start)
    if code[start].startswith("class"):
        inner = rf"[ \t]+(?:async[ \t]+)?def[ \t]+{re.escape(method or '__init__')}\b"
        start = _find_last(code, block, inner)
        block = range(0) if start is None else _find_block(code, start)
    return block


def _find_last(code: Sequence[str], lines: range, header: str) -> int | None:
    """Find the last of these lines that begins with a header."""
    pattern = re.compile(header)
    return next((number for number in reversed(lines) if pattern.match(code[number])), None)


def _find_block(code: Sequence[str], start: int) -> range:
    """Find the lines behind a header that are indented more than it."""
    indent = len(code[start]) - len(code[start].lstrip())
    first = start
    while first < len(code) and not code[first].rstrip().endswith(":"):
        first += 1
    first += 1
    for number in range(first, len(code)):
        line = code[number]
        if line.strip(" \t\r\"'") and len(line) - len(line.lstrip()) <= indent:
            return range(first, number)
    return range(first, len(code))


def note_oddities(text: str) -> tuple[str, ...]:
    """Write notes for the student on what another program saved, on outdated code and on definitions left empty."""
    return (*note_other_format(text), *note_obsolete_code(text), *note_empty_repetitions(text), *_note_runs(text))


def _note_runs(text: str) -> Iterator[str]:
    """Write a note for the student on each file that a notebook runs."""
    for file, numbers in itertools.islice(_find_uses(_RUN, text), _SHOWN_LINES):
        name = clean_line(file, _NAME_CHARACTERS)
        yield f"has %run {name}{_list_lines(numbers)}, which is left out: import the names of that file in its place"


def note_other_format(text: str) -> tuple[str, ...]:
    """Write a note for the student on a file that is no Python, as it was saved by another program."""
    start = text[:100].lstrip().lower()
    notes = []
    for mark, what in _OTHER_FORMATS.items():
        if start.startswith(mark):
            notes.append(f"is {what}, not Python: submit the code itself")
    code = _blank_comments_and_strings(text) if _CONFLICT.search(text) else ""
    conflict = _CONFLICT.search(code)
    if conflict:
        line = code.count("\n", 0, conflict.start()) + 1
        notes.append(f"has a conflict of Git (line {line}): keep one version, and remove the lines of <, = and >")
    return tuple(notes)


def note_empty_repetitions(text: str) -> tuple[str, ...]:
    """Write a note for the student on each function whose last definition is empty, unlike an earlier one."""
    names = _TOP_FUNCTION.findall(text)
    if len(set(names)) == len(names):
        return ()
    defined = _find_uses(_TOP_FUNCTION, _blank_comments_and_strings(text))
    repeated = sorted((numbers, name) for name, numbers in defined if len(numbers) > 1)
    notes = []
    for numbers, name in repeated[:_SHOWN_LINES]:
        body = scan_body(text, name)
        if body is not None and body.gap:
            what = f"{clean_line(name, _NAME_CHARACTERS)} more than once{_list_lines(numbers)}"
            notes.append(f"defines {what}: the last definition counts, and nothing is written there")
    return tuple(notes)


def note_obsolete_code(text: str) -> tuple[str, ...]:
    """Write notes for the student on code that only Python 2 runs, and names that Python 3 or numpy no longer has."""
    if not any(pattern.search(text) for pattern in (_PYTHON_2, _PYTHON_2_CALL, _PYTHON_2_IMPORT, _NUMPY_NAME)):
        return ()
    code = _blank_comments_and_strings(text)
    found, names = _PYTHON_2.search(code), list(_find_python2_names(code))
    lines = [code.count("\n", 0, found.end() - 1) + 1] if found else []
    lines += [number for _, numbers in names for number in numbers]
    told = f"is written for Python 2 (line {min(lines, default=0)}), which is not run here; write it for Python 3"
    notes = [told] if lines else []
    for name, numbers in names:
        notes.append(f"uses {name}, which only Python 2 has{_list_lines(numbers)}: write {_PYTHON_2_NAMES[name]}")
    for name, numbers in _find_uses(_NUMPY_NAME, code):
        where = _list_lines(numbers)
        notes.append(f"uses np.{name}, which not every version of numpy has{where}: write {_REMOVED[name]}")
    return tuple(notes)


def is_python2(text: str) -> bool:
    """Whether Python 3 refuses the text because it is written for Python 2."""
    return bool(_PYTHON_2.search(text)) and bool(_PYTHON_2.search(_blank_comments_and_strings(text)))


def _find_python2_names(code: str) -> Iterator[tuple[str, list[int]]]:
    """Find the uses of names that only Python 2 has, and that the code itself does not define."""
    defined = set(re.findall(r"\b(\w+)[ \t]*=(?!=)|\b(?:import|as)[ \t]+(\w+)", code))
    own = {name for pair in defined for name in pair}
    for name, numbers in _find_uses(_PYTHON_2_CALL, code):
        if name not in own:
            yield name, numbers
    if not _BOTH_IMPORT.search(code):
        yield from _find_uses(_PYTHON_2_IMPORT, code)


def _find_uses(pattern: re.Pattern[str], code: str) -> Iterator[tuple[str, list[int]]]:
    """Find the lines of each name that the pattern's group matches."""
    lines: dict[str, list[int]] = {}
    number, position = 1, 0
    for found in pattern.finditer(code):
        number += code.count("\n", position, found.start(1))
        position = found.start(1)
        lines.setdefault(found.group(1), []).append(number)
    for name in sorted(lines):
        yield name, list(dict.fromkeys(lines[name]))


def _list_lines(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_SHOWN_LINES]))
    if len(numbers) > _SHOWN_LINES:
        shown += ", ..."
    return f" (line {shown})" if len(numbers) == 1 else f" (lines {shown})"


def _blank_comments_and_strings(text: str) -> str:
    """Drop comments and the insides of strings; line numbers stay the same."""
    kept: list[str] = []
    start, closer = 0, ""  # `closer` ends the current string or comment
    for token in _TOKEN.finditer(text):
        found = token.group()
        if not closer:
            kept.append(text[start : token.start()])
            closer = found if found[0] in "\"'" else ""
            closer = "\n" if found == "#" else closer
            kept.append("" if found == "#" else found)
        elif _is_end(closer, found):
            is_unclosed = found == "\n" != closer
            kept.append(closer + "\n" if is_unclosed else closer)
            closer = ""
        elif "\n" in found:
            kept.append("\n")
        start = token.end()
    return "".join(kept) + ("" if closer else text[start:])


def _is_end(closer: str, token: str) -> bool:
    if closer == "\n":
        return "\n" in token
    if len(closer) == 1:  # three quotes here are the end of this string and an empty string
        return token in (closer, closer * 3, "\n")
    return token == closer
