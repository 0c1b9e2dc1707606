"""Drawn report: says what was drawn for a contract: a call with its right answer, and what its cases leave open."""

from __future__ import annotations

import linecache
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from types import CodeType, FrameType, ModuleType
from typing import Any

import numpy as np

from autograder.contracts import Contract
from autograder.contracts.body import DerivedCheck
from autograder.contracts.call_values import name_leaves
from autograder.contracts.case import Case
from autograder.contracts.check import CaseCheck
from autograder.mistakes import read_text
from autograder.programs.program import run_program
from autograder.questions.contract_draft import DraftedContract
from autograder.questions.driver_draft import find_function

_FEW_INPUTS = 10
_SEED = "a report"
_MOST = 0.8  # of the inputs, with one answer
_SHOWN = 150  # characters of a value
_SET = re.compile(r"\bself\.(\w+) = ")


def describe_drawn(module: ModuleType, contract: DraftedContract, rows: Sequence[DerivedCheck]) -> str:
    """Describe the cases of a contract's rows; `module`: of the right solution."""
    cases: list[Case] = []
    for row in rows:
        if isinstance(row, CaseCheck):
            cases += row.cases
    with np.printoptions(precision=4, suppress=True):
        call = _write_call(contract, cases[0])
        notes = list(_find_common(cases))
        notes += _find_unreached(module, contract.name, cases)
    notes += _find_left_out(contract, cases)
    text = read_text(module, contract.name)
    file = find_function(module, contract.name).__code__.co_filename
    notes += _find_integers(contract, text)
    notes += _find_unread(contract, text, "".join(linecache.getlines(file)))
    notes += _find_undeclared(module, contract.name, text)
    notes += _find_unchecked(contract)
    return "\n".join([call, *(f"    look: {each}" for each in notes)])


def _write_call(contract: DraftedContract, case: Case) -> str:
    arguments = contract.contract.parsed.arguments
    given = []
    for argument, value in zip(arguments, case.arguments, strict=False):
        given.append(f"{argument.name}={_show(value)}")
    parts = [f"{part} = {_show(value)}" for part, value in case.expected.items()]
    return f"{contract.name}({', '.join(given)})\n    -> {', '.join(parts)}"


def _show(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."


def _find_common(cases: Sequence[Case]) -> Iterator[str]:
    """Find inputs that are few, and answers that are nearly always the same."""
    by_input = {repr(case.arguments): case.expected for case in cases}
    if len(by_input) < _FEW_INPUTS:
        yield f"only {len(by_input)} different inputs are drawn"
    for part in cases[0].expected:
        answers = [each[part] for each in by_input.values() if part in each]
        yield from _find_common_in_part(part, answers)


def _find_common_in_part(part: str, answers: Sequence[Any]) -> Iterator[str]:
    entries: Counter[Any] = Counter()
    for answer in answers:
        for leaf in name_leaves("", answer).values():
            entries.update(np.asarray(leaf).ravel().tolist())
    shown, times = Counter(map(_show, answers)).most_common(1)[0]
    if times >= _MOST * len(answers):
        yield f"{part} is {shown} for {times} of {len(answers)} inputs"
        return
    for entry, number in entries.most_common(1):
        if number >= _MOST * entries.total():
            yield f"{100 * number // entries.total()} % of the entries of {part} are {_show(entry)}"


def _find_left_out(contract: DraftedContract, cases: Sequence[Case]) -> Iterator[str]:
    """Find the cases at ties and kinks, which are left out."""
    options = {**contract.options}
    if options.pop("cases", None) is None:
        return
    whole = Contract(contract.contract.reference, contract.text, **options)
    every: Any = whole.derive("everywhere", _SEED)
    kept = {case.kinds[:1] for case in cases}
    left = []
    for case in every.cases:
        if case.kinds[:1] not in kept:
            left += case.kinds[:1]
    if left:
        yield f"left out, since answers jump there: {', '.join(left)}"


def _find_unreached(module: ModuleType, name: str, cases: Sequence[Case]) -> Iterator[str]:
    """Find the lines of the right function that no case reaches."""
    code = find_function(module, name).__code__
    reached: set[int] = set()

    def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename != code.co_filename:
            return None
        reached.add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for case in cases:
            run_program(case.program, vars(module).__getitem__)
    finally:
        sys.settrace(before)
    for line in sorted(set(_list_lines(code)) - reached):
        yield f"no case reaches line {line}: {linecache.getline(code.co_filename, line).strip()}"


def _list_lines(code: CodeType) -> Iterator[int]:
    """List the lines of a function and of those in it, but for their heads."""
    for _, _, line in code.co_lines():
        if line is not None and line != code.co_firstlineno:
            yield line
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _list_lines(each)


def _find_integers(contract: DraftedContract, text: str) -> Iterator[str]:
    """Find arguments that are drawn as reals, and that the right function compares with integers or has as an index."""
    arguments = contract.contract.parsed.arguments
    integers = [r"\d+", *re.findall(r"for (\w+) in range\(", text)]
    integers += [each.name for each in arguments if each.kind.is_size]
    for each in arguments:
        entry = rf"\b{each.name}(\[[^]]*\])?"
        equal, index = rf"{entry} *[=!]= *({'|'.join(integers)})\b(?![.[(])", rf"\w\[([^][]*, *)?{entry}\]"
        asked = re.search(rf"{equal}|{index}|(int|bincount)\({entry}\)|{entry}\.astype\(int\)", text)
        is_real = each.kind.is_real or each.kind.type == "float"
        if is_real and asked is not None:
            drawn = f"{each.name} is drawn as reals, and your solution asks {asked[0]}"
            yield f"{drawn}: integers are `(N,) < C`, `int (N,)` or `int`"


def _find_unread(contract: DraftedContract, text: str, module: str) -> Iterator[str]:
    """Find attributes that a method sets, that its module does not read, and that no part is."""
    parts = {each.name for each in contract.contract.parsed.parts}
    for name in dict.fromkeys(_SET.findall(text)):
        is_read = re.search(rf"\.{name}\b(?! = )", module)
        if name not in parts and not is_read:
            yield f"{name} is set and compared nowhere: name it behind `->`"


def _find_undeclared(module: ModuleType, name: str, text: str) -> Iterator[str]:
    """Find attributes that a method sets, and that its class does not declare."""
    class_name, _, _ = name.partition(".")
    owner = getattr(module, class_name)
    declared = getattr(owner, "__annotations__", ())
    names = {*_SET.findall(text)} - {*declared}
    if names:
        told = "an error in one of its methods may cost points in others, too"
        yield f"not declared in {class_name}: {', '.join(sorted(names))}; {told}"


def _find_unchecked(contract: DraftedContract) -> Iterator[str]:
    """Find gradients, by their names, that no row compares with slopes."""
    parsed, checked = contract.contract.parsed, contract.contract.slopes.by
    names = {"grad", "grads", *(f"d{each.name}" for each in parsed.arguments)}
    for each in parsed.parts:
        if each.name in names and each.name not in checked:
            yield f"no row compares the gradient {each.name} with slopes"
