"""check.py in the handout: students check their work with numpy alone, and see Gradescope's messages."""

import codecs
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.public_checks.student_file import StudentFile
from autograder.submission import read_submission
from tests.selftest.support.handout import assert_like_gradescope, assert_right, read_outputs, run_check, unpack_handout
from tests.selftest.support.tiers import sample
from tests.selftest.support.toy_assignment import EXAMPLES, reference_text
from tests.selftest.support.toy_at_home import ASSIGNMENT, grader, report_on

pytestmark = [pytest.mark.slow, pytest.mark.once]

CODE = [
    question.question_id for question in ASSIGNMENT.questions if not question.answers
]  # answers are checked by the grader
FAILING = {  # statements at the top level, with a name for each
    "error": "raise ValueError('no data')",
    "odd error": "class Odd(BaseException): pass\nraise Odd('no')",
    "interrupt": "raise KeyboardInterrupt",
    "system exit": "raise SystemExit(0)",
    "exit": "exit()",
    "sys.exit": "import sys\nsys.exit('bye')",
    "input": "print('Who are you?')\nname = input('Your name: ')",
    "notebook": "get_ipython().run_line_magic('matplotlib', 'inline')",
    "data file": "open('vectors.txt')",
    "two": "1 / 0\nlater = [][1]",
}
RIGHT = reference_text("rows").encode()
NORMALIZE = "def unit_rows(x):\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The handout unpacked, in a folder with a space and an umlaut in its name."""
    return unpack_handout(tmp_path / "my wörk")


class TestExamples:
    @pytest.mark.ci
    def test_right_answers_pass_beside_files_named_like_modules_of_python(self, tmp_path):
        folder = unpack_handout(tmp_path / "mine", EXAMPLES / "right")
        for name in ("copy.py", "json.py", "numpy.py", "pickle.py", "random.py", "signal.py", "threading.py"):
            (folder / name).write_text("raise ValueError('not meant')\n")
        assert_right(run_check(folder, *CODE, cwd=folder))

    def test_the_messages_and_lines_to_run_are_those_of_gradescope(self, tmp_path):
        folder = unpack_handout(tmp_path / "mine", EXAMPLES / "wrong")
        report = grader().grade(read_submission(EXAMPLES / "wrong", ASSIGNMENT))
        graded = {check.number: check.output for check in report.checks}
        text = run_check(folder, *CODE).stdout
        assert_like_gradescope(text, graded, apart=())
        # A wrong function has its points and its checks, a right one takes one line.
        assert re.search(r"^  FAIL log_loss \(1\.1 of 3 points\)\n    FAIL 1\.3 .*\(1\.1 of 2 points\)$", text, re.M)
        assert "\n  PASS squash (1 check, 1 point)\n" in text


