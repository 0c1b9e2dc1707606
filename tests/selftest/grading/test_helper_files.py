"""Files beside a question's own: found under any path, replaced where they are broken copies, and named when blamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.results import CheckResult, Report, Verdict
from autograder.submission import read_submission
from tests.selftest.support.grading import ASSIGNMENT, grader, reference_text

RIGHT = reference_text("sgd")


def report_on_files(folder: Path, files: dict[str, str], stem: str) -> Report:
    """The report on one question of a submission with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return grader().grade(read_submission(folder, ASSIGNMENT, only=[stem]))


def lost_in(report: Report) -> list[CheckResult]:
    """The checks that lost points."""
    return [check for check in report.checks if check.verdict is not Verdict.PASSED]


@pytest.mark.parametrize(
    ("imports", "files"),
    [
        ("from utils.gradcheck import gradcheck_naive\nfrom utils import half", {"utils.py": "half = 0.5"}),
        ("import utils.gradcheck as g, utils\nhalf = utils.half or g.gradcheck_naive", {"utils.py": "half = 0.5"}),
        ("from a2.utils.utils import normalizeRows\nhalf = normalizeRows and 0.5", {}),
        ("from course.a2.utils.numbers_ import half", {"utils/numbers_.py": "half = 0.5"}),
        ("import course.a2.utils.numbers_ as numbers\nhalf = numbers.half", {"utils/numbers_.py": "half = 0.5"}),
        ("from a2.numbers_ import half", {"a2/numbers_.py": "half = 0.5", "a2/question/sgd.py": ""}),
        ("from ..numbers_ import half", {"a2/numbers_.py": "half = 0.5", "a2/question/sgd.py": ""}),
        ("from .numbers_ import half", {"numbers_.py": "half = 0.5"}),
        ("from . import zero, one as o\nhalf = zero.half * o.one", {"zero.py": "half = 0.5", "one.py": "one = 1"}),
        ("from .tools.two import half", {"tools/two.py": "from .one import half", "tools/one.py": "half = 0.5"}),
        ("try:\n    from a2.one import half\nexcept ImportError:\n    half = 0.5", {"one.py": "half = 5"}),
        ("from tqdm.auto import tqdm, trange\nhalf = [n / 2 for n in trange(2)][list(tqdm([0, 1], desc='n'))[1]]", {}),
    ],
    ids=lambda value: value.replace("\n", "; ")[:40] if isinstance(value, str) else "",
)  # fmt: skip
def test_an_import_by_any_path_finds_its_file(tmp_path: Path, imports: str, files: dict[str, str]) -> None:
    text = f"{imports}\nassert half == 0.5\n{RIGHT}"
    place = next((name for name in files if name.endswith("sgd.py")), "sgd.py")
    report = report_on_files(tmp_path, {**files, place: text}, "sgd")
    assert lost_in(report) == []
    assert report.questions[0].notes == ()


def test_a_module_that_nobody_has_is_not_found_by_a_part_of_its_name(tmp_path: Path) -> None:
    text = f"import somewhere.sgd_tools\nsomewhere.sgd_tools.use()\n{RIGHT}"
    report = report_on_files(tmp_path, {"sgd.py": text, "tools.py": "def use(): pass"}, "sgd")
    (note,) = report.questions[0].notes
    assert "somewhere.sgd_tools.use is not available in the grader, and your code uses it" in note


@pytest.mark.parametrize("name", ["q1_softmax.py", "utils/utils.py"])
def test_a_flat_file_is_no_copy_of_a_package(tmp_path: Path, name: str) -> None:
    """A check that is repeated without a broken copy still finds the file that has the name of a package."""
    module = name.removesuffix(".py").replace("/", ".")
    right = reference_text("word2vec")
    wrong = right.replace("def naiveSoftmaxLossAndGradient(", "def unused(")
    uses = f"""
import numpy as np
from {module} import softmax
from helpers import scale

def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    y_hat = softmax(outsideVectors @ centerWordVec) * scale
    loss = -np.log(y_hat[outsideWordIdx])
    y_hat[outsideWordIdx] -= 1
    return loss, outsideVectors.T @ y_hat, np.outer(y_hat, centerWordVec)
"""
    broken = "import numpy as np\n\ndef softmax(x):\n    return np.exp(x) / 2\n"
    files = {"word2vec.py": wrong + uses + "\nimport helpers.utils\n", name: broken, "helpers.py": "scale = 1.0\n"}
    report = report_on_files(tmp_path, files, "word2vec")
    credited = [check for check in report.checks if check.functions == ("naiveSoftmaxLossAndGradient",)]
    with_credit = [check for check in credited if check.verdict is Verdict.PASSED]
    assert len(with_credit) > len(credited) / 2
    assert {line for check in with_credit for line in check.output.splitlines()[1:] if "credit" in line} == {
        f"Full credit: this passes with the grader's softmax in {name} in place of yours. Look at softmax in {name}."
    }


def credit_notes(report: Report) -> set[str]:
    """The lines on what was replaced in checks that passed."""
    return {line for check in report.checks for line in check.output.splitlines() if line.startswith("Full credit")}


Q2C = """
import numpy as np
from q1_softmax import softmax
from helpers.utils import sigmoid, get_negative_samples as getNegativeSamples

def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    y_hat = softmax(outsideVectors @ centerWordVec)
    loss = -np.log(y_hat[outsideWordIdx])
    y_hat[outsideWordIdx] -= 1
    return loss, outsideVectors.T @ y_hat, np.outer(y_hat, centerWordVec)
"""
BROKEN = "import numpy as np\n\ndef softmax(x):\n    return np.exp(x) / 2\n\ndef test_softmax():\n    pass\n"
SOFTMAX = "import numpy as np\n\ndef softmax(x):\n    e = np.exp(x - x.max())\n    return e / e.sum()\n"


def with_rest_of(text: str) -> str:
    """The text, with the functions of the right solution that follow naive softmax."""
    right = reference_text("word2vec")
    return f"from __future__ import annotations\n{text}\n" + right[right.index("def negSamplingLossAndGradient") :]


def test_only_what_the_student_wrote_is_blamed(tmp_path: Path) -> None:
    report = report_on_files(tmp_path, {"q2c_word2vec.py": with_rest_of(Q2C), "q1_softmax.py": BROKEN}, "word2vec")
    name = "softmax in q1_softmax.py"
    assert credit_notes(report) == {
        f"Full credit: this passes with the grader's {name} in place of yours. Look at {name}."
    }


def test_a_right_copy_is_not_blamed_beside_a_wrong_function(tmp_path: Path) -> None:
    text = with_rest_of(f"{Q2C}\n\ndef sigmoid(x):\n    return 1 / (1 + np.exp(x))\n")
    report = report_on_files(tmp_path, {"q2c_word2vec.py": text, "q1_softmax.py": SOFTMAX}, "word2vec")
    notes = credit_notes(report)
    assert "Full credit: this passes with the grader's sigmoid in place of yours. Look at sigmoid." in notes
    assert [note for note in notes if "q1_softmax" in note or "getNegativeSamples" in note] == []
