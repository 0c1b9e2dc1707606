"""A function that takes a cache, and each method of a class, is drafted with a driver of several calls."""

import re
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from autograder.contracts import Contract, ContractError, SignatureError, judge_functions
from autograder.contracts.driver import in_worker
from autograder.contracts.promised import Slopes
from autograder.questions.contract_draft import draft_contracts, read_names
from autograder.questions.drawn_report import describe_drawn
from autograder.questions.driver_draft import DriverDraft, draft_driver
from tests.selftest.contracts import toy_classes
from tests.selftest.meta.test_contracts_page import run
from tests.selftest.support.project_sources import PROJECT

FORWARD = "skip(x: (N,), by: {stride: 1 | 2}, scale: float = 1.0) -> out: (M,), cache where N >= 2"
MEANS = "Means(D: int, C: int, rate: float (0, 1))"
TRAIN = "Means.train(x: (N, D), y: (N,) < C)"
PREDICT = "Means.predict(points: (M, D)) -> labels: (M,)"


class Layer:
    """Starts at random, and stores its gradients."""

    def __init__(self, D: int, M: int) -> None:
        self.W = np.random.default_rng().normal(size=(D, M))
        self.b = np.zeros(M)

    def forward(self, x: Any) -> Any:
        """Keep x."""
        self.x = x
        return x @ self.W + self.b

    def backward(self, dout: Any) -> Any:
        """Set dW."""
        self.dW = self.x.T @ dout
        return dout @ self.W.T


class Mean:
    """Moves with each number."""

    def __init__(self) -> None:
        self.numbers: list[float] = []

    def push(self, x: float) -> None:
        """Add a number."""
        self.numbers.append(x)

    def pop(self) -> float:
        """Remove a number."""
        return self.numbers.pop()

    def value(self, scale: float = 1.0) -> Any:
        """Return the mean."""
        return scale * np.mean(self.numbers)


class Descent:
    """Takes steps in place."""

    def __init__(self, rate: float) -> None:
        self.rate, self.velocity = rate, 0.0

    def step(self, w: Any, dw: Any) -> None:
        """Change w."""
        self.velocity = 0.5 * self.velocity - self.rate * dw
        w += self.velocity


class Norm:
    """Moves a mean with each forward pass, and keeps its weights in a dict."""

    def __init__(self, D: int) -> None:
        self.params = {"w": np.random.default_rng().normal(size=D), "b": np.zeros(D)}
        self.mean = np.zeros(D)

    def forward(self, x: Any) -> Any:
        """Keep x."""
        self.x, self.mean = x, 0.9 * self.mean + 0.1 * x.mean(axis=0)
        return self.params["w"] * x + self.params["b"]

    def backward(self, dout: Any) -> Any:
        """Return the gradients in a dict."""
        return {"w": (dout * self.x).sum(axis=0), "b": dout.sum(axis=0)}


class Net:
    """Keeps its weights in a list."""

    def __init__(self, D: int, M: int) -> None:
        rng = np.random.default_rng()
        self.weights = [rng.normal(size=(D, M)), rng.normal(size=M)]
        self.sizes = [D, M]

    def forward(self, x: Any) -> Any:
        """Return two products."""
        first, second = self.weights
        return x @ first @ second


class Loss:
    """Returns a number, then its gradient."""

    def forward(self, x: Any) -> Any:
        """Keep x."""
        self.x, self.kept = x, {"half": x / 2, "sign": np.sign(x)}
        return float((x * x).sum())

    def backward(self) -> Any:
        """Return the gradient."""
        return 2 * self.x


class Noise:
    """Draws with a generator that it is given."""

    def __init__(self, rng: Any) -> None:
        self.rng = rng

    def add(self, x: Any) -> Any:
        """Return x with noise."""
        return x + self.rng.random(x.shape)


class Drawn:
    """Starts with an array of no known size."""

    def __init__(self, D: int) -> None:
        self.W = np.random.default_rng().normal(size=2 * D + 1)

    def ask(self) -> Any:
        """Return the array."""
        return self.W * 2


def transform(x: Any) -> Any:
    """Return the Fourier transform."""
    return np.fft.fft(x)


