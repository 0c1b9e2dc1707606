"""Wording: says which parts are wrong where, by the smallest set of kinds that explains the failing cases.

"rows and sums are wrong of long lists; means are right": kinds are said, values never. A kind is the place of a failure
only if all of its cases fail, and if nothing else is as special of them: all else occurs in cases that are right, too.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Mapping, Sequence

from autograder.plain_text import join_words

ENTRY = "where an entry of "  # and "labels is 3": the words for a label
ARGUMENTS, ORDER, END = "arguments", "order", "end"
_EXCEPT = " in all cases tried except "
_MOST_KINDS = 3  # in one sentence; beyond that a count says more
_FEW = 4  # a kind is no place of a failure if more than this many of its cases are right for each that fails


def describe_failures(
    parts: Sequence[str],
    kinds: Sequence[Sequence[str]],
    right: Sequence[Mapping[str, bool]],
    *,
    end: str = "",
) -> str:
    """Say which parts are wrong in which cases; empty where none is.

    `kinds`: of each case, the most specific first. `right`: for each case, whether each part is right, if it was looked
    at there. `end`: what is said of the cases in which the part END is "wrong".
    """
    ended: set[str] = set()  # the kinds of calls without a value: they tell nothing of a value that is wrong
    for own, judged in zip(kinds, right, strict=True):
        if not judged.get(END, True):
            ended.update(own)
    telling = []
    for own in kinds:
        telling.append([kind for kind in own if kind not in ended])
    groups: dict[tuple[str, tuple[int, ...]], list[str]] = {}  # by where they fail; all that fail everywhere are one
    for part in parts:
        seen = [number for number, each in enumerate(right) if part in each]
        failing = tuple(place for place, number in enumerate(seen) if not right[number][part])
        told = kinds if part == END else telling
        where = _say_where(failing, [told[number] for number in seen]) if failing else ""
        groups.setdefault((where, failing if where else failing[:1]), []).append(part)
    good = [part for part in groups.pop(("", ()), []) if part != END]
    clauses = []
    for (where, _), names in groups.items():
        what = end if END in names else f"{join_parts(names)} wrong"
        clauses.append(f"{what}{where}")
    is_said_of_some = all(where and not where.startswith(_EXCEPT) for where, _ in groups)
    if [END] in groups.values() and len(groups) == 1:
        good = []
    if clauses and good:
        clauses.append(f"{join_parts(good)} right")
    elif len(groups) == 1 and is_said_of_some:
        clauses.append("right in the other cases tried")
    return "; ".join(clauses)


def find_explanation(failing: Sequence[int], kinds: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Find the fewest kinds that occur in the failing cases alone, and in each of them; none where there are none.

    Two kinds of the same cases explain nothing: either may be the reason. A label explains alone, where nothing else
    does: among many labels, a few explain much by chance.
    """
    covers: dict[int, list[str]] = {}  # by the cases that they cover, each a bit
    everything = (1 << len(failing)) - 1
    labels = []
    for kind in _list_pure(failing, kinds):
        covered = sum(1 << k for k, number in enumerate(failing) if kind in kinds[number])
        if not (kind.startswith(ENTRY) and " is " in kind):
            covers.setdefault(covered, []).append(kind)
        elif covered == everything:
            labels.append(kind)
    covers.setdefault(everything, labels)
    first = {covered: known[0] for covered, known in covers.items() if len(known) == 1}
    if functools.reduce(operator.or_, first, 0) != everything:
        return ()
    for count in range(1, _MOST_KINDS + 1):
        for chosen in itertools.combinations(first, count):
            if functools.reduce(operator.or_, chosen) == everything:
                by_first_case = sorted(chosen, key=lambda covered: covered & -covered)
                return tuple(first[covered] for covered in by_first_case)
    return ()


def _say_where(failing: Sequence[int], kinds: Sequence[Sequence[str]]) -> str:
    if len(failing) == len(kinds):
        return ""
    found = find_explanation(failing, kinds)
    if found:
        return f" {join_words(found)}"
    right = [number for number in range(len(kinds)) if number not in failing]
    but = find_explanation(right, kinds) if 2 * len(right) < len(kinds) else ()
    if but:
        return f"{_EXCEPT}{join_words(but)}"
    shared = _find_shared(failing, kinds) if len(failing) > 1 else ""
    share = f" in {len(failing)} of {len(kinds)} cases"
    if shared:
        return f"{share}, all of them {shared}"
    example = _find_example(failing, kinds)
    return f"{share}, such as {example}" if example else share


def _find_example(failing: Sequence[int], kinds: Sequence[Sequence[str]]) -> str:
    """Find the kind of most failing cases and no other; empty where a case of no kind fails, or more than half fail."""
    if 2 * len(failing) > len(kinds) or not all(kinds[number] for number in failing):
        return ""
    pure = _list_pure(failing, kinds)

    def count(kind: str) -> int:
        return sum(kind in kinds[number] for number in failing)

    return max(pure, key=count, default="")


def _list_pure(failing: Sequence[int], kinds: Sequence[Sequence[str]]) -> list[str]:
    """List the kinds that occur in the failing cases alone, the most specific first."""
    failed = set(failing)
    elsewhere: set[str] = set()
    for number, each in enumerate(kinds):
        if number not in failed:
            elsewhere.update(each)
    by_rank = itertools.zip_longest(*(kinds[number] for number in failing))
    telling = dict.fromkeys(itertools.chain.from_iterable(by_rank))
    return [kind for kind in telling if kind is not None and kind not in elsewhere]


def _find_shared(failing: Sequence[int], kinds: Sequence[Sequence[str]]) -> str:
    """Find the rarest kind of all failing cases; empty where there is none, or where most cases are of it.

    So it is where few cases of the kind fail: most cases have the sizes of the first one, which say nothing then.
    """
    counts: dict[str, int] = {}
    for kind in kinds[failing[0]]:
        cases = [number for number, each in enumerate(kinds) if kind in each]
        if {*failing} <= {*cases}:
            counts[kind] = len(cases)
    rarest = min(counts, key=counts.__getitem__, default="")
    if not rarest:
        return ""
    is_rare = 2 * counts[rarest] <= len(kinds) and counts[rarest] <= _FEW * len(failing)
    return rarest if is_rare else ""


def join_parts(names: Sequence[str]) -> str:
    """Join names, with the verb that follows."""
    return f"{join_words(names)} {'is' if len(names) == 1 else 'are'}"
