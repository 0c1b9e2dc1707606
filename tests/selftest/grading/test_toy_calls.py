"""Toys: a worker answers calls of a check's functions that have a source, and nobody can tell it from the grader."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.checks import checks
from autograder.grading.memory import WorkerMemory
from autograder.sandbox.host.bounded_exports import BoundedExports
from autograder.sandbox.host.callbacks import Callback, CallbackSource, Refuse
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.exports import Gives, ToysLeft
from autograder.sandbox.limits import Need
from autograder.sandbox.protocol.encoder import encode
from autograder.student import ServedObject, Student
from tests.selftest.support.toy_scripts import Results, judge_all, make_material, make_test, summarize

pytestmark = pytest.mark.slow

DEFINITION = """
class Counter:
    def __init__(self):
        self.seen = []
        self.row = np.array([1.0, 2.0])
    def add(self, x):
        if len(self.seen) == 5:
            raise RuntimeError("it is full")
        self.seen.append(x)
        return self.seen
    def take(self):
        return self.seen.pop()
    def scale(self, by):
        return self.row * np.sum([by]) * np.linalg.norm([by])
    def show(self):
        return self.row
    def turn(self, x):
        return np.transpose(x)
    def same(self, x):
        return x
    def count(self, x):
        return np.size(x)
    def ask(self, counter):
        return [counter.count(7.0), 2.0]
"""
NEED = Need(2, call_s=1)  # so that the limit is 200 calls


def give_counter(student: Student, source: CallbackSource) -> Any:
    """Give a counter; return the value of the student's function."""
    counter = CallbackSource(DEFINITION, "Counter()").make()

    def add(x: Any) -> list[Any]:
        try:
            return list(counter.add(x))
        except RuntimeError as error:
            raise Refuse(str(error)) from error

    methods = {"add": Callback(add, keywords=[("x",)]), "take": Callback(counter.take), "show": Callback(counter.show)}
    methods |= {name: Callback(getattr(counter, name), keywords=[("x",)]) for name in ("turn", "same", "count", "ask")}
    methods["scale"] = Callback(counter.scale, keywords=[("by",)])
    return student.shapes.double(ServedObject("counter", source=source, **methods))


def judge(zygote: Zygote, text: str, *, is_watched: bool = False) -> Results:
    """Judge a file whose function has a counter to call."""
    source = CallbackSource(DEFINITION, "Counter()", is_watched=is_watched)

    def check_counter(student: Student) -> None:
        checks.close("the values", np.asarray(give_counter(student, source)), np.array([1.0, 2.0]))

    tests = [make_test(check_counter, "double", need=NEED)]
    return summarize(judge_all(make_material(text), tests, zygote, uses_scripts=False))


