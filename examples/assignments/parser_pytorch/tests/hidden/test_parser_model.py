"""Hidden tests of parser_model: what the model holds, its logits, its gradients, and dropout.

The weights are set, so that logits and gradients can be compared with those of the reference; PyTorch computes both in
the worker. Unequal sizes detect a transposed weight and a wrong order of features.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight
from reference.parser_model import ParserModel

from autograder.authoring import Remote, Student, checks

Arrays = Mapping[str, np.ndarray]
WEIGHTS = ("embed_to_hidden_weight", "embed_to_hidden_bias", "hidden_to_logits_weight", "hidden_to_logits_bias")
SIZES = {"V": 11, "D": 3, "n": 4, "H": 7, "C": 5}


def draw_model(seed: int) -> tuple[Arrays, np.ndarray]:
    """Draw embeddings and weights, and word indices (6, n) that repeat."""
    rng = np.random.default_rng(seed)
    V, D, n, H, C = SIZES.values()
    shapes = {"embeddings": (V, D), WEIGHTS[0]: (n * D, H), WEIGHTS[1]: (H,), WEIGHTS[2]: (H, C), WEIGHTS[3]: (C,)}
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}, rng.integers(
        V, size=(6, n)
    )


def make_right(arrays: Arrays, dropout: float = 0.5) -> ParserModel:
    """Make the reference's model with these weights, in evaluation."""
    H, C = arrays[WEIGHTS[2]].shape
    model = ParserModel(arrays["embeddings"], len(arrays[WEIGHTS[0]]) // SIZES["D"], H, C, dropout)
    for name in WEIGHTS:
        setattr(model, name, torch.nn.Parameter(torch.tensor(arrays[name])))
    return model.eval()


def make_model(student: Student, arrays: Arrays, dropout: float = 0.5) -> Remote:
    """Make the student's model with these weights, in evaluation."""
    H, C = arrays[WEIGHTS[2]].shape
    n = len(arrays[WEIGHTS[0]]) // SIZES["D"]
    model: Remote = student.parser_model.ParserModel(arrays["embeddings"], n, H, C, dropout)
    for name in WEIGHTS:
        setattr(model, name, torch.nn.Parameter(torch.tensor(arrays[name])))
    model.eval()
    return model


def make_fresh(student: Student) -> tuple[Remote, Arrays]:
    """Make the student's model as its constructor leaves it, and its embeddings."""
    arrays, _ = draw_model(3)
    _, _, n, H, C = SIZES.values()
    return student.parser_model.ParserModel(arrays["embeddings"], n, H, C, 0.5), arrays


@number("1.1")
@weight(2)
@tags("ParserModel")
@visibility("visible")
def test_parser_model_shapes(student: Student) -> None:
    """ParserModel: the parameters have the right shapes"""
    model, arrays = make_fresh(student)
    for name, right in draw_model(3)[0].items():
        checks.array(f"model.{name}", getattr(model, name), right.shape)
    checks.close("model.embeddings", model.embeddings, arrays["embeddings"])


@number("1.2")
@weight(2)
@tags("ParserModel")
@visibility("after_due_date")
def test_parser_model_initial_weights(student: Student) -> None:
    """ParserModel: weights are drawn by xavier_uniform_, biases by uniform_"""
    rng = np.random.default_rng(5)
    model = student.parser_model.ParserModel(rng.normal(size=(4, 30)).astype(np.float32), 10, 80, 20, 0.5)
    for name, shape in ((WEIGHTS[0], (300, 80)), (WEIGHTS[2], (80, 20))):
        bound = np.sqrt(6 / sum(shape))
        require_uniform(f"model.{name}", checks.array(f"model.{name}", getattr(model, name), shape), -bound, bound)
    for name, size in ((WEIGHTS[1], 80), (WEIGHTS[3], 20)):
        require_uniform(f"model.{name}", checks.array(f"model.{name}", getattr(model, name), (size,)), 0.0, 1.0)


def require_uniform(what: str, values: np.ndarray, low: float, high: float) -> None:
    """Require numbers that look as if they were drawn uniformly from low to high; 20 or more of them."""
    middle, deviation = (low + high) / 2, (high - low) / np.sqrt(12)
    inside = bool(np.all((low - 1e-6 <= values) & (values <= high + 1e-6)))
    checks.require(
        inside and values.std() > 0.6 * deviation and abs(values.mean() - middle) < 0.6 * deviation,
        what,
        f"numbers drawn uniformly from {low:.3g} to {high:.3g}",
        f"numbers from {values.min():.3g} to {values.max():.3g} with the mean {values.mean():.3g}",
    )


@number("1.3")
@weight(2)
@tags("ParserModel.embedding_lookup")
@visibility("visible")
def test_embedding_lookup_example(student: Student) -> None:
    """ParserModel.embedding_lookup: rows of the embeddings, side by side"""
    arrays, words = draw_model(0)
    check_lookup(student, arrays, words[:2])


@number("1.4")
@weight(3)
@tags("ParserModel.embedding_lookup")
@visibility("after_due_date")
def test_embedding_lookup_sizes(student: Student) -> None:
    """ParserModel.embedding_lookup: other batches, a single row among them"""
    arrays, words = draw_model(1)
    for rows in (words, words[:1]):
        check_lookup(student, arrays, rows)


def check_lookup(student: Student, arrays: Arrays, words: np.ndarray) -> None:
    """Compare the embeddings of words with the right ones."""
    got = make_model(student, arrays).embedding_lookup(torch.tensor(words))
    checks.close("the embeddings of w", got, arrays["embeddings"][words].reshape(len(words), -1))


@number("1.5")
@weight(1)
@tags("ParserModel.embedding_lookup")
@visibility("after_due_date")
def test_embedding_lookup_gradients(student: Student) -> None:
    """ParserModel.embedding_lookup: gradients reach the embeddings"""
    arrays, words = draw_model(7)
    output_gradient = np.random.default_rng(8).normal(size=(len(words), words.shape[1] * SIZES["D"]))
    right = np.zeros_like(arrays["embeddings"])
    np.add.at(right, words.reshape(-1), output_gradient.reshape(-1, SIZES["D"]))
    _, (got,) = make_model(student, arrays).embedding_lookup.with_gradients(
        torch.tensor(words), output_gradient=output_gradient, of=["embeddings"]
    )
    checks.close("the gradient by embeddings", got, right)


@number("1.6")
@weight(2)
@tags("ParserModel.forward")
@visibility("visible")
def test_forward_example(student: Student) -> None:
    """ParserModel.forward: the logits of a small batch"""
    check_forward(student, *draw_model(0))


@number("1.7")
@weight(3)
@tags("ParserModel.forward")
@visibility("after_due_date")
def test_forward_batches(student: Student) -> None:
    """ParserModel.forward: the logits of other batches"""
    arrays, words = draw_model(2)
    for rows in (words, words[:1]):
        check_forward(student, arrays, rows)


def check_forward(student: Student, arrays: Arrays, words: np.ndarray) -> None:
    """Compare logits with the right ones."""
    right = make_right(arrays).forward(torch.tensor(words)).detach().numpy()
    checks.close("the logits", make_model(student, arrays).forward(torch.tensor(words)), right)


@number("1.8")
@weight(2)
@tags("ParserModel.forward")
@visibility("after_due_date")
def test_forward_gradients(student: Student) -> None:
    """ParserModel.forward: gradients reach every parameter, the embeddings too"""
    arrays, words = draw_model(4)
    output_gradient = np.random.default_rng(6).normal(size=(len(words), SIZES["C"])).astype(np.float32)
    names = ("embeddings", *WEIGHTS)
    _, got = make_model(student, arrays).forward.with_gradients(
        torch.tensor(words), output_gradient=output_gradient, of=names
    )
    for name, gradient, right in zip(names, got, find_right_gradients(arrays, words, output_gradient), strict=True):
        checks.close(f"the gradient by {name}", gradient, right)


def find_right_gradients(arrays: Arrays, words: np.ndarray, output_gradient: np.ndarray) -> list[np.ndarray]:
    """Compute the gradients of sum(logits * output_gradient) by the embeddings and weights of the reference."""
    model: Any = make_right(arrays)
    (model.forward(torch.tensor(words)) * torch.tensor(output_gradient)).sum().backward()
    return [getattr(model, name).grad.numpy() for name in ("embeddings", *WEIGHTS)]


@number("1.9")
@weight(2)
@tags("ParserModel.forward")
@visibility("after_due_date")
def test_forward_dropout_in_training(student: Student) -> None:
    """ParserModel.forward: dropout on the hidden layer, in training"""
    rate, H = 0.3, 400
    model, word = make_open_model(student, rate, H)
    model.train()
    logits = checks.array("the logits in training", model.forward(word), (1, H))
    dropped = float(np.mean(logits == 0))
    share, about = "the share of hidden units that are 0", f"about {rate}, the dropout_prob"
    checks.require(abs(dropped - rate) < 0.1, share, about, f"{dropped:.3g}")
    kept = logits[logits != 0]
    checks.close("the units that are kept", kept, np.full(kept.shape, 2 / (1 - rate)))


@number("1.10")
@weight(1)
@tags("ParserModel.forward")
@visibility("after_due_date")
def test_forward_no_dropout_in_evaluation(student: Student) -> None:
    """ParserModel.forward: no dropout in evaluation"""
    model, word = make_open_model(student, 0.3, 400)
    checks.close("the logits in evaluation", model.forward(word), np.full((1, 400), 2.0))


def make_open_model(student: Student, rate: float, H: int) -> tuple[Remote, torch.Tensor]:
    """Make a model whose hidden units are all 2 and whose logits are its hidden units, and the indices of a word."""
    arrays = {
        "embeddings": np.ones((1, SIZES["D"])),
        WEIGHTS[0]: np.zeros((SIZES["D"], H)),
        WEIGHTS[1]: np.full(H, 2.0),
        WEIGHTS[2]: np.eye(H),
        WEIGHTS[3]: np.zeros(H),
    }
    model = make_model(student, {name: each.astype(np.float32) for name, each in arrays.items()}, rate)
    return model, torch.zeros((1, 1), dtype=torch.int64)
