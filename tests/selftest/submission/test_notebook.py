"""A notebook with a question's name is read as its code cells in order, as data and up to a size."""

import json
import zipfile
from pathlib import Path

import pytest

from autograder.submission import file_tree, read_submission
from autograder.submission.source_reader import convert_notebook
from tests.selftest.submission.test_submission import ASSIGNMENT, DEF, graded


def cell(*lines, kind="code"):
    """A cell of the present format."""
    return {"cell_type": kind, "metadata": {}, "source": list(lines), "outputs": [], "execution_count": 1}


def notebook(*cells):
    """The text of a notebook of the present format."""
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


MANY_DIGITS = '{"n": ' + "9" * 10**6 + ', "cells": [{"cell_type": "code", "source": "x = 1"}]}'
OTHER_TYPES = '{"cells": [{"cell_type": "code", "source": ["x = 1", 5, null, 1e999, NaN]}, {"cell_type": "code"}]}'
FIRST = "# code cell 1\nx = 1\n"
NOTEBOOKS = {
    "one text": (notebook({"cell_type": "code", "source": "x = 1"}), FIRST),
    "other types": (OTHER_TYPES, FIRST),
    "a million digits": (MANY_DIGITS, FIRST),
    **{f"%%{name}": (notebook(cell(f"%%{name}\n", "ls"), cell("x = 1")), FIRST) for name in ("bash", "writefile a.py")},
    **{
        magic: (notebook(cell(f"{magic}\n", "x = 1")), f"# code cell 1\n{magic}\nx = 1\n")
        for magic in ("%%time", "%%capture out", "%matplotlib inline")
    },
}


@pytest.mark.parametrize(("text", "source"), NOTEBOOKS.values(), ids=NOTEBOOKS)
def test_cells_of_python_are_read(text, source):
    assert convert_notebook(text)[:2] == (source, 1)


def test_code_cells_are_joined_in_order():
    text = notebook(cell("# Title", kind="markdown"), cell("x = 1\n", "y = 2"), cell(), cell("def f():\n", "    pass"))
    assert convert_notebook(text) == ("# code cell 1\nx = 1\ny = 2\n\n# code cell 2\ndef f():\n    pass\n", 2, ())


@pytest.mark.parametrize(
    ("text", "problem"),
    {
        DEF: "is no JSON",
        "": "is no JSON",
        "[" * 100_000: "is no JSON",
        "[]": "has no cells",
        "{}": "has no cells",
        '{"cells": 5}': "has no cells",
        '{"cells": [5, []], "worksheets": [{"cells": null}]}': "has no cells",
    }.items(),
    ids=lambda text: text[:20],
)
def test_what_is_no_notebook_costs_itself(tmp_path, text, problem):
    question = graded(tmp_path, {"text2num.ipynb": text})
    assert question.main is None
    advice = "export it as a .py file, or give it that ending if it is one"
    assert question.notes[0] == f"text2num.ipynb: cannot be read as a notebook: it {problem}; {advice}"


@pytest.mark.parametrize("name", ["text2num.ipynb", "a2/q3_text2num.ipynb", "renamed/text2num.py"])
def test_a_notebook_with_a_questions_name_is_its_file(tmp_path, name):
    question = graded(tmp_path, {name: notebook(cell(DEF))})
    assert (question.main.path, question.main.text) == (name, f"# code cell 1\n{DEF}\n")
    assert question.main.module == Path(name).stem
    assert question.notes == (
        f"{name} is a notebook: its 1 code cells were read as one file, and line numbers count through all of them",
    )


def test_cells_of_other_languages_and_written_files_are_named(tmp_path):
    cells = [cell("%%writefile text2num.py\n", DEF), cell(DEF), cell("%%bash\n", "ls"), cell("%%writefile a.py\n")]
    question = graded(tmp_path, {"text2num.ipynb": notebook(*cells)})
    assert question.notes[0].endswith("; each cell that begins with %%writefile, %%bash was left out")


def test_a_python_file_comes_before_a_notebook(tmp_path):
    question = graded(tmp_path, {"a2/text2num.py": DEF, "text2num.ipynb": notebook(cell("x = 1"))})
    assert question.main.path == "a2/text2num.py"


def test_pictures_do_not_count_and_code_does(tmp_path):
    picture = cell(DEF) | {"outputs": [{"data": {"image/png": "A" * (2 * file_tree.FILE_BYTES)}}]}
    question = graded(tmp_path / "pictures", {"text2num.ipynb": notebook(picture)})
    assert question.main is not None
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as packed:
        packed.write(tmp_path / "pictures" / "text2num.ipynb", "text2num.ipynb")
    (question,) = read_submission(tmp_path / "work.zip", ASSIGNMENT, only=("text2num",)).questions
    assert question.main is not None
    question = graded(tmp_path / "code", {"text2num.ipynb": notebook(cell("#" * (file_tree.FILE_BYTES + 1)))})
    assert "text2num.ipynb: is larger than 1 MiB" in question.notes[0]


def test_a_file_that_a_notebook_runs_is_named(tmp_path):
    cells = [cell("%run more.py\n", "%matplotlib inline"), cell("%run  ./more.py -v"), cell(DEF), cell("%run more.py")]
    question = graded(tmp_path, {"text2num.ipynb": notebook(*cells)})
    told = "which is left out: import the names of that file in its place"
    assert question.notes[1:] == (
        f"text2num.ipynb has %run ./more.py (line 6), {told}",
        f"text2num.ipynb has %run more.py (lines 2, 13), {told}",
    )
