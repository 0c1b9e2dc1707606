"""Question texts: turns a draft of a question into the texts of its four files and its table in assignment.toml."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from autograder.assignment import Question
from autograder.questions.signature import Argument, Signature, choose_sizes

EXAMPLE = "An example, to be replaced by what the question asks for."


class _Check(NamedTuple):
    """A check to be written; `kind`: the end of its test's name; `share`: of its function's points."""

    kind: str
    title: str
    share: float
    is_visible: bool = True

    @property
    def has_other_sizes(self) -> bool:
        return self.kind.endswith("sizes")


# About two fifths of the points are visible. The loss and the gradient have checks of their own, so that one of them
# that is wrong costs its own share: three tenths for the loss, eight for the gradient, with that of both together.
_OF_VALUES = (_Check("values", "values", 0.4), _Check("sizes", "other values and sizes", 0.6, is_visible=False))
_OF_LOSS = (
    _Check("loss", "the loss", 0.1),
    _Check("gradient", "the gradient", 0.2),
    _Check("own_gradient", "gradient check, the gradient beside your own loss", 0.1),
    _Check("loss_sizes", "the loss of other values and sizes", 0.1, is_visible=False),
    _Check("gradient_sizes", "the gradient of other values and sizes", 0.5, is_visible=False),
)


class _MistakePlan(NamedTuple):
    """A mistake to be written; `name`: the end of its id."""

    name: str
    severity: str
    story: str
    hint: str


_TWICE = _MistakePlan(
    "doubled",
    "misconception",
    "Returns twice the right value.",
    "Which factor of your result does the formula not have?",
)
_NEGATIVE_LOSS = _MistakePlan(
    "with_negative_loss",
    "slip",
    "Returns the loss with the wrong sign.",
    "Does your loss shrink when the prediction gets better?",
)
_TWICE_THE_GRADIENT = _MistakePlan(
    "with_doubled_gradient",
    "misconception",
    "Returns twice the gradient.",
    "Which factor of your gradient does the derivative not have?",
)


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
    """Write a visible check and a hidden one for each output of a function, and a gradient check for each loss."""
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
    """Write the mistakes of each function, which its checks catch whatever it computes, if that is not 0."""
    names = ", ".join(sorted(each.name for each in draft.signatures))
    head = f'"""Known wrong answers of {draft.stem}."""\n\n'
    head += f"from reference.{draft.stem} import {names}\nfrom tests.mistakes import mistake\n"
    return "\n\n".join([head, *(text for each in draft.signatures for text in _write_mistakes_of(each))])


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
    """Write the checks of each function; the last one gets what rounding leaves of its points."""
    place = 0
    for each, points in zip(draft.signatures, draft.points, strict=True):
        checks = _list_checks(each)
        weights = [round(points * check.share, 2) for check in checks[:-1]]
        for check, worth in zip(checks, (*weights, round(points - sum(weights), 2)), strict=True):
            place += 1
            visibility = "visible" if check.is_visible else "after_due_date"
            yield "\n".join(
                [
                    f"@weight({worth:g})",
                    f'@number("{draft.number}.{place}")',
                    f'@visibility("{visibility}")',
                    f'@tags("{each.name}")',
                    f"def test_{each.name}_{check.kind}(student: Student) -> None:",
                    f'    """{each.name}: {check.title}"""',
                    *_draw(draft, each, check),
                    f"    got = student.{draft.stem}.{each.name}({each.names})",
                    *_write_comparison(draft, each, check),
                    "",
                ]
            )


def _list_checks(each: Signature) -> tuple[_Check, ...]:
    return _OF_LOSS if each.is_loss else _OF_VALUES


def _write_comparison(draft: Draft, each: Signature, check: _Check) -> list[str]:
    right = f"reference.{each.name}({each.names})"
    if not each.is_loss:
        return [f'    checks.close("{each.name}({each.names})", got, {right})']
    if check.kind == "own_gradient":
        return _write_gradient_check(draft, each)
    part, place = ("loss", 0) if check.kind.startswith("loss") else ("gradient", 1)
    parts = "loss, _" if part == "loss" else "_, gradient"
    return [
        f'    {parts} = checks.parts("{each.name}", got, ("loss", "gradient"))',
        f'    checks.close("{part}", {part}, {right}[{place}])',
    ]


def _write_gradient_check(draft: Draft, each: Signature) -> list[str]:
    first, *others = (argument.name for argument in each.arguments)
    given = ", ".join(['point["gradient"]', *others]) + ("" if others else ",")
    return [
        f'    _, gradient = checks.parts("{each.name}", got, ("loss", "gradient"))',
        "",
        "    def evaluate(points: Sequence[Point]) -> list[object]:",
        f"        values = student.{draft.stem}.{each.name}.each([({given}) for point in points])",
        f'        return [checks.parts("{each.name}", value, ("loss", "gradient"))[0] for value in values]',
        "",
        f'    gradient_check.require_own_gradient({{"gradient": gradient}}, {{"gradient": {first}}}, evaluate)',
    ]


def _draw(draft: Draft, each: Signature, check: _Check) -> Iterator[str]:
    """Write the lines that draw the inputs of a check; no two checks have the same."""
    place, kind = draft.signatures.index(each), _list_checks(each).index(check)
    sizes = choose_sizes(draft.signatures, is_other=check.has_other_sizes)
    yield f"    rng = np.random.default_rng({100 * draft.number + 10 * place + kind})"
    for argument in each.arguments:
        if argument.kind == "array":
            shape = ", ".join(str(sizes.get(axis, axis)) for axis in argument.axes)
            yield f"    {argument.name} = rng.normal(size=({shape}{',' if len(argument.axes) == 1 else ''}))"
        else:
            number = "rng.uniform(0.1, 0.9)" if argument.kind == "float" else str(2 + kind)
            yield f"    {argument.name} = {number}"


def _write_mistakes_of(each: Signature) -> Iterator[str]:
    right = f"{each.name}({each.names})"
    if each.is_loss:
        asked = f"    loss, gradient = {right}\n"
        yield _write_mistake(each, _NEGATIVE_LOSS, f"{asked}    return -loss, gradient")
        yield _write_mistake(each, _TWICE_THE_GRADIENT, f"{asked}    return loss, 2 * gradient")
    else:
        yield _write_mistake(each, _TWICE, f"    return 2 * {right}")


def _write_mistake(each: Signature, plan: _MistakePlan, body: str) -> str:
    lines = [
        "@mistake(",
        f'    "{each.name}",',
        f'    severity="{plan.severity}",',
        f'    story="{plan.story}",',
        f'    hint="{plan.hint}",',
        f'    breaks=["{each.name}"],',
        ")",
        f"def {each.name.lower()}_{plan.name}({each.names}):",
        body,
    ]
    return "\n".join(lines) + "\n"


def _get_type(argument: Argument) -> str:
    return "Array" if argument.kind == "array" else argument.kind