def split(X: Any) -> Any:
    """Return both parts."""
    return np.real(X), np.imag(X)


def run_transform(student: Any, x: Any) -> Any:
    """Split what is returned."""
    return in_worker(student, split)(student.transform(x))


MODULE = ModuleType("reference")
for _class in (Layer, Mean, Descent, Norm, Net, Loss, Noise, Drawn):
    setattr(MODULE, _class.__name__, _class)


def draft(module: ModuleType, *signatures: str) -> list[DriverDraft]:
    """Draft all that is named."""
    texts = read_names(signatures)
    drafted = (draft_driver(module, name, texts) for name in texts)
    return [each for each in drafted if each is not None]


def read_body(drafted: DriverDraft) -> list[str]:
    """Read the lines of a driver behind its docstring."""
    return [line.strip() for line in drafted.source.partition('"""\n')[2].splitlines()]


class TestCache:
    def test_an_argument_that_has_the_size_of_a_returned_value_is_drawn(self) -> None:
        texts = {"skip": FORWARD, "back": "back(dout: (M,), cache: cache of skip) -> dx: (N,) where N < 99"}
        drafted = draft_driver(ModuleType("reference"), "back", texts)
        assert drafted is not None
        condition = "N >= 2 and N < 99"
        assert drafted.text == f"x: (N,), by: {{stride: 1 | 2}}, scale: float, dout: any -> dx: (N,) where {condition}"
        assert "    _out, cache = student.skip(x, by, scale)\n    return student.back(dout, cache)" in drafted.source
        assert '    by = {"stride": known["stride"]}\n' in drafted.source
        assert "    out, _cache = reference.skip(x, by, scale)\n    return rng.normal(size=out.shape)" in drafted.source
        assert set(drafted.options) == {"driver", "draw"}

    def test_an_argument_whose_size_nothing_has_is_refused(self) -> None:
        texts = {"skip": FORWARD, "back": "back(dout: (K,), cache: cache of skip) -> dx: (N,)"}
        with pytest.raises(SignatureError, match="back: nothing says how large K is, an axis of dout"):
            draft_driver(ModuleType("reference"), "back", texts)


class TestDrawn:
    def test_the_solution_draws_what_a_signature_calls_by_a_word(self) -> None:
        module = ModuleType("reference")
        exec(
            "def draw_graph(known, rng, style): return {0: [1], 1: []}\n"
            "def count(graph): return len(graph)\n"
            "class Walk:\n    def __init__(self, edges): self.edges = edges\n"
            "    def first(self): return self.edges[0][0]\n",
            vars(module),
        )
        (counted, walked), _ = draft_contracts(
            module, ["count(graph: graph) -> n", "Walk(edges: graph)", "Walk.first() -> node"]
        )
        assert counted.options["draw"] == {"graph": module.draw_graph}
        assert walked.options["draw"] == {"edges": module.draw_graph}
        _, refused = draft_contracts(module, ["count(graph: tree) -> n"])
        told = "for `new question` write `graph: word`, and draw_word(known, rng, style) in the solution"
        assert refused["count"] == f"count: graph is tree; say how to draw it: draw={{'graph': function}}; {told}"

    def test_the_solution_makes_what_cannot_cross(self) -> None:
        """The example of docs/contracts.md."""
        text = (PROJECT / "docs" / "contracts.md").read_text(encoding="utf-8")
        (source,) = re.findall(r"```python\n# graphs\.py\n(.*?)```", text, re.DOTALL)
        (signature,) = re.findall(r"--reference graphs\.py '(.*?)'", text)
        module = run("graphs", [source])
        (drafted,), refused = draft_contracts(module, [signature])
        assert not refused
        assert drafted.source.endswith(
            "    table = in_worker(student, reference.make_table)(table)\n    return student.count_links(table, start)"
        )
        made = describe_drawn(module, drafted, [drafted.contract.derive("ordinary", "a seed")])
        assert made.startswith("count_links(table=[[[0, ")

    def test_complex_numbers_are_refused_by_their_name(self) -> None:
        module = ModuleType("reference")
        exec("import numpy as np\ndef transform(x): return np.fft.fft(x)", vars(module))
        _, refused = draft_contracts(module, ["transform(x: (N,)) -> X: (N,)"])
        told = "transform: complex numbers are not compared; return the real and the imaginary part, or let a driver="
        assert refused["transform"] == f"{told} take them apart"

    def test_a_driver_takes_complex_numbers_apart(self) -> None:
        """As docs/contracts.md says."""
        contract = Contract(transform, "x: (N,) -> real, imag", driver=run_transform)
        check = contract.derive("everywhere", "a seed")
        for right in (transform, lambda x: transform(x).tolist()):
            assert judge_functions(check, {"transform": right}.get) == (1.0, None)
        for wrong in (lambda x: transform(x).real, lambda x: transform(x).conj()):
            share, _ = judge_functions(check, {"transform": wrong}.get)
            assert share < 0.7


