"""Limits of workers: student code ends where the assignment says, and right code gets as much as it says."""

import json
import resource
from pathlib import Path
from typing import Any

import pytest

from autograder.sandbox.host.launcher import SandboxError, describe_shortfall, require_limits
from autograder.sandbox.limits import Limits, choose_container_mib, choose_limits
from tests.selftest.support.command_line import run_line

pytestmark = pytest.mark.once

CHECK = "1.1"  # a visible one of the loss
RIGHT = """import numpy as np
def logistic_loss(w, x, y):
    scores = x @ w
    return float(np.sum(np.logaddexp(0, scores) - y * scores)), x.T @ (1 / (1 + np.exp(-scores)) - y)
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new assignment."""
    folder = tmp_path_factory.mktemp("limits")
    run_line("new", "assignment", "hw", cwd=folder).check_returncode()
    return folder / "hw"


def grade(root: Path, text: str, limits: str) -> dict[str, Any]:
    """Grade the check of a submission of this text, and return its result."""
    declared = root / "reference" / "assignment.toml"
    before = declared.read_text(encoding="utf-8")
    (root / "regression.py").write_text(text, encoding="utf-8")
    try:
        declared.write_text(f"{before}\n[limits]\n{limits}\n", encoding="utf-8")
        done = run_line("grade", "regression.py", "--only", CHECK, "--json", "--assignment", ".", cwd=root)
    finally:
        declared.write_text(before, encoding="utf-8")
    (check,) = json.loads(done.stdout)["tests"]
    return check


@pytest.mark.slow
def test_a_worker_has_the_computing_time_that_is_declared(root: Path) -> None:
    asks = (
        "import resource\ndef logistic_loss(w, x, y):\n    raise ValueError(resource.getrlimit(resource.RLIMIT_CPU))\n"
    )
    assert "a ValueError: (7, 8)\n" in grade(root, asks, "cpu_seconds = 7")["output"]


@pytest.mark.ci
@pytest.mark.slow
@pytest.mark.parametrize(
    ("declared", "mib", "told"),
    [
        ("memory_mib = 1024", 600, ""),
        ("cpu_seconds = 5", 200, ""),
        ("cpu_seconds = 5", 600, "than the grader allows (384 MiB with Python and numpy)"),
        ("memory_mib = 256", 200, "than the grader allows (256 MiB with Python and numpy)"),
    ],
)
def test_an_array_fits_if_the_memory_that_is_declared_has_room(root: Path, declared: str, mib: int, told: str) -> None:
    large = f"    large = np.empty({mib} << 20, dtype=np.uint8)\n"
    check = grade(root, RIGHT.replace("    scores =", f"{large}    scores =", 1), declared)
    assert check["extra_data"]["verdict"] == ("failed" if told else "passed")
    assert told in check["output"]


@pytest.mark.parametrize(("declared", "container"), [(None, 768), (256, 768), (384, 768), (1024, 2048)])
def test_a_container_has_room_for_two_workers(declared: int | None, container: int) -> None:
    assert choose_container_mib(declared) == container


def test_a_machine_that_gives_less_than_is_declared_does_not_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    most = {resource.RLIMIT_CPU: 30}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (0, most.get(kind, resource.RLIM_INFINITY)))
    assert require_limits(choose_limits(29)) == Limits(cpu_s=29)
    with pytest.raises(SandboxError, match=r"at most 30 seconds of computing time .* student code is promised 31"):
        require_limits(choose_limits(30))
    most = {resource.RLIMIT_AS: 3 << 30}
    assert describe_shortfall(choose_limits(memory_mib=3072)) == ""
    with pytest.raises(SandboxError, match="bytes of address space"):
        require_limits(choose_limits(memory_mib=4096))
