"""Question texts: turns a draft of a question into the texts of its four files and its table in assignment.toml."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.assignment import Question
from autograder.questions.signature import Argument, Signature, choose_sizes

_KINDS = ("values", "gradient", "sizes")
_VISIBLE, _VALUES_OF_LOSS = (
    0.4,
    0.3,
)  # shares of a function's points: about two fifths are visible, see docs/questions.md
EXAMPLE = "An example, to be replaced by what the question asks for."


@dataclass(frozen=True)
class Draft:
    """A question to be written; `number`: of its checks, before the dot; `points`: of each function."""

    question: Question
    signatures: tuple[Signature, ...]
    number: int
    points: tuple[float, ...]

    @property
    def stem(self) -> str:
        """The question's id."""
        return self.question.stem


def write_entry(draft: Draft) -> str:
    """Write the table in assignment.toml."""
    lines = [
        "[[questions]]",
        f'stem = "{draft.stem}"',
        f"title = {json.dumps(draft.question.title)}",
        f"points = {draft.question.points:g}",
        f'files = ["{draft.question.files[0]}"]',
    ]
    for each in draft.signatures:
        lines += ["", "  [[questions.functions]]", f'  name = "{each.name}"']
    return "\n".join(lines) + "\n"


def write_row(draft: Draft) -> str:
    """Write the row of the table in the students' README."""
    names = ", ".join(f"`{each.name}`" for each in draft.signatures)
    return f"| {draft.stem} | `{draft.question.files[0]}` | {draft.question.points:g} | {names} |"


def write_reference(draft: Draft) -> str:
    """Write the right solution: an example that depends on every argument."""
    head = f'"""Right solution of {draft.stem}: {draft.question.title}."""\n\nimport numpy as np\n'
    types = "from numpy.typing import NDArray\n\nArray = NDArray[np.float64]\n"
    return "\n\n".join([head + types, *(_write_solution(each) for each in draft.signatures)])


def write_template(draft: Draft) -> str:
    """Write the students' file."""
    head = f'"""{draft.question.title}."""\n\nimport numpy as np  # noqa: F401  (for your code)\n'
    return "\n\n".join([head, *(_write_stub(draft.stem, each) for each in draft.signatures)])


def write_hidden(draft: Draft) -> str:
    """Write a visible check and a hidden one for each function, and a gradient check for each loss."""
    losses = any(each.is_loss for each in draft.signatures)
    names = "Point, Student, checks, gradient_check" if losses else "Student, checks"
    head = f'"""Hidden tests of {draft.stem}: {draft.question.title}."""\n\n'
    head += "from collections.abc import Sequence\n\n" if losses else ""
    head += (
        "import numpy as np\n"
        "from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight\n\n"
        f"from autograder.authoring import {names}\nfrom reference import {draft.stem} as reference\n"
    )
    return "\n\n".join([head, *_write_checks(draft)])


def write_mistakes(draft: Draft) -> str:
    """Write a mistake for each function, which its checks catch whatever the function computes."""
    names = ", ".join(sorted(each.name for each in draft.signatures))
    head = f'"""Known wrong answers of {draft.stem}."""\n\n'
    head += f"from reference.{draft.stem} import {names}\nfrom tests.mistakes import mistake\n"
    return "\n\n".join([head, *(_write_mistake(each) for each in draft.signatures)])


def _write_solution(each: Signature) -> str:
    first, *others = (argument.name for argument in each.arguments)
    more = "".join(f" + np.square({name}).sum() / 2" for name in others)
    shapes = ", ".join(f"{argument.name} {argument.shape}" for argument in each.arguments)
    arguments = ", ".join(f"{argument.name}: {_get_type(argument)}" for argument in each.arguments)
    shown = each.arguments[0].shape
    if each.is_loss:
        kind, returned, formula = "tuple[float, Array]", f"the loss and its gradient {shown}", "sum_i log(1 + exp(x_i))"
        body = f"    loss = np.logaddexp(0, {first}).sum(){more}\n"
        body += f"    return float(loss), 1 / (1 + np.exp(-{first}))  # {shown}"
    else:
        kind, returned, formula = "Array", f"an array {shown}", "1 / (1 + exp(-x))"
        body = f"    value: Array = 1 / (1 + np.exp(-{first})){more}  # {shown}\n    return value"
    lines = [
        EXAMPLE,
        "",
        f"Shapes: {shapes}; returns {returned}.",
        f"Formula: `{formula}`",
        "Derivation: an example has none.",
    ]
    text = textwrap.indent("\n".join(lines), "    ").lstrip()
    return f'def {each.name}({arguments}) -> {kind}:\n    """{text}\n    """\n{body}\n'


def _write_stub(stem: str, each: Signature) -> str:
    lines = [f"    {argument.name}: {argument.shape}." for argument in each.arguments]
    shape = each.arguments[0].shape
    returns = f"the loss, a number, and its gradient {shape}" if each.is_loss else f"an array {shape}"
    parts = [EXAMPLE, "", "Arguments:", *lines, "", "Returns:", f"    {returns}."]
    docstring = textwrap.indent("\n".join(parts), "    ").lstrip()
    body = f'    ### YOUR CODE HERE\n    raise NotImplementedError("{stem}.{each.name} is not written yet")\n'
    return f'def {each.name}({each.names}):\n    """{docstring}\n    """\n{body}    ### END YOUR CODE\n'