class TestChoosing:
    @pytest.mark.ci
    @pytest.mark.parametrize(
        ("words", "numbers"),
        {
            "rows": "3.1",
            "rows.py": "3.1",
            "3": "3.1",
            "./Rows.py": "3.1",
            "log_loss": "1.3 1.5",
            "Log_Loss squash": "1.1 1.3 1.5",
        }.items(),
    )
    def test_checks_are_chosen_by_question_file_function_class_method_or_number(self, folder, words, numbers):
        text = run_check(folder, "2.3", *words.split()).stdout
        assert "  still open: descend (1 check, 1.25 points)\n" in text
        assert sorted({*read_outputs(text)} - {"2.1", "2.3"}) == numbers.split()

    @pytest.mark.parametrize(
        ("name", "text", "told"),
        [
            (
                "sitecustomize",
                "import sys\nsys.modules['numpy'] = None\n",
                "; install it with: python -m pip install numpy",
            ),
            (
                "numpy",
                "raise ImportError('\\nREAD\\nno libblas')",
                ", but it fails: ImportError: no libblas\ninstall it again: ",
            ),
            ("numpy", "import numpy.core", ", but it fails: ModuleNotFoundError: No module named 'numpy.core'"),
        ],
        ids=["missing", "fails", "incomplete"],
    )
    def test_a_numpy_that_is_missing_or_fails_is_said_in_plain_words(self, folder, tmp_path, name, text, told):
        (tmp_path / "bare").mkdir()
        (tmp_path / "bare" / f"{name}.py").write_text(text)
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / "bare")}
        command = [sys.executable, str(folder / "check.py")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"check.py needs numpy{told}")
        assert done.stderr.count("\n") <= 2

    def test_a_file_that_is_run_runs_its_own_checks(self, folder):
        _, *end = (folder / "rows.py").read_text().partition("if __name__")
        (folder / "rows.py").write_text("\n\n".join([reference_text("rows"), "".join(end)]))
        own, asked = run_check(folder, program="rows.py"), run_check(folder, "rows.py")
        assert (own.returncode, own.stdout, own.stderr) == (0, asked.stdout, "")

    @pytest.mark.parametrize("missing", ["checks", "checks/grader.zip"])
    def test_without_the_folder_of_checks_it_says_what_to_do(self, folder, missing):
        whole = folder / missing
        shutil.rmtree(whole) if whole.is_dir() else whole.unlink()
        done = run_check(folder)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("check.py needs the complete folder checks of the handout next to it: unpack the")

    @pytest.mark.sampled(second=1)
    @pytest.mark.parametrize(
        ("word", "told"),
        {
            "sudoku": "the questions are: fitting, ",
            "log_los": "did you mean log_loss?\n",
            "Machine.stop": "did you mean Machine.step",
            "descend.py": "did you mean descend",
            "2.99": "the questions are: fitting, ",
        }.items(),
    )
    def test_an_unknown_name_is_answered_with_those_that_are_like_it(self, folder, word, told):
        done = run_check(folder, "rows", word)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"no question, function or check {word!r} runs here; {told}")
        assert ("did you mean" in told) != ("others run on Gradescope only\n" in done.stderr)


class TestOnGradescope:
    """A check that is written by hand is listed and not run."""

    @pytest.mark.ci
    @pytest.mark.parametrize("words", ["Machine.step rows", "step", "6.2"])
    def test_it_has_a_plain_line_in_the_list(self, folder, words):
        done = run_check(folder, *words.split())
        line = "  6.2 Machine.step: two words are pushed and joined (1.5 points): runs on Gradescope\n"
        assert done.stdout.count(line) == 1
        assert done.stdout.count("runs on Gradescope") == 1


