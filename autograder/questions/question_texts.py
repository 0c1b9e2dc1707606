"""Question texts: turns a draft of a question into the texts of its four files and its table in assignment.toml."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.assignment import Question
from autograder.contracts import Contract, SignatureError
from autograder.contracts.signature import Argument, ArrayKind, ScalarKind, Signature
from autograder.questions.contract_draft import DraftedClass, DraftedContract
from autograder.questions.first_mistakes import FirstMistake
from autograder.questions.right_solution import EXAMPLE, Solution


@dataclass(frozen=True)
class Draft:
    """A question to be written; `number`: of its checks, before the dot; `points`: of each function."""

    question: Question
    solution: Solution
    contracts: Sequence[DraftedContract]
    mistakes: Sequence[FirstMistake]
    number: int
    points: Sequence[float]

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
    for each in draft.contracts:
        lines += ["", "  [[questions.functions]]", f'  name = "{each.name}"']
    return "\n".join(lines) + "\n"


def write_row(draft: Draft) -> str:
    """Write the row of the table in the students' README."""
    names = ", ".join(f"`{each.name}`" for each in draft.contracts)
    return f"| {draft.stem} | `{draft.question.files[0]}` | {draft.question.points:g} | {names} |"


def write_template(draft: Draft) -> str:
    """Write the students' file."""
    return draft.solution.write_template(draft.stem, {each.name.partition(".")[0] for each in draft.contracts})


def write_hidden(draft: Draft) -> str:
    """Write the contract of each function, and its rows."""
    owners = list({each.owner.name: each.owner for each in draft.contracts if each.owner is not None}.values())
    functions = [each for each in draft.contracts if each.owner is None]
    names = [*["Action"] * bool(owners), "Check", *["Contract"] * bool(functions), *["ObjectContract"] * bool(owners)]
    head = (
        f'"""Hidden tests of {draft.stem}: {draft.question.title}."""\n\n'
        "from gradescope_utils.autograder_utils.decorators import number, visibility, weight\n\n"
        f"from autograder.authoring import {', '.join(names)}\nfrom reference import {draft.stem} as reference\n"
    )
    contracts = "\n".join([*map(_write_contract, functions), *map(_write_class, owners)])
    return "\n\n".join([f"{head}\n{contracts}\n", *_write_checks(draft)])


def write_mistakes(draft: Draft) -> str:
    """Write the first known mistakes."""
    head = f'"""Known wrong answers of {draft.stem}."""\n'
    head += "\nfrom tests.mistakes import mistake_edit\n" * bool(draft.mistakes)
    return "\n".join([head, *map(_write_mistake, draft.mistakes)])


def _write_contract(each: DraftedContract) -> str:
    name, options = (
        each.name,
        [_write_option(*item, each.options) for item in _OPTIONS.items() if item[0] in each.options],
    )
    joined = ", ".join([f"reference.{name}", json.dumps(each.text), *options])
    if len(f"{name} = Contract({joined})") <= _LONGEST and "#" not in joined:
        return f"{name} = Contract({joined})"
    lines = _wrap_signature(each.text)
    text = f'"{lines[0]}"' if len(lines) == 1 else '"""' + "\n       ".join(lines) + '"""'
    items = [item.partition("  #") for item in (f"reference.{name}", text, *options)]
    return f"{name} = Contract(\n" + "".join(f"    {item},{''.join(comment)}\n" for item, *comment in items) + ")"


def _wrap_signature(text: str) -> list[str]:
    """Break the text of a contract's signature at commas, `->` and `where` into lines that fit."""
    if len(text) <= _LONGEST - len('    "",'):
        return [text]
    parts = text.replace(" -> ", "\0-> ").replace(" where ", "\0where ").split("\0")
    return [line for part in parts for line in _wrap_part(part, _LONGEST - len('       """'))]


def _wrap_part(part: str, width: int) -> Iterator[str]:
    line = ""
    for piece in part.split(", "):
        joined = f"{line}, {piece}" if line else piece
        if len(joined) > width and line:
            yield line + ","
            line = piece
        else:
            line = joined
    yield line


def _write_option(name: str, comment: str, options: Mapping[str, Any]) -> str:
    value = options[name]
    written = value.name if isinstance(value, Contract) else "True" if value is True else json.dumps(value)
    return f"{name}={written}{comment}"


