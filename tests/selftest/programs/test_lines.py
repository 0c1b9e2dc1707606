"""The lines of a program, run next to a module, print what the program returns when it is run on that module."""

import copy
import inspect
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from autograder.contracts.driver import Driver, error_of, in_worker, trace
from autograder.programs.calls import lay_out, write_call
from autograder.programs.lines import Spelling, write_lines
from autograder.programs.program import Make, Program, list_results, run_program
from autograder.programs.recipes import SLICED, TRANSPOSED, Constant, Generator, Toy, make_toy
from autograder.programs.source import Source

X = np.arange(12.0).reshape(3, 4) / 8


def affine_forward(x: Any, w: Any, b: Any) -> Any:
    """Return the values of a layer, and what its backward needs."""
    return x @ w + b, (x, w)


def affine_backward(dout: Any, cache: Any) -> Any:
    """Return the gradients of the three arguments."""
    x, w = cache
    return dout @ w.T, x.T @ dout, dout.sum(axis=0)


def shuffle(x: Any, rng: Any) -> Any:
    """Change the order of the rows, in place."""
    rng.shuffle(x)
    return x[0].copy()


def descend(f: Any, x: float, steps: int, after: Any = None) -> float:
    """Go down the slope."""
    for _ in range(steps):
        x = x - f(x)
    return after(x) if after else x


def sample(dataset: Any, words: Any) -> Any:
    """Return drawn words."""
    return [words[dataset.draw()] for _ in range(3)]


class SmallParse:
    """A parse that shifts words."""

    def __init__(self, sentence: list[str]) -> None:
        self.sentence = sentence
        self.stack, self.buffer = ["ROOT"], list(sentence)

    def step(self, transition: str) -> str:
        """Shift a word."""
        if transition != "S":
            raise ValueError(transition)
        self.stack.append(self.buffer.pop(0))
        return self.stack[-1]


class Sampler:
    """Draws in a written order."""

    def __init__(self, draws: list[int]) -> None:
        self.draws, self.count = draws, 0

    def draw(self) -> int:
        """Return the next draw."""
        self.count += 1
        return self.draws[self.count % len(self.draws)]


def halve(x: Any) -> Any:
    """Halve it."""
    return x / 2


def double(x: Any) -> Any:
    """Double it."""
    return 2 * x


WORK = {each.__name__: each for each in (affine_forward, affine_backward, shuffle, descend, sample, SmallParse)}
SPELLINGS = {name: Spelling("work", name, tuple(inspect.signature(each).parameters)) for name, each in WORK.items()}


def there_and_back(student: Any, x: Any, w: Any, b: Any, dout: Any) -> Any:
    """Pass a cache on."""
    out, cache = student.affine_forward(x, w, b)
    return out, student.affine_backward(dout, cache)


def one_step(student: Any, sentence: Any, stack: Any, buffer: Any) -> Any:
    """Set a state, and see the next."""
    parse = student.SmallParse(sentence)
    parse.stack, parse.buffer = stack, buffer
    parse.step("S")
    return parse.stack, parse.buffer, sentence


def each_state(student: Any, sentence: Any) -> Any:
    """See the state after each step."""
    parse = student.SmallParse(sentence)
    states = []
    for _ in range(2):
        parse.step("S")
        states.append([parse.stack, parse.buffer])
    return states, parse.sentence


def before_and_after(student: Any, sentence: Any) -> Any:
    """Use what an attribute was before a step."""
    parse = student.SmallParse(sentence)
    before = parse.stack
    parse.stack = ["other"]
    return in_worker(student, sorted_copy)(before), parse.stack


def sorted_copy(words: Any) -> Any:
    """Sort."""
    return sorted(words)


def unknown_step(student: Any, sentence: Any) -> Any:
    """Expect an error."""
    parse = student.SmallParse(sentence)
    error = error_of(parse.step("X"))
    return error, error_of(parse.step("S")), parse.stack


def shuffle_often(student: Any, x: Any, rng: Any) -> Any:
    """Share a generator and an array."""
    first = student.shuffle(x, rng)
    return first, student.shuffle(x, rng), x, rng


def call_once(name: str) -> Driver:
    """Return the driver of one call."""
    return lambda student, *arguments: getattr(student, name)(*arguments)


LAYER = [X, np.ones((4, 2)), np.array([0.25, 0.5]), X[:, :2]]
SENTENCE = ["a", "good", "example"]
DRIVERS: dict[str, tuple[Driver, list[Any]]] = {
    "call": (call_once("affine_forward"), LAYER[:3]),
    "cache": (there_and_back, LAYER),
    "state": (one_step, [SENTENCE, ["ROOT", "a"], ["good"]]),
    "states": (each_state, [SENTENCE]),
    "old attribute": (before_and_after, [SENTENCE]),
    "error": (unknown_step, [SENTENCE]),
    "shared generator": (shuffle_often, [X, Generator(7)]),
    "toy": (call_once("sample"), [make_toy(Sampler, [0, 2, 1]), SENTENCE]),
    "functions": (call_once("descend"), [make_toy(halve, keywords=[["x", "z"]]), 3.0, 4, make_toy(double)]),
    "constant": (call_once("descend"), [Constant(0.5), 3.0, 4]),
}


