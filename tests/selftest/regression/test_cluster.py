"""Grading on a Dask cluster: a real scheduler, a worker that is killed, and the same results as on one machine."""

import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.regression.cluster import _connect
from autograder.regression.graders import RunError
from autograder.regression.regress import RegressRequest, regress
from autograder.regression.summary import Summary
from tests.selftest.support import made_class
from tests.selftest.support.dask_cluster import open_cluster
from tests.selftest.support.toy_assignment import PROJECT, TOY

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.ci]

QUESTION_ID = "rows"


def run(folder: Path, out: str, address: str, **options: Any) -> Summary:
    """Run over the class in a folder, on the cluster at an address or, without one, on this machine."""
    request = RegressRequest(
        root=TOY, path=folder / "class", out=folder / out, only=(QUESTION_ID,), cluster=address, jobs=2
    )
    return regress(request, **options)


@pytest.mark.filterwarnings("default")  # Dask's own
def test_a_killed_worker_changes_no_result(tmp_path: Path) -> None:
    made_class.make_export(tmp_path / "class", 12, question_ids=[QUESTION_ID])
    done = []
    with open_cluster(tmp_path, workers=3) as (address, workers):

        def kill_one(count: int, *_: object) -> None:
            done.append(count)
            if len(done) == 3:
                workers[0].send_signal(signal.SIGKILL)

        there = run(tmp_path, "there", address, progress=kill_one)
        assert workers[0].wait() == -signal.SIGKILL
    assert there.is_complete
    assert there.undecided == ()
    here = run(tmp_path, "here", "")
    assert replace(there, timing=None) == replace(here, timing=None)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("has_project", "message"),
    [(False, "does not find this project .*; start the scheduler and the workers with"), (True, "another version")],
    ids=["without the project", "another version"],
)
def test_a_cluster_with_another_grader_ends_the_run(tmp_path: Path, has_project: bool, message: str) -> None:
    made_class.make_export(tmp_path / "class", 1, question_ids=[QUESTION_ID])
    if has_project:
        shutil.copytree(PROJECT / "autograder", tmp_path / "other" / "autograder")
        (tmp_path / "other" / "autograder" / "changed.py").touch()
    with (
        open_cluster(tmp_path, workers=1, project=tmp_path / "other") as (address, _),
        pytest.raises(RunError, match=message),
    ):
        run(tmp_path, "out", address)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "host:port"])
@pytest.mark.filterwarnings("default")
def test_an_address_that_does_not_answer_ends_the_run(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr("autograder.regression.cluster._ANSWER_S", 0.5)
    with pytest.raises(RunError, match=r"there is no Dask scheduler at .*; write one such as tcp://host:8786"):
        _connect(address)
