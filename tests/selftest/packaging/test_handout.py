"""package handout: the zip has what students need to check their work, with names that every system allows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.assignment import load_assignment
from autograder.packaging import Handout, PackagingError, pack_handout
from autograder.packaging.handout import require_portable
from autograder.packaging.slices import SliceError, slice_modules
from autograder.public_checks.expected import NotRecorded, decode_plain, encode_plain, load_recorded
from tests.selftest.cli.test_main import run
from tests.selftest.packaging.test_gradescope_zip import copy  # noqa: F401  (a fixture)
from tests.selftest.support.toy_assignment import ASSIGNMENT


@pytest.fixture(scope="module")
def handout() -> Handout:
    return pack_handout(ASSIGNMENT)


class TestPacking:
    def test_the_command_writes_it(self, handout, tmp_path):
        done = run("package", "handout", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "handout.zip").read_bytes() == handout.as_zip()
        assert f"{handout.checks} public checks" in done.stdout

    def test_its_checks_are_counted_as_the_students_are_told(self, handout):
        """check.py counts the checks with points."""
        questions = json.loads(handout.files["public_checks/questions.json"])
        assert handout.checks == sum(check["points"] > 0 for each in questions for check in each["checks"])

    def test_it_holds_the_templates_and_the_modules_they_import(self, handout):
        assert {question.files[0] for question in ASSIGNMENT.questions} <= handout.files.keys()
        assert {"check.py", "README.md", "kit/slopes.py"} <= handout.files.keys()
        require_portable(handout.files)

    @pytest.mark.parametrize(
        "paths", [["a:b.py"], ["sub/aux.py"], ["wörter.py"], ["a b"], ["end."], ["Rows.py", "rows.py"], ["a\\b"]]
    )
    def test_names_that_are_invalid_on_some_system_are_refused(self, paths):
        with pytest.raises(PackagingError, match=r"is not a valid file name|systems that ignore case"):
            require_portable(paths)

    def test_a_visible_test_that_the_solution_fails_is_named(self, copy):  # noqa: F811  (the fixture)
        solution = copy / "reference" / "rows.py"
        solution.write_text("def unit_rows(x):\n    return 2 * x\n")
        with pytest.raises(PackagingError, match="test_unit_rows_matrix fails on the right solution"):
            pack_handout(load_assignment(copy))


class TestRecording:
    @pytest.mark.parametrize(
        "value",
        [None, True, 3, 0.1, "a", [1, (2, "b")], {"k": (1.5,)}, float("inf"), np.arange(6.0).reshape(2, 3) / 7],
        ids=str,
    )
    def test_values_survive_encoding(self, value):
        plain = json.loads(json.dumps(encode_plain(value)))
        assert repr(decode_plain(plain)) == repr(value)

    def test_a_result_that_was_not_recorded_is_reported(self, tmp_path):
        content: dict[str, Any] = {"functions": ["f"], "classes": {}, "results": {}}
        (tmp_path / "toy.json").write_text(json.dumps(content))
        with pytest.raises(NotRecorded, match="the right result of f for these arguments is not part of the handout"):
            load_recorded(tmp_path / "toy.json")["f"](1)


TOY = {
    "toy/__init__.py": '"""Toy."""\nfrom toy.deep import unused\n',
    "toy/top.py": (
        '"""Top: does it."""\nimport os, sys\nfrom toy import deep as d\nfrom toy.deep import LIMIT as most\n\n'
        "# Why.\nA = B = 1\nSECRET = 2\n\ndef wanted(x: unknown) -> int:\n    return d.helper(A) + most\n\n"
        "def other():\n    return SECRET + len(sys.argv)\n"
    ),
    "toy/deep.py": "LIMIT = 3\nHIDDEN = 4\n\ndef helper(x):\n    return x\n\ndef unused():\n    return HIDDEN\n",
}


class TestSlices:
    @pytest.fixture
    def toy(self, tmp_path: Path) -> Path:
        (tmp_path / "toy").mkdir()
        for path, text in TOY.items():
            (tmp_path / path).write_text(text)
        return tmp_path

    def test_only_needed_parts_are_kept(self, toy):
        cut = slice_modules({"toy": toy}, {"toy.top": ["wanted"]})
        assert set(cut) == {"toy/__init__.py", "toy/top.py", "toy/deep.py"}
        everything = "\n".join(cut.values())
        assert not [word for word in ("SECRET", "HIDDEN", "unused", "other", "argv") if word in everything]
        assert "# Why.\nA = B = 1\n" in cut["toy/top.py"]
        done = subprocess.run([sys.executable, "-c", cut["toy/top.py"]], cwd=toy, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr

    def test_a_re_exported_module_is_sliced_too(self, toy):
        (toy / "toy" / "door.py").write_text("from toy import deep, top\nfrom toy.deep import unused\n")
        (toy / "toy" / "user.py").write_text(
            "from toy.door import deep as d, top, unused\n\ndef wanted():\n    return d.helper(1)\n"
        )
        cut = slice_modules({"toy": toy}, {"toy.user": ["wanted"]})
        assert set(cut) == {"toy/__init__.py", "toy/user.py", "toy/door.py", "toy/deep.py"}
        assert "from toy.door import deep as d\n" in cut["toy/user.py"]
        assert "from toy import deep\n" in cut["toy/door.py"]
        assert not [word for word in ("HIDDEN", "unused", "LIMIT") if word in "".join(cut.values())]

    def test_a_name_that_does_not_exist_is_an_error(self, toy):
        with pytest.raises(SliceError, match=r"toy\.top does not bind 'missing' at top level"):
            slice_modules({"toy": toy}, {"toy.top": ["missing"]})