class TestWhatIsSaid:
    def test_checks_of_a_file_that_cannot_be_loaded_say_so_once(self, folder):
        (folder / "descent.py").write_text("def descend(f, x0, step, iterations, *others)\n    return x0\n")
        done = run_check(folder, "descent")
        assert done.stdout.count("The file could not be loaded") == 1
        assert "\n  FAIL descend (0 of 2.5 points)\n    FAIL 2.1 " in done.stdout
        assert done.stdout.count("      The same as above.") == 1

    @pytest.mark.ci
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("x = 1\n    y = (1 + 2\n", ["y = (1 + 2", ""]),
            ("def f(x) return x\n", ["def f(x) return x", " " * 9]),
            ("\nif True:\n\treturn = 1\n", ["return = 1", " " * 7]),
        ],
        ids=["indentation", "statement", "tab"],
    )
    def test_a_syntax_error_shows_its_line_and_a_mark_below_the_place(self, folder, text, shown):
        (folder / "rows.py").write_text(text)
        *_, line, mark = read_outputs(run_check(folder, "rows").stdout)["3.1"].splitlines()
        assert (line, mark) == (f"    {shown[0]}", f"    {shown[1]}^")

    @pytest.mark.sampled(second=1)
    @pytest.mark.parametrize(
        ("text", "told", "passed"),
        [
            (
                "# caf\xe9 \x93x\x94\n".encode("latin-1") + RIGHT,
                "is not utf-8 text (line 1); it was read as Latin-1",
                True,
            ),
            (codecs.BOM_UTF16_LE + RIGHT.decode().encode("utf-16-le"), "is saved as UTF-16, which Python does", True),
            (b"<!doctype html>\n" + RIGHT, "is a web page, not Python: submit the code itself", False),
        ],
        ids=["cp1252", "UTF-16", "web page"],
    )
    def test_a_file_that_another_program_saved_is_read_as_on_gradescope(self, folder, text, told, passed):
        (folder / "rows.py").write_bytes(text)
        shown = run_check(folder, "rows").stdout
        assert f"\n  rows.py {told}" in shown
        assert ("\n  PASS unit_rows" in shown) == passed

    @pytest.mark.ci
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                b"raise SystemExit\n",
                "Not written yet: the file does not define unit_rows; left out, because it failed: rows",
            ),
            (b"x = 1\n", "Not written yet: the file does not define unit_rows"),
            (b"print('loading')\ndef unit_rows(x):\n    print('here')\n", "Printed by your code:\n  | here"),
            (None, "Not written yet: no file of this question was found (rows.py"),
        ],
        ids=["exit", "undefined", "prints", "missing"],
    )
    def test_what_is_missing_or_printed_has_its_message(self, folder, text, told):
        (folder / "rows.py").unlink()
        if text is not None:
            (folder / "rows.py").write_bytes(text)
        assert told in read_outputs(run_check(folder, "rows").stdout)["3.1"]

    @pytest.mark.ci
    def test_a_notebook_that_is_newer_than_its_file_is_named_with_what_to_do(self, folder):
        (folder / "descent.ipynb").write_text("{}")
        (folder / ".ipynb_checkpoints").mkdir()
        (folder / ".ipynb_checkpoints" / "descent.ipynb").write_text("{}")
        done = run_check(folder, "descent")
        assert done.stdout.startswith(
            "descent.ipynb is a notebook, which check.py does not read. Save its code as descent.py"
        )
        assert done.stdout.count("jupyter nbconvert --to script descent.ipynb") == 1
        (folder / "descent.py").write_text("x = 1\n")  # as the command does
        assert "notebook" not in run_check(folder, "descent").stdout

    @pytest.mark.ci
    @pytest.mark.parametrize("name", sample(FAILING, by=lambda _: ["a statement"], second=2))
    def test_a_statement_that_fails_is_left_out_in_the_words_of_the_grader(self, folder, name):
        text = f"{FAILING[name]}\n{reference_text('rows')}"
        (folder / "rows.py").write_text(text)
        done = run_check(folder, "rows")
        [question] = report_on({"rows": text}).questions
        assert (done.returncode, done.stderr) == (0, "")
        assert "  PASS unit_rows" in done.stdout
        notes = [line.strip() for line in done.stdout.splitlines() if " was left out: " in line]
        assert notes
        assert notes == [note for note in question.notes if " was left out: " in note]
        assert "Who are you?" not in done.stdout

    @pytest.mark.ci
    def test_a_missing_module_and_the_end_of_the_process_are_told_as_they_are_on_this_computer(self, folder):
        """On Gradescope the module would be replaced until it is used, and what ends the process left out."""
        (folder / "rows.py").write_text(f"import my_helper\n{reference_text('rows')}")
        done = run_check(folder, "rows")
        assert (done.returncode, done.stderr) == (0, "")
        assert "rows.py line 1 was left out: it raised ModuleNotFoundError: No module named 'my_helper'" in done.stdout
        (folder / "rows.py").write_text(f"import os\nos._exit(0)\n{reference_text('rows')}")
        done = run_check(folder, "rows")
        assert (done.returncode, done.stderr) == (1, "")
        assert "It ended the whole Python process" in done.stdout
        assert "rows.py line 2" in done.stdout


def test_a_variant_that_takes_all_arguments_gets_them(tmp_path: Path) -> None:
    path = tmp_path / "scales.py"
    path.write_text("def scale(x, size): return x")
    variant = {"tells": ["scale"], "names": {}, "dropped_arguments": {"scale": [1]}}
    file = StudentFile({"variants": [variant], "parameters": {"scale": "xs"}}, str(path), print)
    assert file.drop_arguments("scale", (1, 2)) == (1, 2)
    file.close()
