"""The course's checks of contracts have bytes, and no submission changes what is kept of them."""

from pathlib import Path

import pytest

from autograder.contracts import CheckBody
from autograder.grade import GradeRequest, grade
from autograder.grading.collection import collect_hidden_tests
from tests.selftest.support.grading import ASSIGNMENT, PROJECT

pytestmark = [pytest.mark.content, pytest.mark.once]

WRONG = "import numpy as np\ndef normalizeRows(x):\n    x[:] = 7\n    return x\n"


@pytest.mark.ci
def test_every_check_of_a_contract_is_kept() -> None:
    tests = collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids)
    bodies = {test.test.name: test.call for test in tests if isinstance(test.call, CheckBody)}
    assert bodies
    assert [name for name, body in bodies.items() if not body.pack()] == []


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
