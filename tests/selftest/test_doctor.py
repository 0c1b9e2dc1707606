"""The doctor shows a machine's layers of isolation; `--strict` refuses if indispensable ones are missing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder.doctor import examine, render
from autograder.sandbox.protocol.layers import SELF_CHECK, Layer
from tests.selftest.support.toy_assignment import PROJECT, TOY

pytestmark = [pytest.mark.slow, pytest.mark.once]

ON_THIS_MACHINE = "import sys\nfrom autograder.cli.main import main\nmain(sys.argv[1:])"
ON_A_WEAK_MACHINE = f"""
from tests.selftest.support.refused_syscalls import refuse_calls
refuse_calls(["seccomp:ENOSYS", "unshare:EPERM"])
{ON_THIS_MACHINE}
"""
RIGHT = "import numpy as np\ndef unit_rows(x): return x / np.linalg.norm(x, axis=1, keepdims=True)\n"


def run(script: str, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line after the code in `script`."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    settings = {"HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", "AUTOGRADER_ASSIGNMENT": str(TOY)}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(
        command, cwd=PROJECT, env=kept | settings, capture_output=True, text=True, check=False, timeout=120
    )


def grade(script: str, folder: Path, *options: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """Grade a right submission after the code in `script`; return how the run ended, and its results.json."""
    (folder / "rows.py").write_text(RIGHT)
    ran = run(script, "grade", f"{folder}/rows.py", "--only", "rows", "--results", str(folder), *options, home=folder)
    return ran, json.loads((folder / "results.json").read_text())


def test_it_shows_every_layer_and_what_it_would_grade_with() -> None:
    shown = render(examine())
    layers = [layer.value for layer in Layer if layer is not Layer.USER_NAMESPACE]  # not on each machine
    for name in ("Python", "numpy", "cores", SELF_CHECK, *layers):
        assert f"\n{name}  " in f"\n{shown}"


@pytest.mark.ci
def test_the_exit_status_says_whether_strict_would_refuse(tmp_path: Path) -> None:
    strong = run(ON_THIS_MACHINE, "doctor", home=tmp_path)
    weak = run(ON_A_WEAK_MACHINE, "doctor", home=tmp_path)
    assert (strong.returncode, strong.stderr) == (0, "")
    assert (weak.returncode, weak.stderr) == (1, "")
    assert "seccomp filter           no   seccomp: Function not implemented" in weak.stdout


class TestStrict:
    @pytest.mark.ci
    def test_grades_if_everything_holds(self, tmp_path: Path) -> None:
        ran, results = grade(ON_THIS_MACHINE, tmp_path, "--strict")
        assert ran.returncode == 0, ran.stderr
        layers = results["extra_data"]["layers"]
        assert {"name": SELF_CHECK, "is_active": True, "reason": "all stopped"} in layers
        assert results["extra_data"]["layers_are"] == "tested by attack"

    def test_refuses_with_the_missing_layer_before_any_student_code(self, tmp_path: Path) -> None:
        ran, results = grade(ON_A_WEAK_MACHINE, tmp_path, "--strict")
        assert (ran.returncode, results["tests"]) == (3, [])
        told = "nothing was graded: --strict, and this machine lacks seccomp filter (seccomp: Function not"
        assert told in ran.stderr

    def test_without_it_a_missing_layer_is_reported_and_all_is_graded(self, tmp_path: Path) -> None:
        ran, results = grade(ON_A_WEAK_MACHINE, tmp_path)
        assert ran.returncode == 0, ran.stderr
        assert "seccomp filter (seccomp: Function not implemented)" in " ".join(ran.stdout.split())
        missing = {"name": "seccomp filter", "is_active": False, "reason": "seccomp: Function not implemented"}
        assert missing in results["extra_data"]["layers"]
        assert results["extra_data"]["layers_are"] == "read back"
        assert "Layers of the sandbox (read back) that were not active" in " ".join(ran.stdout.split())
