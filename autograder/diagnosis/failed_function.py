"""Failed function: finds the known mistakes that explain the failed tests of one function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from types import FunctionType, ModuleType

from autograder.diagnosis.call_patterns import find_pattern, find_wrong_items, spoil_items
from autograder.diagnosis.caught_rows import CaughtBank
from autograder.diagnosis.check_answers import passes
from autograder.diagnosis.explanation import Explanation, choose_explanations, get_test_name, is_explained
from autograder.diagnosis.general_kinds import list_kinds, make_pattern_kind
from autograder.diagnosis.match import Match, ReplayedTest, ReplayedTests, fails_in_corners_alone, observe_right
from autograder.diagnosis.replay import Replay, find_code
from autograder.grading.transcript import Evidence
from autograder.mistakes import Mistake
from autograder.results import CheckResult, Verdict
from autograder.student import TestCall

_LOST = (Verdict.FAILED, Verdict.PARTIAL)


@dataclass(frozen=True)
class FailedFunction:
    """A function, the results of its tests, and the evidence of the failed ones by test id.

    Tests of robustness are explained by themselves: what they show is no evidence for other tests. `seen`: the results
    of the tests that may rule a mistake out; `others`: the evidence of failed tests that may, too.
    """

    stem: str
    function: str
    checks: Sequence[CheckResult]
    evidence: Mapping[str, Evidence]
    seen: Sequence[CheckResult]
    others: Mapping[str, Evidence]

    def find_mistakes(
        self,
        bank: CaughtBank,
        references: Mapping[str, ModuleType],
        calls: Mapping[str, TestCall],
        failed_tests: ReplayedTests,
    ) -> Mapping[str, list[Mistake]]:
        """Find the mistakes that explain the failed tests; returns them by the id of each test explained.

        BudgetSpent where too many cases would be compared.
        """
        failed = sum(check.was_run for check in self.checks if is_lost(check))
        tests, others = (
            {
                test_id: failed_tests.find(evidence, references, self.function, partial(bank.make_reader, self.stem))
                for test_id, evidence in found.items()
            }
            for found in (self.evidence, self.others)
        )
        replayed = self._replay_mistakes(bank, tests, references, calls)
        explanations = [each for each in replayed if not each.core or _fits(each.mistake, others)]
        chosen = choose_explanations(explanations, failed=failed, is_written=bool(self._passed))
        is_open = not is_explained(explanations, failed=failed, is_written=bool(self._passed))
        if not chosen and is_open and failed == len(tests):
            chosen = list(islice(self._find_kind(tests, references, calls), 1))
        named: dict[str, list[Mistake]] = {}
        for each in chosen:
            for test_id in each.core:
                named.setdefault(test_id, []).append(each.mistake)
        return named or (self._find_pattern(bank, tests, references, calls) if is_open else {})

    def _find_pattern(
        self,
        bank: CaughtBank,
        tests: Mapping[str, ReplayedTest],
        references: Mapping[str, ModuleType],
        calls: Mapping[str, TestCall],
    ) -> dict[str, list[Mistake]]:
        """Find what the wrong calls have in common; no test without calls to observe has a name."""
        is_robustness = any(each.test.is_robustness for each in self.evidence.values())
        if is_robustness or not calls.keys() >= {*self._passed.values()}:
            return {}
        failed = {test_id: test.observe_calls(self.function) for test_id, test in tests.items()}
        failed = {test_id: observed for test_id, observed in failed.items() if any(each.is_wrong for each in observed)}
        right, parameters = find_code(references[self.stem], self.function)
        if 2 * len(failed) <= len(tests) or not isinstance(right, FunctionType):
            return {}
        items = find_wrong_items(each for observed in failed.values() for each in observed)
        spoiled = Replay(references, lambda _: None).replace(self.stem, self.function, spoil_items(right, items))
        judging = [calls[each] for each in self._passed.values() if not passes(spoiled, calls[each], self.stem)]
        make_reader = partial(bank.make_reader, self.stem, self.function)
        passed = [observe_right(call, references, self.function, make_reader) for call in judging]
        pattern = find_pattern(parameters, list(failed.values()), [each for each in passed if each])
        if pattern is None:
            return {}
        return {test_id: [make_pattern_kind(pattern, self.function)] for test_id in failed}

    def _find_kind(
        self, tests: Mapping[str, ReplayedTest], references: Mapping[str, ModuleType], calls: Mapping[str, TestCall]
    ) -> Iterator[Explanation]:
        """Find a general kind of error that gives all replies, and passes what the student's function passes."""
        is_robustness = any(each.test.is_robustness for each in self.evidence.values())
        if is_robustness or not calls.keys() >= {*self._passed.values()}:
            return
        if not any(test.is_telling for test in tests.values()):
            return
        if "." in self.function and not self._passed:  # a method that does nothing is like one without a step
            return
        names = tuple(map(get_test_name, tests))
        found = [call for test in tests.values() for call in test.list_calls(self.function)]
        for kind in list_kinds(references[self.stem], self.function, names, found):
            matches = _replay(kind, tests, is_doubtful=True, needs_whole=True)
            explanation = Explanation(kind, matches, tests)
            if len(explanation.core) < len(tests) or not (explanation.is_whole and explanation.is_telling):
                continue
            replay = Replay(references, lambda _: None).replace(self.stem, self.function, kind.wrong)
            if all(passes(replay, calls[test_id], self.stem) for test_id in self._passed.values()):
                yield explanation

    def _replay_mistakes(
        self,
        bank: CaughtBank,
        tests: Mapping[str, ReplayedTest],
        references: Mapping[str, ModuleType],
        calls: Mapping[str, TestCall],
    ) -> Iterator[Explanation]:
        for mistake in bank.load_caught(self.stem, self.function):
            against = [test_id for name, test_id in self._passed.items() if name in mistake.caught_by]
            found = _replay(mistake, tests, is_doubtful=bool(against)) if calls.keys() >= {*against} else {}
            explanation = Explanation(mistake, found, tests, is_excused=bool(against))
            code = (self.stem, mistake.function, mistake.wrong)
            if not against or (
                explanation.is_telling
                and all(fails_in_corners_alone(calls[each], references, *code) for each in against)
            ):
                yield explanation

    @cached_property
    def _passed(self) -> Mapping[str, str]:
        """The ids of the tests that passed, by name."""
        return {get_test_name(each.test_id): each.test_id for each in self.seen if each.verdict is Verdict.PASSED}


def is_lost(check: CheckResult) -> bool:
    """Whether the function lost points in the test."""
    return check.verdict in _LOST


def _fits(mistake: Mistake, others: Mapping[str, ReplayedTest]) -> bool:
    """Whether a mistake explains most of the other failed tests that it fails."""
    caught = {test_id: test for test_id, test in others.items() if get_test_name(test_id) in mistake.caught_by}
    explanation = Explanation(mistake, _replay(mistake, caught, is_doubtful=False), caught)
    return not caught or 2 * len(explanation.core) > len(caught)


def _replay(
    mistake: Mistake, tests: Mapping[str, ReplayedTest], *, is_doubtful: bool, needs_whole: bool = False
) -> dict[str, Match]:
    """Replay a mistake in the tests that it fails; if it is doubtful, only as long as it explains them.

    `needs_whole`: only as long as it gives all replies.
    """
    found = {}
    for test_id, test in tests.items():
        if get_test_name(test_id) in mistake.caught_by:
            code = (mistake.function, mistake.wrong)
            match = test.match(*code, needs_whole=needs_whole) if mistake.ends else test.match_endless()
            if match is not None:
                found[test_id] = match
            if is_doubtful and (match is None or not match.is_core):
                break
    return found
