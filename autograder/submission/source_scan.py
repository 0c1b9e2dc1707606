"""Source scan: finds in untrusted Python text, by linear patterns, the names it defines, Python 2 and old numpy names.

The text is never parsed in the grader's process: a crafted text can crash or stall Python's own parser. So the results
are good guesses; whether a file works is decided in the worker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    r"|(?<![\w.])0+[1-9]\d*(?![\w.])"
    r"|\blambda[ \t]*\(",
    re.MULTILINE,
)
_PYTHON_2_NAMES = {"xrange": "range", "raw_input": "input", "unicode": "str", "basestring": "str"}
_PYTHON_2_CALL = re.compile(r"(?<![\w.])(xrange|raw_input|unicode|basestring)[ \t]*\(")
# Names that numpy 1.24 or 2.0 removed (`bool` came back), with their replacements.
_REMOVED = {
    "float": "float",
    "int": "int",
    "bool": "bool",
    "object": "object",
    "complex": "complex",
    "str": "str",
    "unicode": "str",
    "float_": "np.float64",
    "complex_": "np.complex128",
    "unicode_": "np.str_",
    "string_": "np.bytes_",
    "Inf": "np.inf",
    "Infinity": "np.inf",
    "infty": "np.inf",
    "PINF": "np.inf",
    "NINF": "-np.inf",
    "NaN": "np.nan",
    "NAN": "np.nan",
    "product": "np.prod",
    "cumproduct": "np.cumprod",
    "alltrue": "np.all",
    "sometrue": "np.any",
    "asscalar": "value.item()",
    "mat": "np.asmatrix",
    "round_": "np.round",
    "msort": "np.sort",
    "asfarray": "np.asarray",
    "cast": "np.asarray",
    "find_common_type": "np.result_type",
}
_NUMPY_NAME = re.compile(rf"(?<![\w.])(?:np|numpy)\.({'|'.join(_REMOVED)})(?!\w)")
_SHOWN_LINES = 5


def find_defined_names(text: str) -> frozenset[str]:
    """Find the names that the text defines at its top level by def, class or assignment."""
    return frozenset(first or second for first, second in _DEFINITION.findall(_blank_comments_and_strings(text)))


def find_python2(text: str) -> int | None:
    """Return the line of the first code that only Python 2 runs; None if there is none."""
    if not _PYTHON_2.search(text):
        return None
    code = _blank_comments_and_strings(text)
    found = _PYTHON_2.search(code)
    return _count_line(code, found.end() - 1) if found else None


def note_obsolete_names(text: str) -> tuple[str, ...]:
    """Write notes for the student on names that Python 3 or numpy no longer has."""
    if not (_PYTHON_2_CALL.search(text) or _NUMPY_NAME.search(text)):
        return ()
    code = _blank_comments_and_strings(text)
    defined = set(re.findall(r"\b(\w+)[ \t]*=(?!=)|\b(?:import|as)[ \t]+(\w+)", code))
    own = {name for pair in defined for name in pair}
    notes = [
        f"uses {name}, which only Python 2 has{where}: write {_PYTHON_2_NAMES[name]}"
        for name, where in _find_uses(_PYTHON_2_CALL, code)
        if name not in own
    ]
    notes += [
        f"uses np.{name}, which not every version of numpy has{where}: write {_REMOVED[name]}"
        for name, where in _find_uses(_NUMPY_NAME, code)
    ]
    return tuple(notes)


def _find_uses(pattern: re.Pattern[str], code: str) -> Iterator[tuple[str, str]]:
    lines: dict[str, list[int]] = {}
    number, position = 1, 0
    for found in pattern.finditer(code):
        number += code.count("\n", position, found.start())
        position = found.start()
        lines.setdefault(found.group(1), []).append(number)
    for name in sorted(lines):
        several = list(dict.fromkeys(lines[name]))
        shown = ", ".join(map(str, several[:_SHOWN_LINES])) + (", ..." if len(several) > _SHOWN_LINES else "")
        yield name, f" (line {shown})" if len(several) == 1 else f" (lines {shown})"


def _count_line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _blank_comments_and_strings(text: str) -> str:
    """Drop comments and the insides of strings; line numbers stay the same."""
    kept: list[str] = []
    start, closer = 0, ""  # `closer` ends the current string or comment
    for token in _TOKEN.finditer(text):
        found = token.group()
        if not closer:
            kept.append(text[start : token.start()])
            closer = found if found[0] in "\"'" else "\n" if found == "#" else ""
            kept.append("" if found == "#" else found)
        elif _is_end(closer, found):
            kept.append("\n" if closer == "\n" else closer + "\n" if found == "\n" else closer)
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
