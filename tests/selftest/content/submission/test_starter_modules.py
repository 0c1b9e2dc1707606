"""The modules that starter code imports exist for workers, and those that students receive do what they say."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.selftest.support.grading import ASSIGNMENT

pytestmark = pytest.mark.content

ROOT = Path(__file__).parents[4]


class Dataset:
    """A vocabulary of five words, drawn with numpy's global generator as starter code does."""

    def sampleTokenIdx(self):
        return int(np.random.randint(5))  # noqa: NPY002  (as starter code does)


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Import a starter module as a worker would find it, and unload it afterwards."""
    for name, (text, is_package) in ASSIGNMENT.starter_modules.items():
        path = tmp_path / (name.replace(".", "/") + ("/__init__.py" if is_package else ".py"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    before = dict(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module
    for name in set(sys.modules) - set(before):
        del sys.modules[name]


SOFTMAX = ("softmax", "q1_softmax", "q1a_softmax", "q2a_softmax", "q3a_softmax")
SIGMOID = ("sigmoid", "q2_sigmoid", "q1b_sigmoid")
GRADCHECK = ("gradcheck", "q2_gradcheck", "q1b_gradcheck", "q2b_gradcheck", "q3b_gradcheck", "helpers.gradcheck")
TREEBANK = ("utils.treebank", "helpers.treebank", "data_utils", "data_utils.treebank")
NAMES = {  # by modules
    ("utils", "data_utils.utils"): [],
    ("utils.gradcheck",): ["gradcheck_naive", "grad_tests_softmax", "grad_tests_negsamp"],
    ("utils.utils",): ["softmax", "normalizeRows"],
    ("utils.glove", "data_utils.glove"): ["loadWordVectors"],
    ("utils.general_utils",): ["get_minibatches", "test_all_close"],
    ("utils.parser_utils",): ["minibatches", "load_and_preprocess_data", "AverageMeter"],
    ("helpers.utils",): ["softmax", "normalizeRows", "normalize_rows", "sigmoid", "get_negative_samples"],
    SOFTMAX: ["softmax"],
    SIGMOID: ["sigmoid", "sigmoid_grad"],
    GRADCHECK: ["gradcheck_naive"],
    TREEBANK: ["StanfordSentiment"],
    ("tqdm",): ["tqdm", "trange", "tqdm_notebook", "tnrange"],
    ("tqdm.auto", "tqdm.notebook"): ["tqdm", "trange"],
}


@pytest.mark.parametrize(("module", "names"), [(each, names) for modules, names in NAMES.items() for each in modules])
def test_a_module_of_starter_code_is_there(load, module, names):
    loaded = load(module)
    assert [name for name in names if not callable(getattr(loaded, name, None))] == []


def test_a_students_own_utils_does_not_reach_the_stubs(load, tmp_path):
    (tmp_path / "utils" / "utils.py").write_text("def softmax(x): return 'mine'")
    assert load("q1_softmax").softmax(np.zeros(2)).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        ("utils.treebank", "StanfordSentiment", "the Stanford Sentiment Treebank is not part of this assignment"),
        ("utils.glove", "loadWordVectors", "pretrained word vectors are not part of the grader"),
        ("utils.parser_utils", "load_and_preprocess_data", "the parser's training data is not part of the grader"),
    ],
)
def test_a_data_set_says_that_it_is_not_there(load, module, name, message):
    function = getattr(load(module), name)
    with pytest.raises(RuntimeError, match=message):
        function() if "load" not in name else function("tokens")


def square(x):
    return np.sum(x**2), 2 * x


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda x: (np.sum(x**2), 2.001 * x), "failed for square at index (0, 0)"),
        (lambda x: (np.sum(x**2), 2 * x.T), "the gradient's shape is (3, 2), not (2, 3)"),
        (lambda x: (np.sum(x**2), x * np.nan), "at index (0, 0)"),
    ],
    ids=["0.05 % off", "transposed", "nan"],
)
def test_the_students_gradient_check_finds_a_planted_error(load, capsys, wrong, message):
    x = np.random.default_rng(2).normal(size=(2, 3)) + 3
    assert not load("utils.gradcheck").gradcheck_naive(wrong, x, "square")
    assert message in capsys.readouterr().out


@pytest.mark.parametrize("shape", [(), (4,), (2, 3)])
def test_the_students_gradient_check_passes_a_right_gradient_and_restores_x(load, capsys, shape):
    x = np.array(np.random.default_rng(3).normal(size=shape))
    given = x.copy()
    assert load("gradcheck").gradcheck_naive(square, x)
    assert "Gradient check passed!" in capsys.readouterr().out
    assert np.array_equal(x, given)