class TestItems:
    def test_dicts_and_sets_are_listed_where_the_student_s_code_runs(self) -> None:
        module = ModuleType("reference")
        exec(
            "def count(words): return {pair: words.count(pair[0]) for pair in zip(words, words[1:])}, {*words}\n"
            "def keep(config): return config\n"
            "def share(words, least=1): return {word: least + 1 for word in words}\n"
            "class Counts:\n    def __init__(self): self.pairs = {}\n"
            "    def add(self, table): self.pairs.update(table)\n"
            "    def total(self): return sum(self.pairs.values())\n"
            "def draw_table(known, rng, style): return [[[1, 2], 3], [[int(rng.integers(9)), 4], 5]]\n"
            "def make_table(pairs): return {tuple(key): value for key, value in pairs}\n"
            "def name(x): return {'W': x}\n"
            "def pair(x): return [(1, 2)]\n"
            "class Graph:\n    def __init__(self): self.edges = {}\n"
            "    def add(self, i, j): self.edges[i, j] = 1\n",
            vars(module),
        )
        counted, kept, shared, named, paired, added, total = draft(
            module,
            "count(words: [str]) -> counts, words",
            "keep(config: {rate: float}) -> config",
            "share(words: [str], least: int = 1) -> shares",
            "name(x: (N,)) -> grads: {W: (N,)}",
            "pair(x: (N,)) -> pairs",
            "Graph.add(i: int < 9, j: int < 9) -> edges",
            "Counts()",
            "Counts.add(table: table)",
            "Counts.total() -> total",
        )
        assert read_body(shared) == ["return in_worker(student, sort_items)(student.share(words, *others))"]
        assert read_body(total)[3:] == [
            "second_table = in_worker(student, reference.make_table)(second_table)",
            "made.add(second_table)",
            "table = in_worker(student, reference.make_table)(table)",
            "made.add(table)",
            "return made.total()",
        ]
        assert read_body(counted) == ["return in_worker(student, sort_items)(student.count(words))"]
        assert kept.source == ""  # a function may keep more in a dict that it was given
        assert named.source == paired.source == ""
        assert read_body(added)[-1] == "return in_worker(student, sort_items)(made.edges)"


