"""Object check: what a row of the result asks of the objects of a class, as data, and the judgement of the replies.

A part earns its share of a group where it is right in all cases of the group. A part that the right step leaves as it
was earns something only beside one that it changes, and a promise only where an ordinary case is right: a step that
does nothing earns nothing. More right cases never earn less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import is_equal
from autograder.contracts.case import NOTHING
from autograder.contracts.judgement import Judgement
from autograder.contracts.part_comparison import compare_part, describe_error, is_right
from autograder.contracts.request import BESIDE, GIVEN, RETURNED, ObjectRequest, Step
from autograder.contracts.wording import ARGUMENTS, describe_failures
from autograder.plain_text import join_words
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind

_CHANGED, _UNCHANGED = 2.0, 1.0  # what a part is worth within a group, beside each other


class ObjectCase(NamedTuple):
    """One object: what is done with it, and the right values of its parts after it.

    `before`: the parts that the last step changes, as they were. `promised`: what has to stay, by name. `kinds`: the
    words that say why it is there, the most telling first. `used`: what is done before with another object.
    """

    arguments: tuple[Any, ...]
    assigned: Mapping[str, Any]
    steps: tuple[Step, ...]
    expected: Mapping[str, Any]
    before: Mapping[str, Any]
    group: str
    kinds: tuple[str, ...] = ()
    promised: Mapping[str, Any] = NOTHING
    used: tuple[Step, ...] = ()
    is_first: bool = False


class ObjectCheck(NamedTuple):
    """The cases of one row. `parts`: attributes, and the returned value. `function`: its name, `owner`: the class.

    `shares`: what each group is worth; with `promise_share` they sum to 1. `unordered`: parts whose items have no
    order, each with the names of the two parts of an item, if it is a pair. `worth`: what a part is worth beside
    others, where the author says so. `steps`: cases of the method that this one repeats, which may be given beside it:
    where none of them does anything, it is not written yet.
    """

    function: str
    owner: str
    parts: tuple[str, ...]
    cases: tuple[ObjectCase, ...]
    shares: Mapping[str, float]
    promise_share: float
    unordered: Mapping[str, tuple[str, ...]] = NOTHING
    worth: Mapping[str, float] = NOTHING
    steps: tuple[ObjectCase, ...] = ()

    @property
    def requests(self) -> tuple[ObjectRequest, ...]:
        """One request for each case, then one for each of `steps`."""
        own = [part for part in self.parts if part != RETURNED]
        promised = ([name for name in case.promised if name not in (BESIDE, GIVEN)] for case in self.cases)
        asked = (self._ask(case, (*own, *names)) for case, names in zip(self.cases, promised, strict=True))
        return (*asked, *(self._ask(each, tuple(each.before)) for each in self.steps))

    def _ask(self, case: ObjectCase, observed: tuple[str, ...]) -> ObjectRequest:
        looks_beside = GIVEN in case.promised
        return ObjectRequest(self.owner, case.arguments, case.assigned, case.steps, observed, looks_beside, case.used)

    def judge(self, replies: Sequence[Any]) -> Judgement:
        """Judge the replies to `requests`; NotWritten where no step did anything, CallFailed where none is written."""
        replies, of_steps = replies[: len(self.cases)], replies[len(self.cases) :]
        if all(isinstance(each, Outcome) and each.kind is OutcomeKind.NOT_WRITTEN for each in replies):
            raise CallFailed(replies[0])
        if self.steps:
            repeated = self.steps[0].steps[0].method
            checks.not_written(_are_idle(self.steps, of_steps), f"{repeated} leaves the state as it was")
        pairs = list(zip(self.cases, replies, strict=True))
        right = [{part: self._is_right(case, part, reply) for part in self.parts} for case, reply in pairs]
        kept = [(name, _is_kept(reply, name, value)) for case, reply in pairs for name, value in case.promised.items()]
        broken = list(dict.fromkeys(name for name, holds in kept if not holds))
        if not broken and all(all(each.values()) for each in right):
            return Judgement()
        checks.not_written(
            _are_idle(self.cases, replies), f"{self.function.rpartition('.')[2]} leaves the state as it was"
        )
        failure = self._explain(right, replies, broken)
        wrong = [part for part in self.parts if not all(each[part] for each in right)]
        failure.parts = (*wrong, *(ARGUMENTS if name == GIVEN else name for name in broken))
        return Judgement(failure, earned=self.compute_earned(right, keeps=not broken))

    def compute_earned(self, right: Sequence[Mapping[str, bool]], *, keeps: bool = True) -> dict[str, float]:
        """Compute the earned shares, each under what earned it."""
        is_any_right = any(case.is_first and all(each.values()) for case, each in zip(self.cases, right, strict=True))
        earned = {
            f"{group}: {part}": share * worth
            for group, share in self.shares.items()
            for part, worth in self._compute_of_group(group, right).items()
        }
        return {**earned, "promise": self.promise_share * (keeps and is_any_right)}

    def _compute_of_group(self, group: str, right: Sequence[Mapping[str, bool]]) -> dict[str, float]:
        """Compute the shares of a group's points that its parts earn."""
        own = [(case, each) for case, each in zip(self.cases, right, strict=True) if case.group == group]
        parts = [part for part in self.parts if any(part in case.expected for case, _ in own)]
        changed = [part for part in parts if any(part in case.before or not case.steps for case, _ in own)]
        changed += [RETURNED] * (RETURNED in parts)
        weights = {part: self._weigh(part, is_changed=part in changed) for part in parts}
        earned = [part for part in parts if all(each[part] for _, each in own)]
        counted = earned if any(part in changed for part in earned) else []
        return {part: weights[part] / sum(weights.values()) for part in counted}

    def _weigh(self, part: str, *, is_changed: bool) -> float:
        usual = max(1, len(self.parts) - 1) * _UNCHANGED if part == RETURNED else _UNCHANGED
        return self.worth.get(part, 1.0) * usual * (_CHANGED if is_changed else 1.0)

    def _is_right(self, case: ObjectCase, part: str, reply: Any) -> bool:
        if part not in case.expected or reply is None:
            return True
        if isinstance(reply, Outcome) or isinstance(reply.get(part), Outcome):
            return False
        got, right = self.arrange(part, reply.get(part)), self.arrange(part, case.expected[part])
        return is_equal(got, right) or (not _is_symbolic(right) and is_right(got, right))

    def arrange(self, part: str, value: Any) -> Any:
        """Return a value in the order of its items' texts, where they have no order of their own."""
        if part not in self.unordered or not isinstance(value, (list, tuple)):
            return value
        items = [tuple(each) if isinstance(each, list) else each for each in value]
        return sorted(items, key=repr)

    def _explain(
        self, right: Sequence[Mapping[str, bool]], replies: Sequence[Any], broken: Sequence[str]
    ) -> CheckFailed:
        text = describe_failures(self.parts, [case.kinds for case in self.cases], right)
        changes = f"{self.function} changes {join_words(broken)}" if broken else ""
        what = "; ".join(filter(None, (text, changes)))
        found = next(((k, part) for k, each in enumerate(right) for part in self.parts if not each[part]), None)
        if found is None:
            hint = "Work on lists and arrays of the object's own, made by its constructor."
            return CheckFailed(what, expected="them to be left as they were", found="they were changed", hint=hint)
        number, part = found
        return self._compare(what, self.cases[number], part, replies[number])

    def _compare(self, what: str, case: ObjectCase, part: str, reply: Any) -> CheckFailed:
        """Compare the first wrong value again, for the words on how it differs."""
        value = reply if isinstance(reply, Outcome) else reply.get(part)
        if isinstance(value, Outcome):
            return describe_error(what, value)
        got, right, names = value, case.expected[part], self.unordered.get(part, ())
        try:
            if _is_symbolic(right):
                checks.equal(part, got, right, parts=(names[0], names[1]) if len(names) > 1 else None)
            else:
                compare_part(part, got, right)
        except CheckFailed as failed:
            return failed.describe_as(what, relation=failed.relation)
        raise AssertionError("a part is wrong and passes its comparison")


def _are_idle(cases: Sequence[ObjectCase], replies: Sequence[Any]) -> bool:
    """Tell whether no single step changed anything that it should have."""
    pairs = zip(cases, replies, strict=True)
    seen = [(case, reply) for case, reply in pairs if case.before and len(case.steps) == 1]
    return bool(seen) and all(
        not isinstance(reply, Outcome) and all(is_equal(reply.get(part), was) for part, was in case.before.items())
        for case, reply in seen
    )


def _is_symbolic(value: Any) -> bool:
    """Tell whether a value holds no float, so that it is right or wrong without a tolerance."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_symbolic, value))
    return value is None or isinstance(value, (str, bool, int))


def _is_kept(reply: Any, name: str, value: Any) -> bool:
    """Tell whether a promise is kept; what cannot be read was not changed."""
    if reply is None or isinstance(reply, Outcome) or isinstance(reply[name], Outcome):
        return True
    if name == BESIDE:
        return all(
            isinstance(reply[name][each], Outcome) or is_equal(reply[name][each], was) for each, was in value.items()
        )
    return is_equal(reply[name], value)
