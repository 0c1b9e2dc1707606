"""Law: what holds of many calls of a random function with one generator, however it draws.

A claim is about the mean of numbers between 0 and 1 that are independent in right work. Hoeffding's inequality bounds
how far a right mean is from the expected one: beyond a distance t with probability at most 2 exp(-2 n t^2), for n
numbers. The claims of a row share `ERROR`, the probability that right work fails one of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import is_equal
from autograder.contracts.case import Arguments, Replies, Shares
from autograder.contracts.signature import ContractError, Signature
from autograder.programs.calls import write_call
from autograder.programs.outcome import Outcome
from autograder.programs.program import Program
from autograder.programs.recipes import Generator
from autograder.programs.source import Source, read_source

LAW_SHARE = 0.3  # of a row, for the laws that are not basic, and the same values with the same seed
AGAIN = 2  # calls that are repeated with a generator of the same seed
Claim = tuple[Any, float]  # numbers, and their expectation
Generate = Callable[..., np.random.Generator]
ERROR = 1e-9  # that right work fails any claim of a row: one in a thousand million submissions


@dataclass(frozen=True)
class Law:
    """Calls in turn with one generator, and claims about the values that they return.

    `arguments`: of each call, or a function of a generator that returns them. `calls`: how many. `claims`: a
    function of the values and the arguments; by the words of a claim, independent numbers from 0 to 1 in right work,
    and their expectation. Of its module it may use only `np`. `is_basic`: where it does not hold, nothing else counts.
    """

    arguments: Any
    calls: int
    claims: Callable[[Arguments, Arguments], Mapping[str, Claim]]
    is_basic: bool = False


class LawRun(NamedTuple):
    """The calls of a law as data, and the source of its claims. `again`: a few of them with a like generator.

    `arguments`: of each call, the generator among them, which claims do not see.
    """

    program: Program
    again: Program
    arguments: Arguments
    source: Source
    is_basic: bool = False

    def list_claims(self, values: Any) -> dict[str, Claim]:
        """List the claims about returned values; none where they are of another form."""
        drawn = [each for each in self.arguments if not isinstance(each, Generator)]
        try:
            with np.errstate(all="ignore"):
                list_claims = self.source.make()
                return dict(list_claims(values, drawn))
        except Exception:  # noqa: BLE001  (a value of another form may cause anything)
            return {}


Broken = tuple[str, tuple[str, ...]]
"""The words of a claim that does not hold, and lines on the expected and the found mean."""
_OTHER_FORM: Broken = ("the values", ())  # no claim can be made about them


def compute_tolerance(count: int, error: float) -> float:
    """Compute how far the mean of independent numbers from 0 to 1 may be off, but for this probability."""
    doubled = 2 * max(count, 1)
    return math.sqrt(math.log(2 / error) / doubled)


def list_broken(claims: Mapping[str, Claim], error: float) -> Iterator[Broken]:
    """List the claims that do not hold; `error`: for each of them, that right work breaks it."""
    for words, (numbers, expected) in claims.items():
        found = np.asarray(numbers, dtype=np.float64).ravel()
        if not found.size:
            raise ValueError(f"the claim on {words} is about no number")
        mean = float(found.mean())
        tolerance = compute_tolerance(found.size, error)
        is_bounded = found.min() >= 0 and found.max() <= 1
        is_near = abs(mean - expected) <= tolerance
        if not (is_bounded and is_near):
            right = f"expected: {expected:.4g}, at most {tolerance:.2g} from it"
            yield words, (right, f"found:    {mean:.4g}")


def list_programs(laws: Sequence[LawRun]) -> Iterator[Program]:
    """List the calls of each law, then the first of the first law once more, with a generator of the same seed."""
    yield from (each.program for each in laws)
    yield from (each.again for each in laws[:1])


def judge_laws(laws: Sequence[LawRun], replies: Replies) -> LawJudgement:
    """Judge the replies to the programs of laws."""
    values = [reply[0] for reply in replies]
    is_other = False
    broken: list[Broken] = []
    graded: dict[str, bool] = {}
    for number, (law, of_law) in enumerate(zip(laws, values, strict=False)):
        found = list(_list_first_broken(law, of_law, len(laws)))
        broken += found
        if law.is_basic:
            is_other |= bool(found)
        else:
            graded[f"law {number}"] = not found
    first = values[0]
    last = values[-1]
    has_values = isinstance(first, list)
    is_same = has_values and is_equal(first[:AGAIN], last)
    graded["same seed"] = is_same
    if has_values and isinstance(last, list) and not is_same:
        broken.append(("the values with another generator of the same seed", ()))
    each = LAW_SHARE / len(graded)
    earned = {what: each * holds for what, holds in graded.items()}
    return LawJudgement(is_other, earned, broken)


def _list_first_broken(law: LawRun, values: Any, count: int) -> Iterator[Broken]:
    """List the first broken claim of a law, of `count` laws; others follow from it."""
    claims = {} if isinstance(values, Outcome) else law.list_claims(values)
    if not claims:
        yield _OTHER_FORM
        return
    error = ERROR / (count * len(claims))
    yield from itertools.islice(list_broken(claims, error), 1)


class LawJudgement(NamedTuple):
    """What laws earn. `is_other`: a basic law is broken, so that the function is another one, and earns nothing."""

    is_other: bool
    earned: Shares
    broken: Sequence[Broken]

    def explain_with(self, other: CheckFailed | None) -> CheckFailed:
        """Say what is broken, of each law the first claim, after another failure of the row if this is its function.

        With the first mean that is off. Values of another form are described by the other failure alone.
        """
        if other is not None and _OTHER_FORM in self.broken:
            return other
        named = dict.fromkeys(words for words, _ in self.broken)
        what = f"wrong over many draws: {', '.join(named)}"
        if other is None or self.is_other:
            lines = next((lines for _, lines in self.broken if lines), ())
            return CheckFailed(what, expected="what right draws give", found="something else", values=lines)
        return other.describe_as(f"{other.what}; {what}", relation=other.relation)


def make_laws(laws: Sequence[Law], signature: Signature, generate: Generate) -> tuple[LawRun, ...]:
    """Make the data of laws; ContractError for a function without a generator. `generate`: by number and names."""
    runs = []
    for number, law in enumerate(laws):
        rng = generate(number, "law")
        arguments = law.arguments(rng) if callable(law.arguments) else law.arguments
        given = list(arguments)
        seed = int(rng.integers(2**31))
        given.insert(find_generator(signature), Generator(seed))
        program = write_call(signature.name, given, times=law.calls)
        again = write_call(signature.name, given, times=min(AGAIN, law.calls))
        runs.append(LawRun(program, again, tuple(given), read_source(law.claims), law.is_basic))
    return tuple(runs)


def find_generator(signature: Signature) -> int:
    """Find the place of the generator that a law needs."""
    for place, each in enumerate(signature.arguments):
        if each.kind.is_generator:
            return place
    raise ContractError(f"{signature.name}: a law is for a function with an argument of the kind `generator`")
