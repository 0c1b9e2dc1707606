"""Law judgement: turns the values of a random function's calls into what its laws earn, and what is broken."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import is_equal
from autograder.contracts.case import ROBUST
from autograder.contracts.law import ERROR, BrokenClaim, LawRun, list_broken
from autograder.contracts.request import AnyRequest
from autograder.contracts.talk import Draws
from autograder.contracts.wrong_parts import LAW, ORDER
from autograder.sandbox.protocol.outcome import Outcome

LAW_SHARE = 0.3  # of a row, for the laws that are not basic, and the same values with the same seed
_NO_CLAIM = BrokenClaim("the values", None)
_SAME_SEED = BrokenClaim("the values with another generator of the same seed", None)


class Laws(NamedTuple):
    """The laws of one row. `again`: the first calls of the first law once more, with a generator of the same seed.

    `share`: of the row, for those that are not basic, and for the same values with the same seed.
    """

    runs: tuple[LawRun, ...]
    again: Draws
    share: float

    @property
    def requests(self) -> tuple[AnyRequest, ...]:
        """The calls of each law, then those of `again`."""
        return (*(each.request for each in self.runs), self.again)

    def judge(self, replies: Sequence[Any]) -> LawJudgement:
        """Judge the replies to `requests`."""
        broken = [tuple(self._list_broken(*pair)) for pair in zip(self.runs, replies, strict=False)]
        first, last = replies[0], replies[-1]
        is_repeated = isinstance(first, list) and is_equal(first[: self.again.calls], last)
        graded = {f"law {k}": not claims for k, claims in enumerate(broken) if not self.runs[k].is_basic}
        graded["same seed"] = is_repeated
        return LawJudgement(
            is_other=any(claims for run, claims in zip(self.runs, broken, strict=True) if run.is_basic),
            earned={what: self.share / len(graded) * holds for what, holds in graded.items()},
            broken=(*(claim for claims in broken for claim in claims), *((_SAME_SEED,) * (not is_repeated))),
        )

    def _list_broken(self, run: LawRun, values: Any) -> Iterator[BrokenClaim]:
        """List the first broken claim of a law; others follow from it."""
        if isinstance(values, Outcome):
            yield _NO_CLAIM
            return
        claims = run.list_claims(values)
        error = ERROR / (len(self.runs) * max(len(claims), 1))
        yield from itertools.islice(list_broken(claims, error), 1) if claims else (_NO_CLAIM,)


class LawJudgement(NamedTuple):
    """What laws earn. `is_other`: a basic law is broken, so that the function is another one, and earns nothing."""

    is_other: bool
    earned: Mapping[str, float]
    broken: tuple[BrokenClaim, ...]

    def describe(self) -> str:
        """Say which claims are broken, of each law the first; empty where none is."""
        words = ", ".join(dict.fromkeys(each.words for each in self.broken))
        return f"wrong over many draws: {words}" if words else ""

    def explain_beside(self, other: CheckFailed | None) -> CheckFailed:
        """Say what is broken, beside another failure of the row unless the function is another one."""
        if other is None or self.is_other:
            failure = self._explain()
        else:
            failure = other.describe_as(f"{other.what}; {self.describe()}", relation=other.relation)
        parts = () if other is None else other.parts
        failure.parts = (*(each for each in parts if each not in (ORDER, ROBUST)), LAW)
        return failure

    def _explain(self) -> CheckFailed:
        """Say which claims are broken, with the first mean that is off."""
        found = next((each.mean for each in self.broken if each.mean is not None), None)
        values: tuple[str, ...] = ()
        if found is not None:
            mean, expected, tolerance = found
            values = (f"expected: {expected:.4g}, at most {tolerance:.2g} from it", f"found:    {mean:.4g}")
        return CheckFailed(self.describe(), expected="what right draws give", found="something else", values=values)
