"""The machine lets the grader down: no memory, no descriptors, no place to write, a clock that jumps, a crowd at once.

What can be graded is graded; else the message names what is missing, the exit status is 3 and a valid result says that
it is nobody's fault.
"""

import os
import subprocess
from pathlib import Path

import pytest

from autograder.sandbox.protocol.layers import Layer
from tests.selftest.support.grader_process import UNFINISHED, build_environment, read_results, run

pytestmark = [pytest.mark.slow, pytest.mark.once]

OURS = "run_autograder: the grader cannot grade; nothing was graded: "
READ_ONLY = 'mount -o remount,bind,ro "$folder" 2>/dev/null || { mount --bind "$folder" "$folder" &&'
READ_ONLY += ' mount -o remount,bind,ro "$folder"; }'
PLACES = {
    "no folder for temporary files": f"for folder in /tmp /var/tmp /dev/shm /run; do {READ_ONLY}; done",
    "no folder at all": f"for folder in / /tmp /var/tmp /dev/shm /run; do {READ_ONLY}; done",
    "no /dev/shm": "umount -l /dev/shm",
}
WRITABLE = 'mount --bind "$results" "$results" && mount -o remount,bind,rw "$results"'


def limited(limit: str, arguments: list[str]) -> list[str]:
    """The command in a shell that has set the limit of `ulimit`."""
    return ["sh", "-c", f'ulimit {limit} && exec "$@"', "sh", *arguments]


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("mib", [90, 1000])
def test_without_memory_for_student_code_it_refuses_before_numpy_hangs(
    grading: list[str], tmp_path: Path, mib: int
) -> None:
    done = run(limited(f"-v {mib << 10}", grading))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        f"{OURS}processes here have at most {mib << 20} bytes of address space (ulimit -v), "
        f"and the grader needs {2 << 30}\n"
    )
    assert read_results(tmp_path / "results")["extra_data"] == UNFINISHED


@pytest.mark.ci
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_where_little_can_be_written_it_grades(grading: list[str], tmp_path: Path, place: str) -> None:
    require_mounts()
    (tmp_path / "results").mkdir()
    script = f'export results="$0" && {place} && {WRITABLE} && exec "$@"'
    mounted = ["unshare", "--mount", "sh", "-c", script, str(tmp_path / "results"), *grading]
    done = run(mounted, env=build_environment(HOME=str(tmp_path)))
    assert (done.returncode, done.stderr) == (0, "")
    results = read_results(tmp_path / "results")
    assert results["score"] == 4.0
    layers = {layer["name"]: layer for layer in results["extra_data"]["layers"]}
    has_no_folder = place == PLACES["no folder at all"]
    assert layers[Layer.EMPTY_ROOT.value]["is_active"] is not has_no_folder
    assert layers[Layer.EMPTY_ROOT.value]["reason"].startswith("no folder could be made in " if has_no_folder else "")


def require_mounts() -> None:
    """Skip where this process may mount nothing."""
    tried = subprocess.run(["unshare", "--mount", "true"], capture_output=True, text=True, check=False)
    if os.getuid() or tried.returncode:
        pytest.skip(f"nothing can be mounted here: {tried.stderr.strip() or 'only root can'}")