class TestClass:
    def test_a_method_is_called_behind_those_that_change_the_object(self) -> None:
        (drafted,) = draft(toy_classes, MEANS, TRAIN, PREDICT)
        assert drafted.name == "Means.predict"
        assert drafted.text.endswith("points: (M, D) -> labels: (M,)")
        assert read_body(drafted) == [
            "made = student.Means(D, C, rate)",
            "made.train(first_x, first_y)",  # after it the means have moved a part of the way
            "made.train(second_x, second_y)",
            "made.train(x, y)",
            "return made.predict(points)",
        ]

    def test_names_behind_what_is_returned_are_attributes(self) -> None:
        trained, asked = draft(toy_classes, MEANS, f"{TRAIN} -> means: (C, D), seen", f"{PREDICT}, rate where N > M")
        assert read_body(trained)[-2:] == ["made.train(x, y)", "return made.means, made.seen"]
        assert read_body(asked)[-2:] == ["labels = made.predict(points)", "return labels, made.rate"]
        assert asked.text.endswith("points: (M, D) -> labels: (M,), rate where N > M")

    def test_a_random_start_is_assigned_and_stored_gradients_are_checked(self) -> None:
        names = ("Layer(D: int, M: int)", "Layer.forward(x: (N, D)) -> out: (N, M)")
        backward = "Layer.backward(dout: (N, M)) -> dx: (N, D), dW: (D, M)"
        (_, drafted), refused = draft_contracts(MODULE, [*names, backward])
        assert not refused
        assert drafted.text.startswith("D: int, M: int, W: (D, M), b: (M,), x: (N, D), dout: (N, M) -> dx")
        assert drafted.source.count("    made.W = W\n    made.b = b\n") == 2
        assert "    dx = made.backward(dout)\n    return dx, made.dW" in drafted.source
        gradient = drafted.options["gradient"]
        assert isinstance(gradient, Slopes)
        assert (gradient.by, gradient.times, drafted.forward) == ({"dx": "x", "dW": "W"}, ["dout"], "forward")

    def test_a_gradient_is_asked_for_behind_one_pass_although_two_add_up(self) -> None:
        forward, backward = "Norm.forward(x: (N, D)) -> out: (N, D), mean: (D,)", "Norm.backward(dout: (N, D))"
        _, drafted = draft(MODULE, "Norm(D: int)", forward, f"{backward} -> grads: {{w: (D,), b: (D,)}}")
        assert read_body(drafted)[1:-1] == ["made.params = params", "made.mean = mean", "made.forward(x)"]
        assert read_body(drafted)[-1] == "return made.backward(dout)"  # the keys of grads are parts
        assert "params: {w: (D,), b: (D,)}" in drafted.text
        assert drafted.slopes is not None

    def test_gradients_in_a_dict_are_the_slopes_of_a_dict(self) -> None:
        module = ModuleType("reference")
        exec(
            "def cost(x, p, name):\n"
            "    z = x * p['w'] + p['b']\n"
            "    return (z * z).sum(), {'w': 2 * x * z, 'b': 2 * z.sum()}\n",
            vars(module),
        )
        given, returned = "{w: (N,), b: float}, name: {is: 'a' | 'b', of: 'c' | 'd'}", "{w: (N,), b: float}"
        (cost,), refused = draft_contracts(module, [f"cost(x: (N,), p: {given}) -> loss: float, grads: {returned}"])
        assert not refused
        assert cost.options["gradient"] == {"grads": "p"}
        names = ["Norm(D: int)", "Norm.forward(x: (N, D)) -> out: (N, D)"]
        back = "Norm.backward(dout: (N, D)) -> grads: {w: (D,), b: (D,)}"
        (_, drafted), _ = draft_contracts(MODULE, [*names, back])
        gradient = drafted.options["gradient"]
        assert isinstance(gradient, Slopes)
        assert (gradient.by, gradient.times) == ({"grads": "params"}, ["dout"])

    def test_an_attribute_whose_keys_are_said_stays_a_dict(self) -> None:
        (drafted,) = draft(MODULE, "Loss.forward(x: (N, D)) -> loss: float, kept: {half: (N, D), sign: (N, D)}")
        assert read_body(drafted)[-1] == "return loss, made.kept"

    def test_a_random_start_in_a_list_is_assigned(self) -> None:
        (drafted,) = draft(MODULE, "Net(D: int, M: int)", "Net.forward(x: (N, D)) -> out: (N,)")
        assert drafted.text == "D: int, M: int, weights_0: (D, M), weights_1: (M,), x: (N, D) -> out: (N,)"
        assert read_body(drafted)[1] == "made.weights = [weights_0, weights_1]"

    def test_a_long_head_has_a_line_for_each_argument(self) -> None:
        names = [f"number_{count}" for count in range(9)]
        module = ModuleType("reference")
        exec(f"def count({', '.join(names)}): return {{1}}", vars(module))
        (counted,) = draft(module, f"count({', '.join(f'{name}: int' for name in names)}) -> numbers")
        assert counted.source.startswith("def run_count(\n    student: Any,\n    number_0: Any,\n    number_1: Any,\n")
        assert "    number_8: Any,\n) -> Any:\n" in counted.source

    def test_a_loss_without_an_argument_behind_it_has_slopes(self) -> None:
        names = ["Loss.forward(x: (N, D)) -> loss: float", "Loss.backward() -> dx: (N, D)"]
        (_, drafted), _ = draft_contracts(MODULE, names)
        gradient = drafted.options["gradient"]
        assert isinstance(gradient, Slopes)
        assert (gradient.by, gradient.times) == ({"dx": "x"}, [])

    def test_an_object_may_be_given_a_generator(self) -> None:
        (drafted,), refused = draft_contracts(MODULE, ["Noise(rng: generator)", "Noise.add(x: (N,)) -> y: (N,)"])
        assert not refused
        assert drafted.text == "rng: generator, x: (N,) -> y: (N,)"

    def test_calls_that_add_up_are_three_with_other_numbers(self) -> None:
        (drafted,) = draft(MODULE, "Mean.push(x: float)", "Mean.value(scale: float = 1.0) -> mean: float")
        assert drafted.text == "first_x: float, second_x: float, x: float, scale: float = 1.0 -> mean: float"
        assert read_body(drafted) == [
            "made = student.Mean()",
            "made.push(first_x)",
            "made.push(second_x)",
            "made.push(x)",
            "return made.value(*others)",
        ]

    def test_where_the_right_solution_takes_no_more_calls_there_are_fewer(self) -> None:
        push, pop = "Mean.push(x: float)", "Mean.pop() -> x"
        *_, drafted = draft(MODULE, push, pop, "Mean.value() -> mean: float")
        assert read_body(drafted)[2:] == ["made.push(second_x)", "made.push(x)", "made.pop()", "return made.value()"]

    def test_a_step_in_place_is_judged_by_what_it_left(self) -> None:
        (drafted,) = draft(MODULE, "Descent(rate: float > 0)", "Descent.step(w: (D,), dw: (D,)) -> w: (D,), velocity")
        assert read_body(drafted) == [
            "made = student.Descent(rate)",
            "made.step(first_w, first_dw)",
            "made.step(second_w, second_dw)",
            "made.step(w, dw)",
            "return left(student, w), made.velocity",
        ]

    def test_an_attribute_with_a_signature_is_assigned(self) -> None:
        (drafted,) = draft(MODULE, "Drawn(D: int)", "Drawn.W: (2*D+1,) > 0", "Drawn.ask() -> out")
        assert drafted.text == "D: int, W: (2*D+1,) > 0 -> out"

    @pytest.mark.parametrize(
        ("signatures", "error", "text"),
        [
            ([MEANS, "Means.ask(x: (N,)) -> y"], SignatureError, r"the solution defines no method Means\.ask"),
            (["Other.ask(x: (N,)) -> y"], SignatureError, "the solution defines no class Other"),
            (["Drawn(D: int)", "Drawn.ask() -> out"], ContractError, r"write `Drawn\.W: \(its sizes\)`"),
            (["Mean.pop() -> x"], ContractError, r"Mean\.pop: the right solution fails: IndexError"),
        ],
    )
    def test_what_cannot_be_drafted_is_told(self, signatures: list[str], error: type[Exception], text: str) -> None:
        module = toy_classes if "Mean" in signatures[0] and "Means" in signatures[0] else MODULE
        with pytest.raises(error, match=text):
            draft(module, *signatures)

    def test_a_class_of_which_nothing_is_named(self) -> None:
        _, refused = draft_contracts(toy_classes, [MEANS, TRAIN])
        assert refused["Means"].startswith("Means: no method returns anything; write `-> value` behind one that does")

    def test_a_constructor_without_a_signature(self) -> None:
        _, refused = draft_contracts(MODULE, ["Descent.step(w: (D,), dw: (D,)) -> w: (D,)"])
        assert refused["Descent.step"].endswith("; give the constructor a signature, too, such as `Descent(D: int)`")

    def test_a_name_that_is_no_attribute(self) -> None:
        _, refused = draft_contracts(toy_classes, [MEANS, f"{PREDICT}, loss"])
        told = refused["Means.predict"]
        assert re.match(r"Means\.predict: .* 'Means' object has no attribute 'loss'", told)
