"""Identity: names this grader by its version and by a hash of every file that a result depends on."""

from __future__ import annotations

import hashlib
import itertools
import platform
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import ENGINE, __version__
from autograder.assignment import PARTS, Assignment
from autograder.results import GraderIdentity
from autograder.sandbox import limits as limit

if TYPE_CHECKING:
    from importlib.metadata import Distribution


def identify_grader(assignment: Assignment) -> GraderIdentity:
    """Return the version of this grader and the hash of every file that a result depends on."""
    digest = hashlib.sha256()
    for path, file in list_staff_files(assignment):
        if path.endswith((".py", ".toml")):
            digest.update(path.encode() + b"\0" + file.read_bytes() + b"\0")
    return GraderIdentity(
        version=__version__,
        content_hash=digest.hexdigest(),
        seed=limit.WORKER_SEED,
        python=platform.python_version(),
        numpy=_find_numpy_version(),
    )


def _find_numpy_version() -> str:
    """Find it without importing numpy: a run over a class, which grades elsewhere, does not load it."""
    loaded = sys.modules.get("numpy")
    if loaded is not None:
        return str(loaded.__version__)
    from importlib.metadata import version  # noqa: PLC0415  (slow to load)

    return version("numpy")


def list_libraries(assignment: Assignment) -> list[tuple[str, str]]:
    """List what is installed of the packages that the assignment declares, each name with its version."""
    if not assignment.packages:
        return []
    from importlib.metadata import distributions  # noqa: PLC0415  (slow to load, and only for declared packages)

    installed = [each for each in distributions() if _holds_any(each, assignment.packages)]
    return sorted({(each.metadata["Name"], each.version) for each in installed})


def _holds_any(distribution: Distribution, packages: Collection[str]) -> bool:
    """Whether a distribution holds one of the packages; Python 3.10 lists only distributions with a top_level.txt."""
    for file in distribution.files or ():
        top, _, _ = file.parts[0].partition(".")
        if top in packages:
            return True
    return False


def compute_key(assignment: Assignment, only: Sequence[str]) -> str:
    """Hash everything but the submission that a score depends on: the grader's files, Python, numpy, the questions.

    The packages that the assignment declares count, too, with their versions here.
    """
    grader = identify_grader(assignment)
    packages = itertools.chain(*list_libraries(assignment))
    parts = (grader.content_hash, grader.python, grader.numpy, *packages, str(grader.seed), *sorted(only))
    text = "\0".join(parts)
    return hashlib.sha256(text.encode()).hexdigest()


def list_staff_files(assignment: Assignment) -> Iterator[tuple[str, Path]]:
    """List the files of the grader, then of the assignment, each with its path below the root of either."""
    for root, part in ((ENGINE, "autograder"), *((assignment.root, part) for part in PARTS)):
        whole = root / part
        for file in [whole] if whole.is_file() else sorted(whole.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(root).as_posix(), file
