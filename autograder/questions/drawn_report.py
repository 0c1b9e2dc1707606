"""Drawn report: says what was drawn for a contract: a call with its right answer, and what its cases leave open."""

from __future__ import annotations

import ast
import linecache
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from types import CodeType, FrameType, ModuleType
from typing import Any

import numpy as np

from autograder.contracts.body import DerivedCheck
from autograder.contracts.call_values import name_leaves
from autograder.contracts.case import Case
from autograder.contracts.check import CaseCheck
from autograder.mistakes.mistake import read_text
from autograder.programs.program import run_program
from autograder.questions.contract_draft import DraftedContract
from autograder.questions.driver_draft import find_function

_FEW_INPUTS, _FEW_ENTRIES = 10, 2
_MOST = 0.8  # of the inputs, with one answer
_SHOWN = 150  # characters of a value


def describe_drawn(module: ModuleType, contract: DraftedContract, rows: Sequence[DerivedCheck]) -> str:
    """Describe the cases of a contract's rows; `module`: of the right solution."""
    cases = [case for row in rows if isinstance(row, CaseCheck) for case in row.cases]
    with np.printoptions(precision=4, suppress=True):
        call = _write_call(contract, cases[0])
        notes = [*_find_common(cases), *_find_unreached(module, contract.name, cases)]
    notes += [*_find_integers(module, contract), *_find_unread(module, contract), *_find_unchecked(contract)]
    return "\n".join([call, *(f"    look: {each}" for each in notes)])


def _write_call(contract: DraftedContract, case: Case) -> str:
    names = [each.name for each in contract.contract.parsed.arguments]
    given = [f"{name}={_show(value)}" for name, value in zip(names, case.arguments, strict=False)]
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
        ((answer, times),) = Counter(map(_show, answers)).most_common(1)
        entries = {entry for each in answers for entry in _list_entries(each)}
        if times >= _MOST * len(answers):
            yield f"{part} is {answer} for {times} of {len(answers)} inputs"
        elif len(entries) <= _FEW_ENTRIES and not entries <= {True, False}:
            yield f"{part} has no entries but {' and '.join(map(_show, sorted(entries, key=str)))}"


def _list_entries(value: Any) -> Iterator[Any]:
    for leaf in name_leaves("", value).values():
        yield from np.asarray(leaf).ravel().tolist()


def _find_unreached(module: ModuleType, name: str, cases: Sequence[Case]) -> Iterator[str]:
    """Find the lines of the right function that no case reaches."""
    code = find_function(module, name).__code__
    reached: set[int] = set()

    def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename != code.co_filename:
            return None
        reached.add(frame.f_lineno)
        return trace

    lines = set(_list_lines(code))
    before = sys.gettrace()
    for case in cases:
        sys.settrace(trace)
        try:
            run_program(case.program, vars(module).__getitem__)
        finally:
            sys.settrace(before)
        if lines <= reached:
            return
    for line in sorted(lines - reached):
        yield f"no case reaches line {line}: {linecache.getline(code.co_filename, line).strip()}"


def _list_lines(code: CodeType) -> Iterator[int]:
    """List the lines of a function and of those in it, but for their heads."""
    for _, _, line in code.co_lines():
        if line is not None and line != code.co_firstlineno:
            yield line
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _list_lines(each)


def _find_integers(module: ModuleType, contract: DraftedContract) -> Iterator[str]:
    """Find arrays that are drawn as reals, and that the right function compares with whole numbers."""
    reals = {each.name for each in contract.contract.parsed.arguments if each.kind.is_real}
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(read_text(module, contract.name))):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            right = node.comparators[0]
            if isinstance(right, ast.Constant) and type(right.value) is int:
                names = (each.id for each in ast.walk(node.left) if isinstance(each, ast.Name))
                found |= {name: ast.unparse(node) for name in names if name in reals}
    for name, text in found.items():
        yield f"{name} is drawn as reals, and your solution asks {text}: `{name}: (N,) < 2` is integers"


def _find_unread(module: ModuleType, contract: DraftedContract) -> Iterator[str]:
    """Find attributes that a method sets, no method reads, and no part is."""
    owner = contract.name.rpartition(".")[0]
    if not owner:
        return
    text = linecache.getlines(find_function(module, contract.name).__code__.co_filename)
    (found,) = (each for each in ast.parse("".join(text)).body if getattr(each, "name", "") == owner)
    nodes = [each for each in ast.walk(found) if isinstance(each, ast.Attribute)]
    read = {each.attr for each in nodes if isinstance(each.ctx, ast.Load)}
    parts = {each.name for each in contract.contract.parsed.parts}
    own = [each for each in ast.walk(ast.parse(read_text(module, contract.name))) if isinstance(each, ast.Attribute)]
    for name in dict.fromkeys(each.attr for each in own if isinstance(each.ctx, ast.Store)):
        if name not in read | parts:
            yield f"{name} is set and compared nowhere: name it behind `->`"


def _find_unchecked(contract: DraftedContract) -> Iterator[str]:
    """Find gradients, by their names, that no row has beside slopes."""
    parsed, checked = contract.contract.parsed, contract.contract.slopes.by
    names = {"grad", *(f"d{each.name}" for each in parsed.arguments)}
    for each in parsed.parts:
        if each.name in names and each.name not in checked:
            yield f"no row compares the gradient {each.name} with slopes"
