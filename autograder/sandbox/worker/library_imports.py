"""Libraries: loads modules while files are in reach: for all workers in the zygote, then what one source names.

Run by the zygote, and by workers before they lose their rights, with the grader's rights. Trusts the grader, which
names modules of the standard library, numpy and its own only.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable

import numpy as np

# Loaded once in the zygote, so that a fork has them for nothing: 20 ms a worker for numpy.random, 1 for numpy.typing.
# The last are what Python itself imports when it compiles a name that is not ASCII, or reads a date.
_LOADED_BEFORE_THE_FORK = (
    "collections",
    "copy",
    "dataclasses",
    "functools",
    "math",
    "random",
    "typing",
    "zipfile",
    "unicodedata",
    "_strptime",
)
_READER = "autograder.sandbox.worker.answer_file"  # of files of answers; with it 70 ms a worker for its parsers
_ENCODINGS = ("encodings.ascii", "encodings.cp1252", "encodings.latin_1", "encodings.utf_16", "encodings.utf_8_sig")
_NUMPY_PARTS = ("numpy.linalg", "numpy.random", "numpy.typing")
# Names that numpy 1.24 and 2.0 removed; old, right code keeps working, and the report says that the names are gone.
_REMOVED_FROM_NUMPY: dict[str, object] = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "object": object,
    "str": str,
    "float_": np.float64,
    "Inf": np.inf,
    "infty": np.inf,
    "NaN": np.nan,
    "product": np.prod,
    "cumproduct": np.cumprod,
    "alltrue": np.all,
    "sometrue": np.any,
    "mat": np.asmatrix,
    "asscalar": lambda value: value.item(),
}


def load_for_all() -> None:
    """What every worker needs and no worker should pay for; numpy as older versions had it."""
    for module in (*_LOADED_BEFORE_THE_FORK, *_ENCODINGS, *_NUMPY_PARTS, _READER):
        importlib.import_module(module)
    np.random.default_rng(0)
    for name, value in _REMOVED_FROM_NUMPY.items():
        if name not in np.__dict__:
            setattr(np, name, value)


def load_named(names: Iterable[str]) -> None:
    """Import modules of which some may not exist on this system."""
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException:  # noqa: BLE001, S112  (modules of other systems raise what they like)
            continue
