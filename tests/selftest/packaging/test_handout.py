"""package handout: the zip has what students need to check their work, with names that every system allows."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.assignment import load_assignment
from autograder.packaging import PackagingError, pack_handout
from autograder.packaging.handout import require_portable
from autograder.packaging.slices import SliceError, slice_modules
from autograder.public_checks.expected import (
    OnlyOnGradescope,
    build_recorded,
    decode_plain,
    encode_plain,
    round_numbers,
)
from tests.selftest.cli.test_main import run
from tests.selftest.packaging.test_gradescope_zip import copy  # noqa: F401  (a fixture)
from tests.selftest.support.handout import get_handout, list_texts
from tests.selftest.support.toy_assignment import ASSIGNMENT

pytestmark = [pytest.mark.slow, pytest.mark.once]


class TestPacking:
    def test_the_command_writes_it_and_counts_the_checks_with_points_as_students_do(self, tmp_path):
        handout = get_handout()
        done = run("package", "handout", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "handout.zip").read_bytes() == handout.as_zip()
        questions = [json.loads(text) for path, text in list_texts(handout).items() if path.startswith("checks/")]
        counted = sum(check["points"] > 0 for each in questions for check in each["checks"])
        assert f"{counted} public checks" in done.stdout

    def test_it_is_the_templates_and_a_file_for_each_question(self):
        """`check.py`, and in one zip the parts of the grader that it needs."""
        files = get_handout().files.keys()
        questions = {f"checks/{stem}.json.gz" for stem in ASSIGNMENT.stems if stem != "quiz"}
        assert {path for path in files if path.startswith("checks/")} == questions | {"checks/grader.zip"}
        templates = {question.files[0] for question in ASSIGNMENT.questions}
        assert templates | {"check.py", "README.md", "kit/slopes.py"} <= files
        texts = list_texts(get_handout())
        assert texts["grader/tests/public/test_rows.py"].startswith('"""Public checks of rows')

    @pytest.mark.parametrize(
        "paths", [["a:b.py"], ["sub/aux.py"], ["wörter.py"], ["a b"], ["end."], ["Rows.py", "rows.py"], ["a\\b"]]
    )
    def test_names_that_are_invalid_on_some_system_are_refused(self, paths):
        with pytest.raises(PackagingError, match=r"is not a valid file name|systems that ignore case"):
            require_portable(paths)

    def test_a_visible_test_that_the_solution_fails_is_named(self, copy):  # noqa: F811  (the fixture)
        (copy / "reference" / "rows.py").write_text("def unit_rows(x):\n    return 2 * x\n")
        with pytest.raises(PackagingError, match="test_unit_rows_matrix fails on the right solution"):
            pack_handout(load_assignment(copy))

    @pytest.mark.ci
    def test_a_check_that_needs_pytorch_stays_on_gradescope(self, copy):  # noqa: F811  (the fixture)
        tests = copy / "tests" / "hidden" / "test_rows.py"
        asked = "student.rows.unit_rows.with_gradients(x, output_gradient=x, of=[0])[0]"
        tests.write_text(tests.read_text().replace("student.rows.unit_rows(x)", asked))
        done = run("package", "handout", "--force", "--output", "handout.zip", project=copy, cwd=copy)
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith("\nvisible on Gradescope only, because of what they need: 3.1\n")
        with zipfile.ZipFile(copy / "handout.zip") as packed:
            described = json.loads(gzip.decompress(packed.read("checks/rows.json.gz")))
        assert (described["checks"], described["more"]) == ([], [4, 4])


class TestRecording:
    def test_the_numbers_of_a_check_have_the_digits_that_a_text_shows(self):
        assert round_numbers([1 / 3, {"array": [2e-7 / 3]}, 1]) == [0.33333333, {"array": [6.6666667e-08]}, 1]

    def test_values_survive_encoding(self):
        value = [None, True, 3, 0.1, "a", [1, (2, "b")], {"k": (1.5,)}, float("inf"), np.arange(6.0).reshape(2, 3) / 7]
        plain = json.loads(json.dumps(encode_plain(value)))
        assert repr(decode_plain(plain)) == repr(value)

    def test_a_result_that_was_not_recorded_is_reported(self):
        content: dict[str, Any] = {"functions": ["f"], "classes": {}, "results": {}}
        with pytest.raises(OnlyOnGradescope, match="right result of f for these arguments is not part of the handout"):
            build_recorded(content)["f"](1)


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
        user = "from toy.door import deep as d, top, unused\n\ndef wanted():\n    return d.helper(1)\n"
        (toy / "toy" / "user.py").write_text(user)
        cut = slice_modules({"toy": toy}, {"toy.user": ["wanted"]})
        assert set(cut) == {"toy/__init__.py", "toy/user.py", "toy/door.py", "toy/deep.py"}
        assert "from toy.door import deep as d\n" in cut["toy/user.py"]
        assert "from toy import deep\n" in cut["toy/door.py"]
        assert not [word for word in ("HIDDEN", "unused", "LIMIT") if word in "".join(cut.values())]

    def test_a_name_that_does_not_exist_is_an_error(self, toy):
        with pytest.raises(SliceError, match=r"toy\.top does not bind 'missing' at top level"):
            slice_modules({"toy": toy}, {"toy.top": ["missing"]})
