"""The doctor shows a machine's layers of isolation; `--strict` refuses if indispensable ones are missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.doctor import Diagnosis, examine, render
from autograder.sandbox.protocol.layers import SELF_CHECK, Layer, LayerReport
from tests.selftest.support.toy_assignment import PROJECT, TOY

STRONG = (*(LayerReport(layer.value, True, "") for layer in Layer), LayerReport(SELF_CHECK, True, "all stopped"))
ON_A_WEAK_MACHINE = """
import sys
from autograder.cli.main import main
from tests.selftest.support.refused_syscalls import refuse_calls
refuse_calls(["seccomp:ENOSYS", "unshare:EPERM"])
main(sys.argv[1:])
"""
RIGHT = "import numpy as np\ndef unit_rows(x): return x / np.linalg.norm(x, axis=1, keepdims=True)\n"


def run(script: str, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line after the code in `script`."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONDONTWRITEBYTECODE": "1",
        "AUTOGRADER_ASSIGNMENT": str(TOY),
    }
    environment.update({name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ})
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """A right submission."""
    path = tmp_path / "rows.py"
    path.write_text(RIGHT)
    return path


class TestDoctor:
    def test_shows_every_layer_and_what_it_would_grade_with(self) -> None:
        shown = render(examine())
        for line in (
            "Python  ",
            "numpy  ",
            "cores  ",
            "disk  ",
            "Docker  ",
            f"{SELF_CHECK}  ",
            *(f"{layer.value}  " for layer in Layer),
        ):
            assert f"\n{line}" in f"\n{shown}" or line == f"{Layer.USER_NAMESPACE.value}  "

    def test_a_strong_machine_would_grade_strictly(self) -> None:
        assert render(Diagnosis((("Python", "3.13"),), STRONG)).endswith("\n\ngrade --strict would grade here.")

    def test_each_missing_layer_is_a_line_with_its_reason(self) -> None:
        weak = [report._replace(is_active=False, reason="too old") for report in STRONG]
        shown = render(Diagnosis((), tuple(weak)))
        assert "\nLandlock                 no   too old\n" in shown
        assert "\ngrade --strict would refuse: this machine lacks seccomp filter (too old)\n" in shown
        assert "would grade here" not in shown

    def test_the_exit_status_says_whether_strict_would_refuse(self, tmp_path: Path) -> None:
        strong = run("import sys\nfrom autograder.cli.main import main\nmain(sys.argv[1:])", "doctor", home=tmp_path)
        weak = run(ON_A_WEAK_MACHINE, "doctor", home=tmp_path)
        assert (strong.returncode, strong.stderr) == (0, "")
        assert (weak.returncode, weak.stderr) == (1, "")
        assert "seccomp filter           no   seccomp: Function not implemented" in weak.stdout


class TestStrict:
    def test_grades_if_everything_holds_and_remembers_it(self, submission: Path, tmp_path: Path) -> None:
        script = "import sys\nfrom autograder.cli.main import main\nmain(sys.argv[1:])"
        arguments = (
            "grade",
            str(submission),
            "--strict",
            "--only",
            "rows",
            "--results",
            str(tmp_path / "out"),
        )
        ran = run(script, *arguments, home=tmp_path)
        assert ran.returncode == 0, ran.stderr
        layers = json.loads((tmp_path / "out" / "results.json").read_text())["extra_data"]["layers"]
        assert {"name": SELF_CHECK, "is_active": True, "reason": "all stopped"} in layers
        assert len(list((tmp_path / ".cache" / "nlp-autograder").glob("layers-*.json"))) == 1

    def test_refuses_with_the_missing_layer_before_any_student_code(self, submission: Path, tmp_path: Path) -> None:
        arguments = (
            "grade",
            str(submission),
            "--strict",
            "--only",
            "rows",
            "--results",
            str(tmp_path / "out"),
        )
        ran = run(ON_A_WEAK_MACHINE, *arguments, home=tmp_path)
        assert ran.returncode == 3
        assert (
            "nothing was graded: --strict, and this machine lacks seccomp filter (seccomp: Function not" in ran.stderr
        )
        assert json.loads((tmp_path / "out" / "results.json").read_text())["tests"] == []
        kept = [path.name for path in (tmp_path / ".cache").rglob("*") if path.is_file()]
        assert not any(name.startswith("layers") for name in kept)  # of the grader's own files more may be kept

    def test_without_it_a_missing_layer_is_reported_and_all_is_graded(self, submission: Path, tmp_path: Path) -> None:
        arguments = ("grade", str(submission), "--only", "rows", "--results", str(tmp_path / "out"))
        ran = run(ON_A_WEAK_MACHINE, *arguments, home=tmp_path)
        assert ran.returncode == 0, ran.stderr
        assert "seccomp filter (seccomp: Function not implemented)" in " ".join(ran.stdout.split())
        layers = json.loads((tmp_path / "out" / "results.json").read_text())["extra_data"]["layers"]
        assert {"name": "seccomp filter", "is_active": False, "reason": "seccomp: Function not implemented"} in layers