def trace_on_work(driver: Driver, arguments: list[Any]) -> Program:
    """Trace a driver on the functions above."""
    return trace(driver, arguments, WORK.__getitem__)[0]


def write(name: str, arguments: list[Any]) -> str:
    """Write the lines of one call."""
    return write_lines(write_call(name, arguments), SPELLINGS)


def run_lines(text: str, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Run lines next to the functions above; return what they print."""
    work = ModuleType("work")
    vars(work).update(WORK)
    monkeypatch.setitem(sys.modules, "work", work)
    printed: list[Any] = []
    exec(text, {"print": lambda *shown: printed.extend(copy.deepcopy(shown))})
    return printed


def run_here(program: Program) -> list[Any]:
    """Run a program on the functions above; return the results in the order in which lines print them."""
    results = set(list_results(program.returned))
    ordered = sorted(results, key=lambda each: (isinstance(program.steps[each.number], Make), each.number))
    return run_program(Program(program.steps, tuple(ordered)), WORK.__getitem__)


CALLS = {
    "transposed": lay_out(write_call("affine_forward", LAYER[:3]), TRANSPOSED),
    "sliced": lay_out(write_call("affine_backward", [X[:, :2], (X, LAYER[1])]), SLICED),
    "other contents": write_call("affine_forward", LAYER[:3], before=[2 * each for each in LAYER[:3]]),
    "another list": write_call(
        "sample", [make_toy(Sampler, [1]), SENTENCE], before=[make_toy(Sampler, [2]), ["x"] * 3]
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_of_one_call_print_what_it_returns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = write_lines(CALLS[name], SPELLINGS)
    assert repr(run_lines(text, monkeypatch)) == repr(run_here(CALLS[name])), text


@pytest.mark.parametrize("name", DRIVERS)
def test_they_print_what_the_program_returns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = trace_on_work(*DRIVERS[name])
    text = write_lines(program, SPELLINGS)
    printed, returned = run_lines(text, monkeypatch), run_here(program)
    assert len(printed) == len(returned) > 0, text
    assert repr(printed) == repr(returned), text


def test_a_student_reads_the_driver_with_the_values_of_the_case() -> None:
    assert write_lines(trace_on_work(*DRIVERS["state"]), SPELLINGS) == (
        "from work import SmallParse\nsentence = ['a', 'good', 'example']\nparse = SmallParse(sentence)\n"
        "parse.stack = ['ROOT', 'a']\nparse.buffer = ['good']\nparse.step('S')\n"
        "print(parse.stack, parse.buffer, sentence)"
    )


def test_they_have_the_students_spelling() -> None:
    program = write_call("descend", [1, 2, 3])
    assert write_lines(program, {"descend": Spelling("mine", "go")}) == "from mine import go\nprint(go(1, 2, 3))"


def test_arguments_are_printed_as_the_call_left_them() -> None:
    text = write_lines(write_call("shuffle", [X, Generator(1)], left=[0, 1]), SPELLINGS)
    assert text.endswith("rng = np.random.default_rng(1)\nprint(shuffle(x, rng), x, rng.random())")


def test_a_dialogue_is_no_value_to_print() -> None:
    program = write_call("descend", [make_toy(halve).listen(), 1.0, 2], left=[0])
    assert write_lines(program, SPELLINGS).endswith("print(descend(halve, 1.0, 2))")


def test_there_are_none_for_a_file_that_cannot_be_imported_by_its_name() -> None:
    assert write_lines(write_call("descend", [1, 2, 3]), {"descend": Spelling("work (1)", "go")}) == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.zeros((0, 3)), "np.zeros((0, 3))"),
        (np.array([1, 2]), "np.array([1, 2])"),
        (np.array([True]), "np.array([True])"),
        (np.array([0.5], dtype=np.float32), "np.array([0.5], dtype=np.float32)"),
        (np.array(0.1 + 0.2), "np.array(0.3)"),
        (float("inf"), "float('inf')"),
        ({"b": [None, True, (1,)]}, "{'b': [None, True, (1,)]}"),
    ],
    ids=str,
)
def test_an_argument_has_its_type(value: Any, text: str) -> None:
    assert f"[{text}," in write("descend", [[value, "a text that makes it long"]])


@pytest.mark.parametrize(
    "argument",
    [
        np.zeros(1000),
        object(),
        "two words " * 30,
        "x" * 120,
        [["x" * 100] for _ in range(40)],
        Toy(Source("def descend(x):\n    return x", "descend")),
    ],
    ids=["large", "object", "broken text", "long text", "many lines", "the student's name"],
)
def test_there_are_none_for_what_has_no_short_text(argument: Any) -> None:
    assert write("descend", [argument]) == ""
