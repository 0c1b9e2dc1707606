"""Identity: names this grader by its version and by a hash of every file that a result depends on."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from collections.abc import Collection, Iterator
from pathlib import Path

from autograder import ENGINE, __version__
from autograder.assignment import Assignment
from autograder.results import GraderIdentity
from autograder.sandbox import limits as limit


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
        numpy=importlib.metadata.version("numpy"),  # which is slow to import, and a run over a class grades elsewhere
    )


def list_libraries(assignment: Assignment) -> list[tuple[str, str]]:
    """List what is installed of the packages that the assignment declares, each name with its version."""
    if not assignment.packages:
        return []
    installed = [each for each in importlib.metadata.distributions() if _holds_any(each, assignment.packages)]
    return sorted({(each.metadata["Name"], each.version) for each in installed})


def _holds_any(distribution: importlib.metadata.Distribution, packages: Collection[str]) -> bool:
    """Whether a distribution holds one of the packages; Python 3.10 lists only distributions with a top_level.txt."""
    return any(file.parts[0].partition(".")[0] in packages for file in distribution.files or ())


def list_staff_files(assignment: Assignment) -> Iterator[tuple[str, Path]]:
    """List the files of the grader, then of the assignment, each with its path below the root of either."""
    for root, part in ((ENGINE, "autograder"), *((assignment.root, part) for part in assignment.parts)):
        whole = root / part
        for file in [whole] if whole.is_file() else sorted(whole.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(root).as_posix(), file
