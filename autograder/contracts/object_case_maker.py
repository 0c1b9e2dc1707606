"""Object case maker: turns planned situations of a class into cases with their right values."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.checks.values import is_equal
from autograder.contracts.action import Repeated
from autograder.contracts.case import NOTHING, Case
from autograder.contracts.check import BESIDE, GIVEN, RETURNED
from autograder.contracts.object_design import Planned, describe_values, measure_axes, measure_values
from autograder.contracts.object_walk import (
    PromisedClass,
    Situation,
    Step,
    assign,
    read_state,
    take_steps,
    write_object,
)
from autograder.contracts.signature import ContractError
from autograder.programs.plain_values import IMMUTABLE
from autograder.programs.recipes import copy_argument as copy_value

_MOST_REPEATED = 12  # steps of one call


class ObjectCaseMaker:
    """Makes the cases of one method. `promises`: whether they look at what has to stay, too."""

    def __init__(self, promised: PromisedClass, method: str, *, promises: bool = True) -> None:
        self._promised, self._method, self._promises = promised, method, promises
        self._action = promised.actions[method]
        self._parameters = list(inspect.signature(getattr(promised.reference, method)).parameters)[1:]

    def find_situations(self, rng: np.random.Generator, *, is_ordinary: bool = False) -> list[Situation]:
        """Find situations in which the method is called, with their lengths; ContractError where there is none."""
        found = self._promised.find_situations(rng, is_ordinary=is_ordinary)
        if isinstance(self._action, Repeated):
            found = list(_list_repeated(found, self._action.action, self._method, rng))
        own = [each for each in found if each.step.method == self._method]
        if not own:
            name = f"{self._promised.name}.{self._method}"
            raise ContractError(f"{name}: no walk comes to a state in which it may be called")
        return [each._replace(measures=self.measure(each)) for each in own]

    def measure(self, situation: Situation) -> dict[str, int]:
        """Measure the state, and the arguments of a method that takes more than a value of a closed set."""
        values = self._list_values(situation.state, situation.step)
        return measure_values(values) if self._promised.state else {**measure_values(values), **measure_axes(values)}

    def make(self, planned: Planned) -> Case | None:
        """Make a case; None where no other value of an attribute is legal."""
        situation = planned.situation
        if planned.is_walk or not self._promised.state:
            steps = (*situation.before, situation.step)
            return self._finish(planned, situation.arguments, NOTHING, steps)
        state = dict(situation.state)
        if planned.replaced is not None:
            name, others = planned.replaced
            found = next((each for each in others if self._is_legal({**state, name: each}, situation)), None)
            if found is None:
                return None
            state[name] = found
        given = self._find_arguments(situation.arguments, state)
        return self._finish(planned, *given, (situation.step,))

    def _finish(
        self,
        planned: Planned,
        arguments: tuple[Any, ...],
        assigned: Mapping[str, Any],
        steps: tuple[Step, ...],
    ) -> Case:
        made = self._make(arguments, assigned)
        take_steps(made, steps[:-1])
        before = read_state(made, self._promised.state)
        returned = copy_value(take_steps(made, steps[-1:]))
        after = read_state(made, self._promised.state)
        promised = read_state(made, self._promised.kept if self._promises else ())
        looks_beside = planned.looks_beside and self._promises
        observed = (*self._promised.state, *promised)
        if looks_beside:
            other = read_state(self._make(arguments), observed)
            promised |= {BESIDE: [other.get(name) for name in observed], GIVEN: list_changeable(arguments)}
        program, names = write_object(
            self._promised.name, arguments, assigned, steps, observed, looks_beside=looks_beside
        )
        return Case(
            program,
            arguments,
            after if returned is None else {**after, RETURNED: returned},
            f"{self._promised.describe_step(steps[-1])} {planned.group}".strip(),
            tuple(self._describe(planned, before, steps)),
            promised=promised,
            names=names,
            steps=tuple(each.method for each in steps),
            before={name: before[name] for name in before if not is_equal(before[name], after[name])},
        )

    def _describe(self, planned: Planned, state: Mapping[str, Any], steps: Sequence[Step]) -> Iterator[str]:
        label = self._promised.describe_step(steps[-1])
        special = [*planned.words, *describe_values(self._list_values(state, steps[-1]))]
        if label:
            yield from (f"after {label} {words}" for words in special)
            yield from dict.fromkeys(f"after {self._promised.name_step(step)}" for step in reversed(steps))
        yield from special

    def _list_values(self, state: Mapping[str, Any], step: Step) -> dict[str, Any]:
        given = {} if callable(self._action) else dict(zip(self._parameters, step.arguments, strict=False))
        return {**given, **state}

    def _find_arguments(
        self, arguments: tuple[Any, ...], state: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Find constructor's arguments by which as much of a state as can be stands there, and what is assigned.

        What the constructor makes itself has the student's own form, such as a deque.
        """
        started = read_state(self._make(arguments), self._promised.state)
        chosen = list(arguments)
        for name, value in state.items():
            places = [place for place, each in enumerate(arguments) if isinstance(each, list)]
            places = [place for place in places if is_equal(arguments[place], started[name])]
            if places and value:
                chosen[places[0]] = copy_value(value)
        started = read_state(self._make(chosen), self._promised.state)
        return tuple(chosen), {
            name: copy_value(value) for name, value in state.items() if not is_equal(value, started[name])
        }

    def make_step(self, situation: Situation) -> Case:
        """Make a case of one step in which all is assigned that the constructor need not know; nothing is worth points.

        `before` has the assigned parts that the step changes.
        """
        arguments, _ = self._find_arguments(situation.arguments, situation.state)
        started = read_state(self._make(arguments), self._promised.state)
        held = {name for name, value in started.items() if any(is_equal(value, each) for each in arguments)}
        assigned = {name: value for name, value in situation.state.items() if name not in held}
        case = self._finish(Planned(situation, ""), arguments, assigned, (situation.step,))
        before = {name: value for name, value in case.before.items() if name in assigned}
        program, names = write_object(self._promised.name, arguments, assigned, (situation.step,), tuple(before))
        return Case(program, arguments, {}, names=names, steps=case.steps, before=before)

    def _is_legal(self, state: Mapping[str, Any], situation: Situation) -> bool:
        """Tell whether the step may be taken in a state, and the right class takes it."""
        try:
            made = self._make(*self._find_arguments(situation.arguments, state))
            for step in self._promised.list_repeated(situation.step):
                if not self._promised.is_legal(made, step):
                    return False
                take_steps(made, [step])
        except Exception:  # noqa: BLE001  (a state of other sizes may be anything to the right class)
            return False
        return True

    def _make(self, arguments: Sequence[Any], assigned: Mapping[str, Any] = NOTHING) -> Any:
        made = self._promised.reference(*copy_value(tuple(arguments)))
        assign(made, assigned)
        return made


def list_changeable(arguments: Sequence[Any]) -> list[Any]:
    """List copies of the arguments that calls could change."""
    return [copy_value(each) for each in arguments if not isinstance(each, IMMUTABLE)]


def _list_repeated(
    found: Sequence[Situation], action: str, method: str, rng: np.random.Generator
) -> Iterator[Situation]:
    """List calls with as many of the steps that follow a state, and with the steps before it in such calls, too."""
    for each in found:
        if each.after[:1] != (each.step,) or any(step.method != action for step in (*each.before, *each.after)):
            continue
        count = int(rng.integers(min(_MOST_REPEATED, len(each.after)) + 1))
        cut = int(rng.integers(len(each.before) + 1))
        before = [_join(method, part) for part in (each.before[:cut], each.before[cut:]) if part]
        yield each._replace(
            step=_join(method, each.after[:count]), before=tuple(before) if cut % 2 else each.before, after=()
        )


def _join(method: str, steps: Sequence[Step]) -> Step:
    return Step(method, ([step.arguments[0] for step in steps],))
