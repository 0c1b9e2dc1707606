"""Contract: what a function takes, returns and promises, said once; its checks are derived from it.

The inputs are made by four modules: `sizes.py` lists the sizes that are worth a case, such as N = 1, `kinds.py` the
styles and values of each kind of argument, `case_design.py` plans one case for each, and `case_maker.py` draws it.
"""

from __future__ import annotations

import inspect
import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from autograder import UserError
from autograder.contracts.body import Check, DerivedCheck, DerivesChecks
from autograder.contracts.case import EVERYWHERE, GRADIENT_CHECK, ORDINARY, ROBUST, STATE, Case, Named, Shares
from autograder.contracts.case_design import CaseDesign, list_everywhere, list_ordinary, plan_given
from autograder.contracts.case_maker import CaseMaker
from autograder.contracts.check import GROUP_SHARES, ORDINARY_SHARES, TOGETHER, CaseCheck, divide_row
from autograder.contracts.given import Given, require_known
from autograder.contracts.gradient_maker import make_gradient_check
from autograder.contracts.law import make_laws
from autograder.contracts.promised import Promised, telling
from autograder.contracts.random_cases import draw_designs, draw_family, is_special, join_cases, split_row
from autograder.contracts.row_table import RowTable, make_table, require_first
from autograder.contracts.signature import ContractError
from autograder.programs.calls import lay_out

_OF_CLASSES = "and is gone: write Contract(Class.method, ..., driver=function, cases=...)"
_OF_SOURCES = "and is gone: write make_toy(function)"
_TO_CASES = "and is gone: write cases=[Given(arguments, words"
_TO_RIGHT = "and is gone: write right="
_GONE: Mapping[str, str] = {
    "Action": f"Action described a method for ObjectContract, {_OF_CLASSES}",
    "beside": "beside ran a function next to the student's code, and is gone: write in_worker(student, function)",
    "CallbackSource": f"CallbackSource was the source of a callback, {_OF_SOURCES}",
    "ObjectContract": f"ObjectContract was the contract of a class, {_OF_CLASSES}",
    "Repeated": f"Repeated described a method for ObjectContract, {_OF_CLASSES}",
    "ServedObject": f"ServedObject was an object of the grader with methods, {_OF_SOURCES}",
    "made_by": "made_by named the contract of what makes a cache, and is gone: write a driver= that calls both",
    "accepts": f"accepts named other right functions, {_TO_RIGHT}{{words: InAllCases(function)}}",
    "also": f"also gave cases by their words, {_TO_CASES})]",
    "avoids_jumps": "avoids_jumps left out cases at ties and kinks, and is gone: "
    "write cases=[Where(JUMPS, group=LEFT_OUT)]",
    "gradient_of": "gradient_of named the contract of a loss, and is gone: "
    "write gradient=Slopes({part: argument}, of=driver)",
    "Point": "Point was the arrays that a loss depends on, and is gone: write gradient_check.list_moved(array)",
    "gradients": "gradients said which part is the gradient by which argument, and is gone: "
    "write gradient={part: argument}",
    "marks": "marks gave words to cases by a condition, and is gone: write cases=[Where(condition, words)]",
    "nearest": f"nearest named functions that return the nearest right value, {_TO_RIGHT}{{part: function}}",
    "own_gradient": "own_gradient was the row of gradients compared with the slopes of the own loss, and is gone: "
    'write gradient_check=("1.2", 1.5, "the gradient of your own loss")',
    "part_shares": "part_shares said what parts are worth, and is gone: write shares=",
    "predicate": f"predicate named functions that say what is wrong, {_TO_RIGHT}{{part: function}}",
    "read_callback_source": f"read_callback_source read the source of a callback, {_OF_SOURCES}",
    "robust_cases": f"robust_cases gave cases of robustness by their words, {_TO_CASES}, ROBUST)]",
    "robust_share": "robust_share said what robustness is worth, and is gone: write shares={ROBUST: 0.1}",
    "stable_in": "stable_in named arguments with huge entries, and is gone: write stable=[argument]",
    "unjudged": f"unjudged named parts that are not looked at in a case, {_TO_CASES}, unjudged=[part])], "
    "or stable={argument: [the parts that are judged]}",
}
_SPECIAL_CASES = 3  # of each kind that only the author or robustness has, among random cases
_FAMILIES = 12  # of calls that differ in one argument
_PROMISING = 2  # cases whose arguments are looked at


def refuse_gone(names: Iterable[str]) -> None:
    """Raise UserError for the first name that is gone."""
    for name in names:
        if name in _GONE:
            raise UserError(f"{_GONE[name]}; see docs/contracts.md")