def let_the_grader_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have workers send each call to the grader."""
    monkeypatch.setattr(WorkerMemory, "start_check", lambda self: setattr(self, "gives", Gives.NO_TOYS))


# What students might do with the counter, each as the body of the function.
BODIES = {
    "asks": "    counter.add(1.0)\n    return counter.add(2.0)\n",
    "asks by keyword": "    counter.add(x=1.0)\n    return counter.add(x=2.0)\n",
    "asks with a wrong keyword": "    return counter.add(value=1.0)\n",
    "asks for what is not there": "    return counter.sub(1.0)\n",
    "changes an answer": "    counter.add(1.0).append(7.0)\n    return counter.add(2.0)\n",
    "changes an array that it was given": "    counter.show()[0] = 7.0\n    return counter.show()\n",
    "changes numpy": "    import numpy\n    numpy.sum = lambda x: 9.0\n    return counter.scale(1.0)\n",
    "gets an array in C order": (
        "    import numpy\n    turned = counter.turn(numpy.zeros((2, 3)))\n"
        "    return [1.0, 2.0] if turned.flags.c_contiguous else [turned.flags.f_contiguous, 7.0]\n"
    ),
    "gets its object back": "    made = object()\n    return [counter.same(made) is made, 2.0]\n",
    "gets the counter back": "    return [counter.same(counter) is counter, 2.0]\n",
    "gives the counter to itself": "    return counter.ask(counter)\n",
    "gives the counter in a list": "    return [counter.same([counter])[0] is counter, 2.0]\n",
    "gives more than a message holds": (
        "    import numpy\n    for _ in range(25): counter.count(numpy.zeros(100_000))\n    return [1.0, 2.0]\n"
    ),
    "gives more than a message holds and fails": (
        "    import numpy\n    for _ in range(25): counter.count(numpy.zeros(100_000))\n    raise KeyError\n"
    ),
    "gets what no message holds": "    return counter.same((1 << 8190)) and counter.same({1: 2.0})\n",
    "changes an argument later": (
        "    x = [1.0]\n    counter.add(x)\n    x[0] = 2.0\n    return [y for [y] in counter.add(x)]\n"
    ),
    "goes on until it is refused": "    return [counter.add(float(number)) for number in range(9)]\n",
    "ignores the refusal": (
        "    for number in range(9):\n        try: counter.add(number)\n        except ValueError: pass\n"
        "    return [counter.take(), 2.0]\n"
    ),
    "gives an object": "    counter.add(1.0)\n    return [each == [] for each in counter.add(object())]\n",
    "gives an array": "    import numpy\n    return counter.add(numpy.arange(3, dtype=numpy.float16))\n",
    "gives what cannot cross": "    import numpy\n    return counter.add(numpy.zeros(2, 'datetime64[s]'))\n",
    "gives too much": "    return counter.add('x' * 2**21)\n",
    "ends in an error of the toy's": "    return counter.take()\n",
    "asks 200 times": "    for _ in range(100): counter.add(1.0); counter.take()\n    return [1.0, 2.0]\n",
    "asks 201 times": "    for _ in range(100): counter.add(1.0); counter.take()\n    return counter.add(2.0)\n",
    "asks for ever": "    while True: counter.add(1.0); counter.take()\n",
    "gives a number of numpy's": "    import numpy\n    return [x * 1.0 for x in counter.add(numpy.float32(0.1))]\n",
    "prints": "    print(counter.add(1.0))\n    return counter.add(2.0) * 2\n",
    "ends its process": "    counter.add(1.0)\n    import os; os._exit(0)\n",
}


@pytest.mark.parametrize("is_watched", [False, True], ids=["counted", "repeated"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_nobody_can_tell_it_from_the_grader(
    body: str, is_watched: bool, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"def double(counter):\n{body}"
    found = judge(zygote, text, is_watched=is_watched)
    assert found[0][0] != "undecided"
    let_the_grader_answer(monkeypatch)
    assert judge(zygote, text, is_watched=is_watched) == found


def test_a_watched_call_is_answered_by_the_grader_where_the_worker_says_something_else(zygote: Zygote) -> None:
    text = "import numpy\nnumpy.linalg.norm = lambda x: 9.0\ndef double(counter): return counter.scale(1.0)\n"
    found = [judge(zygote, text, is_watched=is_watched)[0][0] for is_watched in (True, False)]
    assert found == ["passed", "failed"]  # only what is watched is repeated


@pytest.mark.parametrize(
    ("body", "is_toy", "crossed"),
    [("asks", True, 0), ("asks", False, 2), ("gives the counter to itself", True, 0)],
)
def test_no_call_of_a_toy_crosses(
    body: str, is_toy: bool, crossed: int, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    answer = BoundedExports.answer_callback

    def note(self: BoundedExports, *call: Any, **size: Any) -> Any:
        seen.append(call)
        return answer(self, *call, **size)

    monkeypatch.setattr(BoundedExports, "answer_callback", note)
    if not is_toy:
        let_the_grader_answer(monkeypatch)
    ((verdict, *_),) = judge(zygote, f"def double(counter):\n{BODIES[body]}")
    assert (verdict, len(seen)) == ("passed", crossed)


@pytest.mark.parametrize(
    "value", [object(), 2**10_000, MemoryError()], ids=["an object", "a large number", "no memory"]
)
def test_a_call_that_the_grader_cannot_repeat_leaves_the_toys(value: object) -> None:
    def answer(_: object) -> object:
        if isinstance(value, MemoryError):
            raise value
        return value

    exports = BoundedExports(Gives.ALL_TOYS)
    exports.add(Callback(answer, keywords=[("x",)], source=CallbackSource(DEFINITION, "Counter().same")))
    with pytest.raises(ToysLeft):
        exports.add_calls([], [(0, "", encode(((1.0,), {})), encode(1.0))])
