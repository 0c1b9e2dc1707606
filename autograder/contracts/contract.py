"""Contract: what a function takes, returns and promises, said once; its checks are derived from it.

The inputs are made by four modules: `sizes.py` lists the sizes that are worth a case, such as N = 1, `kinds.py` the
styles and values of each kind of argument, `case_design.py` plans one case for each, and `case_maker.py` draws it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autograder.contracts.body import Check, DerivedCheck, DerivesChecks
from autograder.contracts.case import EVERYWHERE, ORDINARY, ROBUST, STATE, Case, Given
from autograder.contracts.case_design import CaseDesign, list_everywhere, list_ordinary
from autograder.contracts.case_maker import CaseMaker
from autograder.contracts.check import GROUP_SHARES, ORDINARY_SHARES, TOGETHER, CaseCheck, divide_parts, divide_row
from autograder.contracts.gone_names import refuse_gone
from autograder.contracts.gradient_row import GradientCheck, choose_smooth, find_loss, make_gradient_check
from autograder.contracts.law import make_laws
from autograder.contracts.promised import Promised, describe_fault
from autograder.contracts.random_cases import draw_designs, draw_family, is_special, join_cases, split_row
from autograder.contracts.signature import ContractError
from autograder.programs.plain_values import IMMUTABLE

_POINTS = 20  # at most, of which one with no kink near it is taken
_SPECIAL_CASES = 3  # of each kind that only the author or robustness has, among random cases
_FAMILIES = 12  # of calls that differ in one argument
_PROMISING = 2  # cases whose arguments are looked at


class Contract(Promised, DerivesChecks):
    """What a function takes, returns and promises.

    `reference`: the right function, without arguments by keyword alone. `signature`: in the language of
    docs/contracts.md. `draw`: by the name of an argument, a function of sizes, generator and style.
    `also`: at most five cases of the author's, by their words: arguments, or a function of a generator that returns
    them. `robust_cases`: the same, as robustness. `accepts`: by their words, other right functions, one of which has to
    hold in all cases of a row. `naive`: right formulas that lose nothing. `gradients`: by the name of a returned part,
    the argument whose gradient it is; `gradient_of`: for a function that returns a gradient alone, the contract of the
    loss and the argument. `segments`: by part that is a flat array, the words for its pieces and their lengths.
    `unjudged`: by the words of a case, parts that are not looked at. `keeps_arguments`: no call changes its arguments.
    `integers`: arguments whose integer dtype counts. `stable_in`: arguments whose entries of 1000 count as robustness.
    `robust_share`: of a row, for robustness and promises. `shares`: what each part is worth; by default all the
    same. `largest`: the size of large entries. `driver`: what is done with the student's names in one case, where one
    call does not say it; the signature is that of its arguments, and of what it returns. What it returns as it was
    given must not be changed. `cases`: by row, a function of a generator that lists all cases, each `Given`; `shares`
    says what their groups are worth, in which all parts pay together unless they have shares, too. `usual`: by the name
    of a size, its ordinary numbers. `marks`: by words of a result, a condition on the arguments of a case. `untouched`:
    what it shows where a function returns zeros in each case; then it is not written yet. `predicate`, `nearest`: by
    part, functions of the returned part and the case, for several right answers: what is wrong, in words; the nearest
    right value. `law`: for a random function, laws of many calls. `avoids_jumps`: drawn cases in which a right value
    jumps, as at ties and kinks, are left out.
    """

    __signature__ = inspect.signature(Promised)

    def __new__(cls, *_arguments: Any, **options: Any) -> Contract:
        """Refuse options that are gone."""
        refuse_gone(options)
        return super().__new__(cls)

    def own_gradient(self) -> Check:
        """The gradients beside the slopes of the student's own loss; `gradients` says which are which."""
        if not self.gradients and self.gradient_of is None:
            raise ContractError(f"{self.name}: own_gradient needs gradients={{part: argument}} or gradient_of=")
        if self.driver is not None:
            raise ContractError(f"{self.name}: no own_gradient of a driver; `everywhere` judges it")
        return Check(self, "own_gradient")

    def draw_checks(self, seed: str, count: int) -> Iterator[CaseCheck]:
        """Draw checks of random cases and of the author's, and of families of calls; they judge other functions."""
        if self.cases:
            yield from self._draw_given(seed, count)
            return
        maker = CaseMaker(self, seed, "random")
        tried = list(list_everywhere(self))
        drawn = draw_designs(self, maker.generate(-1), count, tried)
        special = [each._replace(like_first=False) for each in tried if is_special(each)] * _SPECIAL_CASES
        designs = [*drawn, *special]
        yield from split_row(self._build(maker, designs, GROUP_SHARES, promising=len(designs)))
        for number in range(_FAMILIES):
            maker = CaseMaker(self, f"{seed} {number}", "family")
            designs = list(draw_family(self, maker.generate(-1), tried))
            family = self._build(maker, designs, GROUP_SHARES, promising=len(designs))
            yield join_cases(family._replace(laws=()), range(len(family.cases)))

    def _derive(self, purpose: str, seed: str) -> DerivedCheck:
        maker = CaseMaker(self, seed, purpose)
        if purpose == "own_gradient":
            return self._derive_gradient_check(seed)
        if self.cases:
            return self._build_given(maker, purpose)
        if purpose == ORDINARY:
            return self._build(maker, list(list_ordinary(self)), ORDINARY_SHARES)
        return self._build(maker, list(list_everywhere(self)), GROUP_SHARES)

    def _build_given(self, maker: CaseMaker, purpose: str) -> CaseCheck:
        """Build a row of the author's cases alone."""
        designs = [
            CaseDesign(each.group, each.kinds, given=each.arguments, unjudged=each.unjudged)
            for each in self._list_given(maker, purpose)
        ]
        groups = {each.group: self.shares.get(each.group, 1.0) for each in designs if each.group != ROBUST}
        return self._build(maker, designs, groups)

    def _list_given(self, maker: CaseMaker, purpose: str) -> list[Given]:
        """List the author's cases of a row; ContractError where he names a group or a part that is none."""
        given: dict[str, list[Given]] = {}
        for row, function in self.cases.items():
            try:
                given[row] = list(function(maker.generate(-1, row)))
            except Exception as error:
                raise ContractError(f"{self.name}: `cases` fail {describe_fault(error, function)}") from error
        known = {*self.parsed.part_names, *self.uses}
        unjudged = {part for each in given[purpose] for part in each.unjudged}
        shared = self.shares.keys() - {each.group for cases in given.values() for each in cases}
        for name in sorted((unjudged | shared) - known):
            raise ContractError(
                f"{self.name}: {name} is no part and no group; the parts are {', '.join(sorted(known))}"
            )
        return given[purpose]

    def _draw_given(self, seed: str, count: int) -> Iterator[CaseCheck]:
        """Draw rows of the author's cases, each case for itself and all in turn."""
        drawn = 0
        while drawn < count:
            row = self._build_given(CaseMaker(self, f"{seed} {drawn}", "random"), EVERYWHERE)
            yield from split_row(row)
            yield join_cases(row, range(len(row.cases)))
            drawn += len(row.cases)

    def _derive_gradient_check(self, seed: str) -> GradientCheck:
        of, argument = self.gradient_of or (self, "")
        gradients = self.gradients or {self.parsed.parts[0].name: argument}
        makers = (CaseMaker(self, seed, "own_gradient" + " again" * again) for again in range(_POINTS))
        cases = (maker.make([CaseDesign(ORDINARY, is_small=True)])[0] for maker in makers)
        checks = (make_gradient_check(self, case, gradients, of) for case in cases)
        return choose_smooth(checks, {of.name: of.reference, self.name: self.reference})

    def _build(
        self,
        maker: CaseMaker,
        designs: Sequence[CaseDesign],
        groups: Mapping[str, float],
        *,
        promising: int = _PROMISING,
    ) -> CaseCheck:
        cases = maker.make(designs)
        if not cases:
            raise ContractError(f"{self.name}: no case has sizes that fit and finite right values")
        is_visible = groups is ORDINARY_SHARES
        seen = {part for case in cases for part in case.expected}
        left = {part: place for part, place in self.form.left.items() if part in seen}
        unread = {name: () for name in self.uses if "right" not in self.rules[name].source.definition}
        alternatives = self._find_alternatives(cases)
        parts = (*self.parsed.part_names, *left)
        kept = [number for number, case in enumerate(cases) if case.left]
        shares = divide_row(
            cases,
            groups,
            self.robust_share,
            has_order=is_visible and len(self.form.places) > 1 and cases[0].part_count == 1,
            has_promise=bool(kept) or (not is_visible and self.keeps_arguments),
        )
        fresh = [number for number, case in enumerate(cases) if case.group != STATE]
        promised = tuple(kept or fresh[:promising]) if shares["promise_share"] else ()
        cases = tuple(
            self._complete(case, left, unread, is_promising=number in promised and self.keeps_arguments)
            for number, case in enumerate(cases)
        )
        return self.form._replace(
            parts=parts,
            cases=cases,
            part_shares=dict.fromkeys(shares["shares"], self._divide_parts(parts)),
            promising=promised,
            alternatives=alternatives,
            left=left,
            gradients=self._find_gradients(),
            loss=find_loss(self.parsed) if self.gradients else "",
            laws=make_laws(self.law, self.parsed, maker.generate),
            **shares,
        )

    def _divide_parts(self, parts: Sequence[str]) -> dict[str, float]:
        """Share a group among the parts; those in a group of the author's pay together, unless he shares them."""
        given = {part: share for part, share in self.shares.items() if part in parts}
        return {TOGETHER: 1.0} if self.cases and not given else divide_parts(parts, given)

    def _find_alternatives(self, cases: Sequence[Case]) -> dict[str, tuple[Mapping[str, Any], ...]]:
        return {
            words: tuple(self.find_expected(case.arguments, function) for case in cases)
            for words, function in self.accepts.items()
        }

    def _complete(
        self, case: Case, changed: Mapping[str, tuple[int, str]], unread: Mapping[str, Any], *, is_promising: bool
    ) -> Case:
        """Add the keys that the right function changes in other cases; `unread`: parts whose right value none reads.

        `is_promising`: its arguments must stay.
        """
        wanted = {place for place, _ in changed.values()} | set(range(len(case.arguments)) if is_promising else ())
        places = tuple(place for place in sorted(wanted) if not isinstance(case.arguments[place], IMMUTABLE))
        kept = {name: case.arguments[place].get(key) for name, (place, key) in changed.items() if key}
        expected = {**kept, **case.expected, **unread}
        program, left = self.make_program(case.arguments, places) if places else (case.program, case.left)
        idle = self.find_idle(program, len(self.form.values))
        return case._replace(program=program, left=left, expected=expected, idle=idle)

    def _find_gradients(self) -> dict[str, int]:
        places = {each.name: place for place, each in enumerate(self.parsed.arguments)}
        return {part: places[argument] for part, argument in self.gradients.items()}
