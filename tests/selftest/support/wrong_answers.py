"""Wrong answers: turns a right function into a function whose answers no known misunderstanding explains."""

from collections.abc import Callable
from typing import Any

import numpy as np

Code = Callable[..., Any]


def changed(change: Callable[[np.ndarray], Any]) -> Callable[[Code], Code]:
    """Change every number and array in the answer, at any depth."""

    def change_all(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: change_all(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(change_all(item) for item in value)
        is_number = isinstance(value, (int, float, np.ndarray, np.generic)) and not isinstance(value, bool)
        return change(np.asarray(value, dtype=np.float64)) if is_number else value

    return replaced(lambda value, _: change_all(value))


def replaced(answer: Callable[[Any, tuple[Any, ...]], Any]) -> Callable[[Code], Code]:
    """Replace the right answer by a function of it and the arguments."""
    return lambda right: lambda *arguments: answer(right(*arguments), arguments)


def instead(answer: Callable[[], Any]) -> Callable[[Code], Code]:
    """Replace the function by one that ignores its arguments."""
    return lambda _right: lambda *_: answer()


WRONG_ANSWERS: dict[str, Callable[[Code], Code]] = {
    "zeros": changed(np.zeros_like),
    "ones": changed(np.ones_like),
    "one constant": changed(lambda x: np.full_like(x, 0.37)),
    "NaN": changed(lambda x: x * np.nan),
    "an odd factor": changed(lambda x: 1.37 * x),
    "rounded": changed(lambda x: np.round(x, 1)),
    "whole numbers": changed(lambda x: np.round(x).astype(np.int64)),
    "sorted": changed(lambda x: np.sort(x.ravel()).reshape(x.shape)),
    "noise": changed(lambda x: x * (1 + 0.01 * np.random.default_rng(1).normal(size=x.shape))),
    "the first argument": replaced(lambda _, arguments: arguments[0]),
    "all arguments": replaced(lambda _, arguments: arguments),
    "None": instead(lambda: None),
    "an empty list": instead(list),
    "a text": instead(lambda: "S"),
    "an error": instead(lambda: 1 / 0),
}