def _write_class(each: DraftedClass) -> str:
    lines = [f"{each.name} = ObjectContract(", f"    reference.{each.name},", f"    start={json.dumps(each.start)},"]
    lines += ["    state=(),", "    actions={"]
    for method, action in each.actions.items():
        after = f", after={json.dumps(list(action.after))}" if action.after else ""
        lines.append(f"        {json.dumps(method)}: Action({json.dumps(action.signature)}{after}),")
    return "\n".join([*lines, "    },", ")"])


def _write_checks(draft: Draft) -> Iterator[str]:
    place = 0
    for each, points in zip(draft.contracts, draft.points, strict=True):
        for row, worth in zip(each.rows, each.share_points(points), strict=True):
            place += 1
            ending = "" if row.kind == "ordinary" else f"_{row.kind}"
            lines = [
                f"@weight({worth:g})",
                f'@number("{draft.number}.{place}")',
                f'@visibility("{"after_due_date" if row.kind == "everywhere" else "visible"}")',
                f"def test_{each.name.replace('.', '_')}{ending}() -> Check:",
                f'    """{each.name}: {row.title}"""',
                f"    return {each.expression}.{row.kind}()",
                "",
            ]
            yield "\n".join(lines)


def _write_mistake(each: FirstMistake) -> str:
    edit = f"    {{{json.dumps(each.old)}: {json.dumps(each.new)}}},"
    if len(edit) > _LONGEST:
        edit = f"    {{\n        {json.dumps(each.old)}: {json.dumps(each.new)},\n    }},"
    breaks = ", ".join(json.dumps(part) for part in each.breaks)
    lines = [
        f"{each.id} = mistake_edit(",
        f'    "{each.function}",',
        edit,
        f'    severity="{each.severity}",',
        f"    story={json.dumps(each.story)},",
        f"    hint={json.dumps(each.hint)},",
        f"    breaks=[{breaks}],",
        ")",
    ]
    return "\n".join(lines) + "\n"


def write_example(stem: str, title: str, signatures: Sequence[Signature]) -> str:
    """Write functions of arrays and numbers that depend on each argument; SignatureError for other signatures."""
    head = f'"""Right solution of {stem}: {title}."""\n\nimport numpy as np\n'
    return "\n\n".join([head, *(_write_function(each) for each in signatures)])


def _write_function(signature: Signature) -> str:
    first, *others = (each.name for each in signature.arguments)
    more = "".join(f" + np.square({name}).sum() / 2" for name in others)
    if not all(map(_is_plain, signature.arguments)) or not isinstance(signature.arguments[0].kind, ArrayKind):
        raise SignatureError(_refuse(signature))
    formula = "1 / (1 + exp(-x))"
    if len(signature.parts) == 1:
        body = f"    return 1 / (1 + np.exp(-{first})){more}\n"
    elif len(signature.parts) == 2 and signature.parts[0].kind == ScalarKind("float"):
        formula = "sum_i log(1 + exp(x_i))"
        body = f"    loss = np.logaddexp(0, {first}).sum(){more}\n    return loss, 1 / (1 + np.exp(-{first}))\n"
    else:
        raise SignatureError(_refuse(signature))
    names = ", ".join(each.name for each in signature.arguments)
    returned = " and ".join(each.name for each in signature.parts)
    lines = (f'"""{EXAMPLE}', "", f"Returns {returned}.", f"Formula: `{formula}`")
    docstring = textwrap.indent("\n".join([*lines, "Derivation: an example has none.", '"""']), "    ")
    return f"def {signature.name}({names}):\n{docstring}\n{body}"


def _is_plain(argument: Argument) -> bool:
    kind = argument.kind
    return isinstance(kind, ScalarKind) or (isinstance(kind, ArrayKind) and kind.entries == "real" and not kind.below)


def _refuse(signature: Signature) -> str:
    return (
        f"{signature.name}: an example is written for functions of arrays and numbers that return one array of the "
        "first argument's shape, or a loss and its gradient; give the right solution as --reference FILE"
    )


_LONGEST = 120  # characters of a line
_OPTIONS = {  # of contracts, each with the comment behind it
    "made_by": "",
    "gradients": "",
    "stable_in": "  # entries of 1000 have to give finite values; delete this where the text asks for no care",
    "avoids_jumps": "  # no case at a tie or a kink, where right solutions may differ",
}
