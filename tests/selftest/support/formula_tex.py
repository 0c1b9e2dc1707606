"""Formula TeX: turns a formula in the plain notation of the reference's docstrings into TeX.

The notation is that of numpy, with a few signs of mathematics:

    U v_c, W2.T, 2 n          a product of matrices or numbers        u_o . v_c       a dot product
    a * b                     entry by entry                          a / b           a fraction; products bind tighter
    W_ji, h_{k-1}, y_hat[o]   indices                                 dJ/dv_c         a partial derivative
    sum_w, sum_{i=1..t}       sums                                    1{w = o}        1 where it is true, 0 elsewhere
    ||x||, E[x], 2^n          norm, expectation, power                m'              a prime

A name of several letters has to be listed below, so that prose between the marks of a formula is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

GREEK_AND_OPERATORS = ("theta", "gamma", "beta", "delta", "alpha", "exp", "log", "max", "min", "sum")
SYMBOLS = {
    **{name: rf"\{name}" for name in GREEK_AND_OPERATORS},
    "Dx": "D_x",
    "Dy": "D_y",
    "E": r"\mathbb{E}",
    "cross_entropy": r"\mathrm{CE}",
    "eps": r"\epsilon",
    "learning_rate": r"\eta",
    "relu": r"\mathrm{ReLU}",
    "sigmoid": r"\sigma",
    "softmax": r"\mathrm{softmax}",
}
OPERATORS = (r"\exp", r"\log", r"\max", r"\min", r"\sum")
WORDS = frozenset(
    {"CE", "cost", "data", "diag", "drop", "grad", "label", "labels", "logaddexp", "logits", "mask", "outsideWords"}
    | {"postprocessing", "shifted", "step", "transition", "uniform"}
)
RELATIONS = {"=": "=", "<": "<", ">": ">", "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "in": r"\in", ",": ","}
SUBSCRIPT = r"(?:\{[^{}]*\}|[A-Za-z0-9]+'*)"
NAME = rf"(?:learning_rate|cross_entropy|[A-Za-z]+)(?:_hat)?\d*'*(?:_{SUBSCRIPT}(?:,{SUBSCRIPT})*)?"
OPERAND = rf"(?:\((?:[^()]|\([^()]*\))*\)|{NAME})"
TOKEN = re.compile(
    rf"(?P<space>\s*)(?:(?P<derivative>(?<!\w)d{OPERAND} ?/ ?d{OPERAND})|(?P<indicator>1\{{)|(?P<number>\d+(?:\.\d+)?)"
    rf"|(?P<relation><=|>=|!=|[=<>,]|in(?!\w))|(?P<name>{NAME})|(?P<subscript>_{SUBSCRIPT}(?:,{SUBSCRIPT})*)"
    r"|(?P<sign>\.\.\.|\|\||\.T|[-+*/^.()\[\]{}]))"
)
BRACES, ROUND_BRACKETS = r"\{[^{}]*\}", r"\([^()]*\)"
FACTORS = {"derivative", "indicator", "number", "name"}


class FormulaError(ValueError):
    """A formula is not in the notation; the text says where."""


def typeset(formula: str) -> str:
    """Return the TeX of a formula."""
    reader = _Reader(formula)
    tex = reader.read()
    if reader.token:
        raise reader.describe_error()
    return tex


class _Reader:
    """Reads a formula from left to right; each method returns the TeX of what it has read."""

    def __init__(self, formula: str) -> None:
        self.formula = formula
        self.position = 0
        self.depth = 0  # of norms, whose two marks are equal
        self.move_on()

    def move_on(self) -> None:
        """Go to the next token; at the end, to the empty one."""
        self.start = self.position
        found = TOKEN.match(self.formula, self.position)
        if found is None and self.formula[self.position :].strip():
            raise self.describe_error()
        self.kind = str(found.lastgroup) if found else ""
        self.token = found[self.kind] if found else ""
        self.follows_directly = bool(found) and not found["space"]
        self.position = found.end() if found else len(self.formula)

    def describe_error(self) -> FormulaError:
        """Describe where the notation is left."""
        return FormulaError(f"{self.formula!r} is not a formula from {self.formula[self.start :]!r} on")

    def take(self, token: str) -> None:
        """Go past a token that has to be there."""
        if self.token != token:
            raise self.describe_error()
        self.move_on()

    def read(self, level: int = 0) -> str:
        """Read what the operators of a level, and of those that bind tighter, join."""
        if level == len(OPERATIONS):
            return self.read_product()
        sign = "-" if level == OF_SUMS and self.token == "-" else ""
        if sign:
            self.move_on()
        tex = sign + self.read(level + 1)
        while write := OPERATIONS[level].get(self.token):
            self.move_on()
            tex = write(tex, self.read(level + 1))
        return tex

    def read_product(self) -> str:
        factors = [self.read_power()]
        while self.kind in FACTORS or self.token in (".", "(") or (self.token == "||" and not self.depth):
            is_dot, is_called = self.token == ".", self.token == "(" and self.follows_directly
            if is_dot:
                self.move_on()
            is_operator = factors[-1].startswith(OPERATORS)
            factors.append(r" \cdot " if is_dot else "" if is_called else " " if is_operator else r" \, ")
            factors.append(self.read_power())
        return "".join(factors)

    def read_power(self) -> str:
        tex = self.read_factor()
        while self.token in ("^", ".T") or self.kind == "subscript" or (self.token == "[" and self.follows_directly):
            if self.token == "^":
                self.move_on()
                tex = f"{tex}^{{{_strip_brackets(self.read_factor())}}}"
            elif self.token == ".T":
                self.move_on()
                tex = rf"{tex}^\top"
            elif self.kind == "subscript":
                if not tex.endswith(")"):
                    raise self.describe_error()
                tex = f"{tex}_{{{_write_subscripts(self.token[1:])}}}"
                self.move_on()
            else:
                index = self.read_between("[", "]")
                tex = f"{tex}[{index}]" if tex == SYMBOLS["E"] else f"{tex}_{{{index}}}"
        return tex

    def read_factor(self) -> str:
        kind, token = self.kind, self.token
        if token == "(":
            return _bracket(self.read_between("(", ")"))
        if token == "||":
            return self.read_norm()
        if kind == "indicator":
            return rf"\mathbf{{1}}\{{{self.read_between(token, '}')}\}}"
        if kind not in FACTORS and token != "...":
            raise self.describe_error()
        if token in ("sqrt", "floor", "outer"):
            return self.read_call(token)
        write = {"number": str, "name": _write_name, "derivative": _write_derivative}.get(kind)
        tex = write(token) if write else r"\ldots"
        self.move_on()
        return tex

    def read_between(self, opening: str, closing: str) -> str:
        self.take(opening)
        tex = self.read()
        self.take(closing)
        return tex

    def read_norm(self) -> str:
        self.take("||")
        self.depth += 1
        tex = self.read(OF_SUMS)
        self.depth -= 1
        self.take("||")
        return rf"\lVert {tex} \rVert"

    def read_call(self, name: str) -> str:
        """Read a function that has a notation of its own."""
        self.move_on()
        self.take("(")
        first = self.read(OF_SUMS)
        if name == "outer":
            self.take(",")
            first = rf"{_bracket_sum(first)} \, {_bracket_sum(self.read(OF_SUMS))}^\top"
        self.take(")")
        return {"sqrt": rf"\sqrt{{{first}}}", "floor": rf"\lfloor {first} \rfloor"}.get(name, first)


def _bracket(tex: str) -> str:
    if tex.startswith(r"\frac") and not re.search(r"[^{}]", _remove(BRACES, tex.removeprefix(r"\frac"))):
        return tex
    return rf"\left({tex}\right)" if r"\frac" in tex or r"\sum_" in tex else f"({tex})"


def _bracket_sum(tex: str) -> str:
    return _bracket(tex) if re.search(r" [-+] ", _remove(BRACES, tex)) else tex


def _strip_brackets(tex: str) -> str:
    """Take the outer brackets away, if one pair encloses everything."""
    opening, closing = (r"\left(", r"\right)") if tex.startswith(r"\left(") else ("(", ")")
    inner = tex[len(opening) : -len(closing)]
    is_enclosed = (
        tex.startswith(opening) and tex.endswith(closing) and re.fullmatch(r"[^()]*", _remove(ROUND_BRACKETS, inner))
    )
    return inner if is_enclosed else tex


def _remove(pattern: str, tex: str) -> str:
    """Remove what stands between brackets of a kind."""
    shorter = re.sub(pattern, "", tex)
    return tex if shorter == tex else _remove(pattern, shorter)


def _write_fraction(above: str, below: str) -> str:
    return rf"\frac{{{_strip_brackets(above)}}}{{{_strip_brackets(below)}}}"


def _write_relation(tex: str, left: str, right: str) -> str:
    return f"{left} {tex} {right}".replace(" ,", ",")


# What writes two operands of each operator, from those that bind least.
OPERATIONS: tuple[dict[str, Callable[[str, str], str]], ...] = (
    {sign: partial(_write_relation, tex) for sign, tex in RELATIONS.items()},
    {"+": "{} + {}".format, "-": "{} - {}".format},
    {"*": r"{} \odot {}".format},
    {"/": _write_fraction},
)
OF_SUMS = 1


def _write_name(name: str) -> str:
    base, hat, digits, primes, subscripts = re.fullmatch(
        rf"(learning_rate|cross_entropy|[A-Za-z]+?)(_hat)?(\d*)('*)(?:_({SUBSCRIPT}(?:,{SUBSCRIPT})*))?", name
    ).groups("")
    indices = ",".join(filter(None, [digits, _write_subscripts(subscripts)]))
    symbol = _write_symbol(base, name) + primes
    if hat:
        symbol = rf"\hat{{{symbol}}}"
    if base == "sum" and "=" in indices and r"\ldots" in indices:
        indices, last = re.split(r" *\\ldots *", indices)
        return rf"\sum_{{{indices}}}^{{{last}}}"
    return f"{symbol}_{{{indices}}}" if indices else symbol


def _write_symbol(base: str, name: str) -> str:
    if len(base) > 1 and base not in SYMBOLS and base not in WORDS:
        raise FormulaError(f"{name!r} is no name of the notation; add it to {__name__}, or write prose outside")
    return SYMBOLS.get(base, base if len(base) == 1 else rf"\mathrm{{{base}}}")


def _write_subscripts(text: str) -> str:
    return ",".join(_write_subscript(part) for part in re.findall(SUBSCRIPT, text))


def _write_subscript(part: str) -> str:
    if part.startswith("{"):
        first, dots, last = part[1:-1].partition("..")
        return typeset(first) + (rf" \ldots {typeset(last)}" if dots else "")
    return rf"\mathrm{{{part}}}" if part in WORDS else part


def _write_derivative(token: str) -> str:
    above, below = re.fullmatch(rf"d({OPERAND}) ?/ ?d({OPERAND})", token).groups()
    return rf"\frac{{\partial {typeset(above)}}}{{\partial {typeset(below)}}}"