def _write_checks(draft: Draft) -> Iterator[str]:
    """Write the checks of each function: two of its values, and the gradient check of a loss between them."""
    place = 0
    for each, points in zip(draft.signatures, draft.points, strict=True):
        shown = round(points * (_VALUES_OF_LOSS if each.is_loss else _VISIBLE), 2)
        checks = [(shown, "visible", _write_value_check(draft, each, "values"))]
        if each.is_loss:
            gradient = round(points * (_VISIBLE - _VALUES_OF_LOSS), 2)
            checks.append((gradient, "visible", _write_gradient_check(draft, each)))
        left = round(points - sum(worth for worth, *_ in checks), 2)
        for worth, visibility, lines in (*checks, (left, "after_due_date", _write_value_check(draft, each, "sizes"))):
            place += 1
            marks = [f"@weight({worth:g})", f'@number("{draft.number}.{place}")', f'@visibility("{visibility}")']
            yield "\n".join([*marks, f'@tags("{each.name}")', *lines]) + "\n"


def _write_value_check(draft: Draft, each: Signature, kind: str) -> list[str]:
    asked = f"{draft.stem}.{each.name}({each.names})"
    title = f"{each.name}: {'values' if kind == 'values' else 'other values and sizes'}"
    start = [f"def test_{each.name}_{kind}(student: Student) -> None:", f'    """{title}"""', *_draw(draft, each, kind)]
    if not each.is_loss:
        expected = f"reference.{each.name}({each.names})"
        return [*start, f'    checks.close("{each.name}({each.names})", student.{asked}, {expected})']
    return [
        *start,
        f'    loss, gradient = checks.parts("{each.name}", student.{asked}, ("loss", "gradient"))',
        f"    right_loss, right_gradient = reference.{each.name}({each.names})",
        '    checks.close("loss", loss, right_loss)',
        '    checks.close("gradient", gradient, right_gradient)',
    ]


def _write_gradient_check(draft: Draft, each: Signature) -> list[str]:
    stem = draft.stem
    first, *others = (argument.name for argument in each.arguments)
    given = ", ".join(['point["gradient"]', *others]) + ("" if others else ",")
    return [
        f"def test_{each.name}_own_gradient(student: Student) -> None:",
        f'    """{each.name}: gradient check, the gradient beside your own loss"""',
        *_draw(draft, each, "gradient"),
        f"    got = student.{stem}.{each.name}({each.names})",
        f'    _, gradient = checks.parts("{each.name}", got, ("loss", "gradient"))',
        "",
        "    def evaluate(points: Sequence[Point]) -> list[object]:",
        f"        values = student.{stem}.{each.name}.each([({given}) for point in points])",
        f'        return [checks.parts("{each.name}", value, ("loss", "gradient"))[0] for value in values]',
        "",
        f'    gradient_check.require_own_gradient({{"gradient": gradient}}, {{"gradient": {first}}}, evaluate)',
    ]


def _draw(draft: Draft, each: Signature, kind: str) -> Iterator[str]:
    """Write the lines that draw the inputs of a check; no two checks have the same."""
    place = draft.signatures.index(each)
    sizes = choose_sizes(draft.signatures, is_other=kind == "sizes")
    yield f"    rng = np.random.default_rng({100 * draft.number + 10 * place + _KINDS.index(kind)})"
    for argument in each.arguments:
        if argument.kind == "array":
            shape = ", ".join(str(sizes.get(axis, axis)) for axis in argument.axes)
            yield f"    {argument.name} = rng.normal(size=({shape}{',' if len(argument.axes) == 1 else ''}))"
        else:
            number = "rng.uniform(0.1, 0.9)" if argument.kind == "float" else str(2 + _KINDS.index(kind))
            yield f"    {argument.name} = {number}"


def _write_mistake(each: Signature) -> str:
    caught = [f"test_{each.name}_{kind}" for kind in ("values", *(["own_gradient"] if each.is_loss else []), "sizes")]
    story, body = (
        (
            "Returns twice the gradient.",
            f"    loss, gradient = {each.name}({each.names})\n    return loss, 2 * gradient",
        )
        if each.is_loss
        else ("Returns twice the right value.", f"    return 2 * {each.name}({each.names})")
    )
    lines = [
        "@mistake(",
        f'    "{each.name}",',
        '    severity="fundamental",',
        f'    story="{story}",',
        '    hint="Which entries of your result should not be 0?",',
        f"    caught_by={json.dumps(caught)},",
        ")",
        f"def {each.name.lower()}_of_zeros({each.names}):",
        body,
    ]
    return "\n".join(lines) + "\n"


def _get_type(argument: Argument) -> str:
    return "Array" if argument.kind == "array" else argument.kind
