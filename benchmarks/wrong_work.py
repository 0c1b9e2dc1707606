"""Wrong work: measures what wrong and endless files cost, beside a right file of the same question.

Each file is the right solution of one question, followed by lines that replace a function of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from benchmarks.graders import PROJECT, program
from benchmarks.processes import Cost, run
from benchmarks.rounds import ratios

SLEEPS = "sleeps"  # costs time by the clock alone, and counts in no mean


class WrongFile(NamedTuple):
    """A wrong or slow file: its question, and the lines that follow the right solution."""

    question_id: str
    lines: str


_EVERY_SIGN = """
def _negate(value):
    return tuple(map(_negate, value)) if isinstance(value, tuple) else -value

def _turn(function):
    return lambda *arguments, **keywords: _negate(function(*arguments, **keywords))

for _name in ("sigmoid", "naiveSoftmaxLossAndGradient", "negSamplingLossAndGradient", "skipgram"):
    globals()[_name] = _turn(globals()[_name])
"""
_SLOW = """
def _delay(function):
    def call(*arguments, **keywords):
        for _ in range(50):
            value = function(*map(np.copy, arguments), **keywords)
        return value
    return call

adam_step = _delay(adam_step)
"""
WRONG = {
    "loops for ever": WrongFile("output_layer", "def backprop(*_):\n    while True:\n        pass\n"),
    "loops for ever on some inputs": WrongFile(
        "normalization",
        "_right = normalizeRows\ndef normalizeRows(x):\n    while len(x) > 3:\n        pass\n    return _right(x)\n",
    ),
    "loops for ever, asking": WrongFile("sgd", "def sgd(f, x0, *_, **__):\n    while True:\n        f(x0)\n"),
    "never shifts": WrongFile(
        "parser_transitions",
        "def _parse(self, transitions):\n    while self.buffer:\n        pass\n    return self.dependencies\n"
        "PartialParse.parse = _parse\n",
    ),
    "letters in place of transitions": WrongFile(
        "parser_transitions",
        "_step = PartialParse.parse_step\n"
        "def _ignore(self, transition):\n    if transition in ('S', 'L', 'R'):\n        _step(self, transition)\n"
        "PartialParse.parse_step = _ignore\n",
    ),
    "keeps finished parses": WrongFile(
        "parser_transitions",
        "def minibatch_parse(sentences, model, batch_size):\n"
        "    parses = [PartialParse(each) for each in sentences]\n"
        "    while parses:\n"
        "        batch = parses[:batch_size]\n"
        "        for parse, transition in zip(batch, model.predict(batch)):\n"
        "            if parse.buffer or len(parse.stack) > 1:\n                parse.parse_step(transition)\n"
        "    return [parse.dependencies for parse in parses]\n",
    ),
    "calls itself for ever": WrongFile("dropout", "def dropout_forward(*given):\n    return dropout_forward(*given)\n"),
    "takes huge arrays": WrongFile(
        "parser_network", "def softmax(logits):\n    return np.ones((60_000, 60_000)) * logits\n"
    ),
    "raises at once": WrongFile("adam", "def momentum_step(*_):\n    raise KeyError('m')\n"),
    "is not written": WrongFile("word2vec", "def skipgram(*_):\n    raise NotImplementedError\n"),
    "has every sign wrong": WrongFile("word2vec", _EVERY_SIGN),
    "has one sign wrong": WrongFile(
        "q1c_neural",
        "_right = forward_backward_prop\n"
        "def forward_backward_prop(*given):\n    cost, gradient = _right(*given)\n    return cost, -gradient\n",
    ),
    "sums along the wrong axis": WrongFile(
        "parser_network",
        "def softmax(logits):\n    powers = np.exp(logits - logits.max())\n    return powers / powers.sum(axis=0)\n",
    ),
    "returns nothing": WrongFile("normalization", "def normalizeRows(x):\n    x / np.linalg.norm(x)\n"),
    "stops while it is loaded": WrongFile("dropout", "while True:\n    pass\n"),
    SLEEPS: WrongFile("sgd", "def sgd(*_, **__):\n    import time\n    time.sleep(1000)\n"),
}
COSTLIEST = ("loops for ever", "loops for ever, asking", "stops while it is loaded", "has every sign wrong")
SLOW = {"is right and 50 times slower": WrongFile("adam", _SLOW)}


def wrong_rivals(folder: Path, environment: Mapping[str, str]) -> dict[str, Callable[[], Cost]]:
    """Return what grades each file, by its name, and the right file of each question, by the id of the question."""
    files = {**WRONG, **SLOW}
    right = {
        question_id: WrongFile(question_id, "") for question_id in sorted({file.question_id for file in files.values()})
    }
    folder.mkdir()
    made = {
        name: _write_file(folder / str(number), file) for number, (name, file) in enumerate({**right, **files}.items())
    }
    commands = {
        name: program("grade", str(made[name]), "--results", str(made[name] / "results"), "--only", file.question_id)
        for name, file in {**right, **files}.items()
    }
    return {name: partial(run, command, environment) for name, command in commands.items()}


def _write_file(folder: Path, file: WrongFile) -> Path:
    folder.mkdir()
    (folder / f"{file.question_id}.py").write_text(read_text(file.question_id, file.lines), encoding="utf-8")
    return folder


def read_text(question_id: str, lines: str = "") -> str:
    """Read the right solution of a question, and append lines."""
    right = (PROJECT / "reference" / f"{question_id}.py").read_text(encoding="utf-8")
    return f"{right}\n\n{lines}" if lines else right


def wrong_table(costs: Mapping[str, Sequence[Cost]]) -> str:
    """Render a line for each file, with its ratios to the right file, and the mean and worst of those that compute."""
    head = f"{'':33}{'CPU s':>7}{'ratio':>7}{'wall s':>9}{'ratio':>7}"
    lines, judged = ["Wrong and slow files; ratios to a right file of the same question", head], []
    for name, file in {**WRONG, **SLOW}.items():
        cpu, cpu_ratio = _medians(costs, name, file.question_id, lambda cost: cost.cpu_s)
        wall, wall_ratio = _medians(costs, name, file.question_id, lambda cost: cost.wall_s)
        lines.append(f"{name:33}{cpu:7.2f}{cpu_ratio:7.2f}{wall:9.2f}{wall_ratio:7.2f}")
        if name in WRONG and name != SLEEPS:
            judged.append((cpu_ratio, wall_ratio))
    for title, summary in (("mean", mean), ("worst", max)):
        cpu_ratio, wall_ratio = (summary(each) for each in zip(*judged, strict=True))
        lines.append(f"{title + ' of those that compute':33}{cpu_ratio:14.2f}{wall_ratio:16.2f}")
    return "\n".join(lines)


def _medians(
    costs: Mapping[str, Sequence[Cost]], name: str, right: str, measure: Callable[[Cost], float]
) -> tuple[float, float]:
    """Return the median of a measure, and that of its ratios to the right file in the same rounds."""
    taken, base = (list(map(measure, costs[each])) for each in (name, right))
    return median(taken), median(ratios(taken, base))