class Contract(Promised, DerivesChecks):
    """What a function takes, returns and promises.

    `reference`: the right function, without arguments by keyword alone. `signature`: in the language of
    docs/contracts.md. The options, each by names of the signature:
    `draw`: by argument, how to draw it: a function of what is known, a generator and the style.
    `cases`: `Given` for the author's own cases, at most seven, and more for robustness; `Where` for
    what is said of each case that holds a condition; or by row, a function of a generator that lists all its cases.
    `right`: by part, a function of the returned part and the case that returns the nearest right value, or in words
    what is wrong; by words, `InAllCases` of another right function.
    `law`: for a random function, laws of many calls.
    `naive`: right formulas that overflow early, and lose nothing outside of robustness.
    `gradient`: by part, the argument by which it is the gradient of the returned loss; `Slopes` for another value.
    `shares`: what parts are worth, and groups where the author lists all cases; by default all the same. That of ROBUST
    is of the row, for robustness and promises.
    `stable`: arguments whose entries of 1000 count as robustness; by argument, the parts that are judged there.
    `usual`: by size, its ordinary numbers.
    `integers`: arguments whose integer dtype counts.
    `driver`: what is done with the student's names in one case, where one call does not say it. The signature is that
    of its arguments, and of what it returns; what it returns as it was given must not be changed.
    `segments`: by part that is a flat array, the words for its pieces and their lengths.
    `untouched`: what it shows where a function returns zeros in each case; then it is not written yet.
    `largest`: the size of large entries.
    `keeps_arguments`: no call changes its arguments.
    """

    __signature__ = inspect.signature(Promised)
    table: RowTable | None = None  # of the rows, where a file of hidden tests says them

    def __new__(cls, *_arguments: Any, **options: Any) -> Contract:
        """Refuse options that are gone or unknown."""
        refuse_gone(options)
        require_known("a contract", "option", options, cls.__signature__.parameters)
        return super().__new__(cls)

    def rows(self, **entries: tuple[str, float, str]) -> None:
        """Say which rows of the result the contract has: each of `ROWS` with its number, points and words.

        It is called in a file of hidden tests where the contract has a name, from which the tests get theirs.
        """
        refuse_gone(entries)
        table = make_table(self, entries, sys._getframe(1))
        require_first(self.table, table)
        self.table = table

    def gradient_check(self) -> Check:
        """The gradients compared with slopes; `gradient` says whose slopes they are."""
        if not self.slopes.by:
            raise ContractError(f"{self.name}: gradient_check needs gradient={{part: argument}}")
        return Check(self, GRADIENT_CHECK)

    def draw_checks(self, seed: str, count: int) -> Iterator[CaseCheck]:
        """Draw checks of random cases and of the author's, and of families of calls; they judge other functions."""
        if self.said.rows:
            yield from self._draw_given(seed, count)
            return
        maker = CaseMaker(self, seed, "random")
        tried = list(list_everywhere(self))
        designs = list(draw_designs(self.chooser, maker.generate(-1), count, tried))
        special = [each._replace(like_first=False) for each in tried if is_special(each)]
        designs += special * _SPECIAL_CASES
        row = self._build(maker, designs, GROUP_SHARES, promising=len(designs))
        yield from split_row(row)
        for number in range(_FAMILIES):
            maker = CaseMaker(self, f"{seed} {number}", "family")
            designs = list(draw_family(self.chooser, maker.generate(-1), tried))
            family = self._build(maker, designs, GROUP_SHARES, promising=len(designs))
            family = family._replace(laws=())
            yield join_cases(family)

    def _derive(self, purpose: str, seed: str) -> DerivedCheck:
        if purpose == GRADIENT_CHECK:
            return make_gradient_check(self, seed)
        maker = CaseMaker(self, seed, purpose)
        if self.said.rows:
            return self._build_given(maker, purpose)
        if purpose == ORDINARY:
            return self._build(maker, list_ordinary(self), ORDINARY_SHARES)
        return self._build(maker, list_everywhere(self), GROUP_SHARES)

    def _build_given(self, maker: CaseMaker, purpose: str) -> CaseCheck:
        """Build a row of the author's cases alone."""
        given = self._list_given(maker, purpose)
        groups = {each.group: self.shares.get(each.group, 1.0) for each in given}
        groups.pop(ROBUST, None)
        return self._build(maker, map(plan_given, given), groups)

    def _list_given(self, maker: CaseMaker, purpose: str) -> list[Given]:
        """List the author's cases of a row; ContractError where he names a group or a part that is none."""
        given: dict[str, list[Given]] = {}
        for row, function in self.said.rows.items():
            rng = maker.generate(-1, row)
            with telling(f"{self.name}: `cases` fail", function):
                given[row] = list(function(rng))
        parts = {*self.parsed.part_names, *self.uses}
        groups = {ROBUST}
        for cases in given.values():
            groups |= {each.group for each in cases}
        for each in given[purpose]:
            require_known(self.name, "part", each.unjudged, parts)
        require_known(self.name, "part or group", self.shares, parts | groups)
        return given[purpose]

    def _draw_given(self, seed: str, count: int) -> Iterator[CaseCheck]:
        """Draw rows of the author's cases, each case for itself and all in turn."""
        drawn = 0
        while drawn < count:
            maker = CaseMaker(self, f"{seed} {drawn}", "random")
            row = self._build_given(maker, EVERYWHERE)
            drawn += len(row.cases)
            yield from split_row(row)
            yield join_cases(row)

    def _build(
        self, maker: CaseMaker, designs: Iterable[CaseDesign], groups: Shares, *, promising: int = _PROMISING
    ) -> CaseCheck:
        form = self.form
        cases = maker.make(designs)
        if not any(case.group != ROBUST for case in cases):
            advice = "add a condition, such as `where N >= C`, or draw an argument"
            raise ContractError(f"{self.name}: no case has sizes that fit and finite right values; {advice}")
        self._require_rules(cases)
        is_visible = groups is ORDINARY_SHARES
        seen: set[str] = set()
        seen.update(*(case.expected for case in cases))
        left = {part: place for part, place in form.left.items() if part in seen}
        parts = (*self.parsed.part_names, *left)
        has_order = is_visible and cases[0].part_count == 1 and len(form.places) > 1
        promised = self._list_promising(cases, 0 if is_visible else promising)
        shares = divide_row(cases, groups, self.robust_share, has_order=has_order, has_promise=bool(promised))
        completed = []
        for number, case in enumerate(cases):
            is_promising = number in promised and self.keeps_arguments
            case = self._complete(case, left, is_promising=is_promising)
            completed.append(case)
        part_shares = self._divide_parts(parts)
        return form._replace(
            parts=parts,
            cases=tuple(completed),
            part_shares=dict.fromkeys(shares["shares"], part_shares),
            promising=tuple(promised),
            alternatives=self._find_alternatives(cases),
            left=left,
            laws=make_laws(self.law, self.parsed, maker.generate),
            **shares,
        )

    def _list_promising(self, cases: Sequence[Case], most: int) -> list[int]:
        """List the numbers of the cases whose arguments must stay; `most`: where no driver says which."""
        if not self.robust_share:
            return []
        kept = [number for number, case in enumerate(cases) if case.left]
        if kept or not self.keeps_arguments:
            return kept
        fresh = [number for number, case in enumerate(cases) if case.group != STATE]
        return fresh[:most]

    def _require_rules(self, cases: Sequence[Case]) -> None:
        """Raise ContractError where a function of `right` fails on what the right function returned."""
        parts = self.rules.keys() - self.uses.keys()
        for case, part in itertools.product(cases, sorted(parts)):
            right = case.expected.get(part)
            arguments = self.form.name_arguments(case.arguments)
            seen = SimpleNamespace(arguments=arguments, parts=case.expected, right=right)
            function: Any = self.right[part]
            what = " ".join([f"{self.name}: `right` of {part} fails on the right answer", *case.kinds[:1]])
            with telling(what, function):
                function(right, seen)

    def _divide_parts(self, parts: Sequence[str]) -> dict[str, float]:
        """Share a group among the parts; those in a group of the author's pay together, unless he shares them."""
        if self.said.rows and self.shares.keys().isdisjoint(parts):
            return {TOGETHER: 1.0}
        worth = {part: self.shares.get(part, 1.0) for part in parts}
        whole = sum(worth.values())
        return {part: share / whole for part, share in worth.items()}

    def _find_alternatives(self, cases: Sequence[Case]) -> dict[str, tuple[Named, ...]]:
        found: dict[str, tuple[Named, ...]] = {}
        for words, function in self.alternatives.items():
            what = f"another right function, {words!r}, fails"
            right = [self.find_expected(case.arguments, function, what=what) for case in cases]
            found[words] = tuple(right)
        return found

    def _complete(self, case: Case, changed: Mapping[str, tuple[int, str]], *, is_promising: bool) -> Case:
        """Add the keys that the right function changes in other cases; `is_promising`: its arguments must stay."""
        arguments = case.arguments
        kept = {}
        wanted = set(range(len(arguments))) if is_promising else set()
        for name, (place, key) in changed.items():
            wanted.add(place)
            if key:
                kept[name] = arguments[place].get(key)
        program = case.program
        left = case.left
        if wanted:
            program, left = self.make_program(arguments, wanted, case.before)
        if case.layout:
            program = lay_out(program, case.layout)
        idle = self.find_idle(program, len(self.form.values))
        expected = {**kept, **case.expected, **self._shorten_unread(case)}
        return case._replace(program=program, left=left, expected=expected, idle=idle)

    def _shorten_unread(self, case: Case) -> Named:
        """Return the dialogues whose right questions no rule reads, with the first one: whether there is any counts."""
        unread = [name for name in self.uses if "right" not in self.rules[name].source.definition]
        return {name: case.expected[name][:1] for name in unread}
