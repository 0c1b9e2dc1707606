"""The course's checks of contracts have bytes, and no submission changes what is kept of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.contracts import CheckBody
from autograder.grade import GradeRequest, grade
from autograder.grading import kept_data, script
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.identity import identify_grader
from autograder.grading.kept_data import KeptChecks
from tests.selftest.support.grading import ASSIGNMENT, PROJECT

pytestmark = [pytest.mark.content, pytest.mark.once]

WRONG = "import numpy as np\ndef normalizeRows(x):\n    x[:] = 7\n    return x\n"


def test_every_check_of_a_contract_is_kept() -> None:
    tests = collect_hidden_tests(ASSIGNMENT, stems=ASSIGNMENT.stems)
    bodies = {test.test.name: test.call for test in tests if isinstance(test.call, CheckBody)}
    assert bodies
    assert [name for name, body in bodies.items() if not body.pack()] == []


@pytest.mark.ci
@pytest.mark.slow
def test_the_second_start_writes_no_script_of_a_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    write = script.write_script
    monkeypatch.setattr(script, "write_script", lambda test, given: written.append(test) or write(test, given))
    request = GradeRequest(
        PROJECT, PROJECT / "examples" / "right", tmp_path, only=("word2vec", "written_answers"), kept=tmp_path
    )
    for _ in range(2):
        grade(request)
    assert [test.test.name for test in written if isinstance(test.call, CheckBody)] == []
    assert written


@pytest.mark.ci
@pytest.mark.slow
def test_what_is_kept_is_the_same_whatever_is_graded(tmp_path: Path) -> None:
    texts = {"right": (PROJECT / "reference" / "normalization.py").read_text(encoding="utf-8"), "wrong": WRONG}
    for order in (("right", "wrong"), ("wrong", "right")):
        memory, scores, kept = tmp_path / order[0], [], set()
        for name in order:
            folder = tmp_path / f"{order[0]} then {name}"
            folder.mkdir()
            (folder / "normalization.py").write_text(texts[name], encoding="utf-8")
            request = GradeRequest(PROJECT, folder, folder / "results", only=("normalization",), kept=memory)
            scores.append(grade(request).score)
            kept |= {file.read_bytes() for file in memory.glob("derived-checks-*.bin")}
        assert sorted(scores)[1] == 4.0 > sorted(scores)[0]
        assert len(kept) == 1


def test_scripts_are_kept_as_far_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    identity = identify_grader(ASSIGNMENT)
    tests = collect_hidden_tests(ASSIGNMENT, stems=("sgd",))
    checks = sum(len(test.call.pack()) for test in tests if isinstance(test.call, CheckBody))
    for most, is_kept in ((checks * 4, True), (checks, False)):
        monkeypatch.setattr(kept_data, "_MOST_BYTES", most)
        kept = KeptChecks(ASSIGNMENT, identity, None, lambda *_: None)
        kept.make(tests)
        given = [call for _, call in kept.give(tests) if isinstance(call, CheckBody)]
        assert [bool(each.kept) for each in given] == [True] * len(given)
        assert [bool(each.script) for each in given] == [is_kept] * len(given)
