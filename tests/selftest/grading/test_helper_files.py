"""Files beside a question's own: found under any path, replaced where they are broken copies, and named when blamed."""

from pathlib import Path

import pytest

from autograder.results import CheckResult, Report, Verdict
from tests.selftest.support.toy_assignment import reference_text, report_on_files

pytestmark = pytest.mark.slow

RIGHT = reference_text("descent")


def lost_in(report: Report) -> list[CheckResult]:
    """The checks that lost points."""
    return [check for check in report.checks if check.verdict is not Verdict.PASSED]


@pytest.mark.sampled(second=4)
@pytest.mark.parametrize(
    ("imports", "files"),
    {
        "from kit.slopes import check_slope\nfrom kit import half": {"kit.py": "half = 0.5"},
        "import kit.slopes as g, kit\nhalf = kit.half or g.check_slope": {"kit.py": "half = 0.5"},
        "from a2.kit.basics import unit_rows\nhalf = unit_rows and 0.5": {},
        "from course.a2.kit.numbers_ import half": {"kit/numbers_.py": "half = 0.5"},
        "import course.a2.kit.numbers_ as numbers\nhalf = numbers.half": {"kit/numbers_.py": "half = 0.5"},
        "from a2.numbers_ import half": {"a2/numbers_.py": "half = 0.5", "a2/question/descent.py": ""},
        "from ..numbers_ import half": {"a2/numbers_.py": "half = 0.5", "a2/question/descent.py": ""},
        "from .numbers_ import half": {"numbers_.py": "half = 0.5"},
        "from . import zero, one as o\nhalf = zero.half * o.one": {"zero.py": "half = 0.5", "one.py": "one = 1"},
        "from .tools.two import half": {"tools/two.py": "from .one import half", "tools/one.py": "half = 0.5"},
        "try:\n    from a2.one import half\nexcept ImportError:\n    half = 0.5": {"one.py": "half = 5"},
        "from bars.auto import bar, count\nhalf = [n / 2 for n in count(2)][list(bar([0, 1], desc='n'))[1]]": {},
    }.items(),
    ids=lambda value: value.replace("\n", "; ")[:40] if isinstance(value, str) else "",
)  # fmt: skip
def test_an_import_by_any_path_finds_its_file(tmp_path: Path, imports: str, files: dict[str, str]) -> None:
    text = f"{imports}\nassert half == 0.5\n{RIGHT}"
    place = next((name for name in files if name.endswith("descent.py")), "descent.py")
    report = report_on_files(tmp_path, {**files, place: text}, "descent")
    assert lost_in(report) == []
    assert report.questions[0].notes == ()


def test_a_module_that_nobody_has_is_not_found_by_a_part_of_its_name(tmp_path: Path) -> None:
    text = f"import somewhere.descent_tools\nsomewhere.descent_tools.use()\n{RIGHT}"
    report = report_on_files(tmp_path, {"descent.py": text, "tools.py": "def use(): pass"}, "descent")
    (note,) = report.questions[0].notes
    assert "somewhere.descent_tools.use is neither in your submission nor in the grader, and your code uses it" in note


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("name", ["q1_scores.py", "kit/basics.py"])
def test_a_flat_file_is_no_copy_of_a_package(tmp_path: Path, name: str) -> None:
    """A check that is repeated without a broken copy still finds the file that has the name of a package."""
    module = name.removesuffix(".py").replace("/", ".")
    right = reference_text("fitting")
    wrong = right.replace("def log_loss(", "def unused(")
    uses = f"""
import numpy as np
from {module} import scores
from helpers import scale

def log_loss(w, x, y):
    s = scores(w, x) * scale
    return np.sum(np.logaddexp(0, s) - y * s), x.T @ (1 / (1 + np.exp(-s)) - y)
"""
    broken = "def scores(w, x):\n    return x @ w / 2\n"
    files = {"fitting.py": wrong + uses + "\nimport helpers.basics\n", name: broken, "helpers.py": "scale = 1.0\n"}
    report = report_on_files(tmp_path, files, "fitting")
    credited = [check for check in report.checks if check.functions == ("log_loss",)]
    with_credit = [check for check in credited if check.verdict is Verdict.PASSED]
    assert len(with_credit) > len(credited) / 2
    assert {line for check in with_credit for line in check.output.splitlines()[1:] if "credit" in line} == {
        f"Full credit: this passes with the grader's scores in {name} in place of yours. Look at scores in {name}."
    }


def credit_notes(report: Report) -> set[str]:
    """The lines on what was replaced in checks that passed."""
    return {line for check in report.checks for line in check.output.splitlines() if line.startswith("Full credit")}


Q1 = """
import numpy as np
from q1_scores import scores
from helpers.basics import squash, unit_rows

def log_loss(w, x, y):
    s = scores(w, x)
    return np.sum(np.logaddexp(0, s) - y * s), x.T @ (squash(s) - y)
"""
BROKEN = "def scores(w, x):\n    return x @ w / 2\n\ndef test_scores():\n    pass\n"
SCORES = "def scores(w, x):\n    return x.dot(w)\n"


def with_rest_of(text: str) -> str:
    """The text, with the functions of the right solution that follow log_loss."""
    right = reference_text("fitting")
    return f"from __future__ import annotations\n{text}\n" + right[right.index("def batch_loss") :]


def test_only_what_the_student_wrote_is_blamed(tmp_path: Path) -> None:
    report = report_on_files(tmp_path, {"q1_fitting.py": with_rest_of(Q1), "q1_scores.py": BROKEN}, "fitting")
    name = "scores in q1_scores.py"
    assert credit_notes(report) == {
        f"Full credit: this passes with the grader's {name} in place of yours. Look at {name}."
    }


def test_a_right_copy_is_not_blamed_beside_a_wrong_function(tmp_path: Path) -> None:
    text = with_rest_of(f"{Q1}\n\ndef squash(x):\n    return 1 / (1 + np.exp(x))\n")
    report = report_on_files(tmp_path, {"q1_fitting.py": text, "q1_scores.py": SCORES}, "fitting")
    notes = credit_notes(report)
    assert "Full credit: this passes with the grader's squash in place of yours. Look at squash." in notes
    assert [note for note in notes if "q1_scores" in note or "unit_rows" in note] == []
