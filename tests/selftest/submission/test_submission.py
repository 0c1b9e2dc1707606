"""A submission in any shape becomes the right files for each question, with notes on missing ones."""

import json
import os
import socket
import stat
import zipfile
from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.submission import SubmissionError, file_tree, read_submission

ASSIGNMENT = load_assignment(Path(__file__).parent / "several_years")
DEF = "def f(): pass\n"


def written(root, files):
    """Write a folder with these files, texts or bytes by path."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def graded(tmp_path, files, question_id="text2num"):
    """Return the files of one question in a folder with these files."""
    (question,) = read_submission(written(tmp_path, files), ASSIGNMENT, only=(question_id,)).questions
    return question


def test_each_question_gets_its_file(tmp_path):
    names = [question.files[0] for question in ASSIGNMENT.questions]
    submission = read_submission(written(tmp_path, {name: f"# {name}" for name in names}), ASSIGNMENT)
    assert [files.question_id for files in submission.questions] == list(ASSIGNMENT.question_ids)
    assert [(files.main.path, files.main.text) for files in submission.questions] == [(n, f"# {n}") for n in names]
    assert submission.notes == ()


def test_one_python_file_is_a_submission(tmp_path):
    written(tmp_path, {"walk.py": DEF, "text2num.py": "import walk"})
    found = read_submission(tmp_path / "text2num.py", ASSIGNMENT).questions
    assert [files.question_id for files in found if files.main] == ["text2num"]
    assert found[0].helpers == {}


NAMES = "text2num.py, q3_text2num.py, q2c_text2num.py, q3c_text2num.py"
MISSING = f"no file of this question was found; looked for {NAMES} in every folder"
RENAME = "if that is your answer, rename it to text2num.py"
NEAR = (
    "text2num (1).py",
    "text2num-1.py",
    "text2num_final.py",
    "my_text2num.py",
    "text2num.py.txt",
    "text 2 num.py",
    "2num.py",
    "text.py",
)
# The files of a submission, which one is taken, and the note on it.
CHOICES = [
    *(([f"hw/q{part}_text2num.py"], f"hw/q{part}_text2num.py", "") for part in ("3", "2c", "3c")),
    (["a/text2num.py", "a/b/text2num.py"], "a/text2num.py", "a/text2num.py was graded; a/b/text2num.py was not"),
    (["a/text2num.py", "b/q3_text2num.py"], "a/text2num.py", "a/text2num.py was graded; b/q3_text2num.py was not"),
    (["q3_text2num.py", "a/text2num.py"], "q3_text2num.py", "q3_text2num.py was graded; a/text2num.py was not"),
    (["text2num.py", "q3_text2num.py"], "text2num.py", "text2num.py was graded; q3_text2num.py was not"),
    (["Text2Num.py", "a/text2num.py"], "a/text2num.py", ""),
    (["hw/Text2Num.PY"], "hw/Text2Num.PY", "hw/Text2Num.PY was graded; its name should be text2num.py"),
    (
        ["a/text2num.py", "b/text2num.py", "c/q3_text2num.py"],
        None,
        "more than one file may be meant, a/text2num.py, b/text2num.py: submit one of them",
    ),
    *(([name], None, MISSING) for name in ("walk.py", "text2num.png", "text2num_params.npy", "vectors.py")),
    *(([name], None, f"{MISSING}; found {name}: {RENAME}") for name in NEAR),
    (
        [f"text2num{number}.py" for number in range(5)],
        None,
        f"{MISSING}; found text2num0.py, text2num1.py, text2num2.py and 2 more: {RENAME}",
    ),
]


@pytest.mark.parametrize(("files", "taken", "note"), CHOICES, ids=lambda given: given[0] if given else "")
def test_among_the_files_one_is_taken_by_its_depth_then_by_its_name(tmp_path, files, taken, note):
    question = graded(tmp_path, dict.fromkeys(files, DEF))
    assert (question.main and question.main.path) == taken
    assert not taken or question.main.module == Path(taken).stem
    assert question.notes == ((note,) if note else ())
    assert len(question.sources) == bool(taken)


@pytest.mark.parametrize("files", [{}, {"report.pdf": b"%PDF"}], ids=["empty", "no Python"])
def test_a_submission_without_code_has_every_question_missing(tmp_path, files):
    submission = read_submission(written(tmp_path, files), ASSIGNMENT)
    assert len(submission.questions) == len(ASSIGNMENT.questions)
    assert all(question.main is None and question.notes for question in submission.questions)
    uploaded = "; its files are report.pdf" if files else ""
    assert submission.notes == (f"the submission holds no Python file and no answers{uploaded}",)


def test_files_of_no_question_are_listed(tmp_path):
    submission = read_submission(written(tmp_path, {"mine.py": DEF, "b.txt": "", "c.csv": ""}), ASSIGNMENT)
    assert submission.notes == ("the submission holds no file of a question; its files are b.txt, c.csv, mine.py",)


def test_packed_files_among_others_are_named_and_not_opened(tmp_path):
    submission = read_submission(written(tmp_path, {"hw1.zip": b"PK", "b.7z": b"", "text2num.py": DEF}), ASSIGNMENT)
    assert submission.notes == ("packed files are not opened: b.7z, hw1.zip; unpack them and submit what they hold",)


def test_a_folder_with_a_zip_alone_is_read_like_the_zip(tmp_path):
    folder = written(tmp_path, {"uploaded/.DS_Store": b"", "uploaded/hw1.zip": b""})
    with zipfile.ZipFile(folder / "uploaded" / "hw1.zip", "w") as packed:
        packed.writestr("hw/text2num.py", DEF)
    (question, *_) = read_submission(folder, ASSIGNMENT).questions
    assert question.main is not None
    assert question.main.path == "hw/text2num.py"


def test_notes_on_a_text_name_its_path(tmp_path):
    question = graded(tmp_path, {"hw/text2num.py": "import more\nprint 'x'\nnp.float\n", "hw/more.py": b"# \xff\n"})
    assert question.notes == (
        "hw/text2num.py is written for Python 2 (line 2), which is not run here; write it for Python 3",
        "hw/text2num.py uses np.float, which not every version of numpy has (line 3): write float",
        "hw/more.py is not utf-8 text (line 1); it was read as Latin-1: save it as UTF-8",
    )


@pytest.mark.parametrize(
    ("text", "variant"),
    {
        "def plainLossAndSlope(): pass": None,
        "def plainCostAndSlope(): pass": "2017",
        "def plain_loss_and_slope(): pass": "snake_case",
        "fewCostAndSlope = lambda: 0": "2017",
        "def plainLossAndSlope(): pass\ndef plainCostAndSlope(): pass": None,
        "'''\ndef plainCostAndSlope(): pass\n'''": None,
        "# plainCostAndSlope": None,
    }.items(),
)
def test_the_names_a_file_defines_tell_its_variant(tmp_path, text, variant):
    found = graded(tmp_path, {"text2num.py": text}).variant
    assert (found and found.id) == variant


def test_helpers_are_the_modules_that_the_file_can_reach(tmp_path):
    question = graded(
        tmp_path,
        {
            "hw/text2num.py": "from utils.math import soften\nimport walk",
            "hw/walk.py": "import deeper",
            "hw/deeper.py": DEF,
            "hw/utils/__init__.py": "",
            "hw/utils/math.py": "from . import more",
            "hw/utils/more.py": DEF,
            "hw/utils/unused.py": DEF,
            "hw/not-a-name.py": DEF,
            "hw/lambda.py": DEF,
            "hw/__init__.py": DEF,
            "outside.py": DEF,
        },
    )
    assert sorted(question.helpers) == ["deeper", "utils", "utils.math", "utils.more", "walk"]
    assert question.helpers["utils"].is_package
    assert question.sources["utils.math"] == ("hw/utils/math.py", "from . import more", False)
    assert question.sources["text2num"] == ("hw/text2num.py", question.main.text, False)
    assert len(question.sources) == 6


@pytest.mark.parametrize("line", ["sys.path.append(HERE)", ""])
def test_a_file_that_changes_the_path_reaches_modules_in_any_folder(tmp_path, line):
    files = {
        "hw/text2num.py": f"import sys\n{line}\nimport walk, tools.math, bend, twice",
        "hw/my src/walk.py": "first",
        "hw/my src/tools/__init__.py": "",
        "hw/my src/tools/math.py": "",
        "hw/bend.py": "near",
        "my src/bend.py": "far",
        "a/twice.py": "",
        "b/twice.py": "",
    }
    helpers = graded(tmp_path, files).helpers
    assert sorted(helpers) == (["bend", "tools", "tools.math", "walk"] if line else ["bend"])
    assert helpers["bend"].text == "near"


def test_files_that_shadow_standard_modules_are_left_out_and_noted_when_imported(tmp_path):
    files = {
        "text2num.py": "import numpy\nimport random  # typing",
        "numpy.py": DEF,
        "random.py": DEF,
        "typing.py": DEF,
    }
    question = graded(tmp_path, files)
    assert question.helpers == {}
    assert question.notes == (
        "numpy.py has the name of a standard module, which is imported in its place; rename your file",
        "random.py has the name of a standard module, which is imported in its place; rename your file",
    )


def test_files_for_tools_are_never_read(tmp_path):
    names = ["conftest.py", "sitecustomize.py", "pytest.ini", "evil.pth", "pyproject.toml"]
    question = graded(tmp_path, {"text2num.py": DEF, **dict.fromkeys(names, "x")})
    assert (sorted(question.sources), question.notes) == (["text2num"], ())


def test_a_function_is_also_looked_for_in_the_files_declared_for_it(tmp_path):
    files = {"a/q3_text2num.py": DEF, "a/q2_bend.py": "near", "q2_bend.py": "far", "b/bend.py": "other"}
    question = graded(tmp_path, files)
    assert [(file.path, file.module) for file in question.also["bend"]] == [
        ("a/q2_bend.py", "q2_bend"),
        ("b/bend.py", "bend"),
    ]
    assert question.sources["q2_bend"] == ("a/q2_bend.py", "near", False)
    assert question.sources["bend"][0] == "b/bend.py"


def test_names_without_power_over_the_terminal(tmp_path):
    folder = os.fsdecode(b"\x1b[31m\n\xff")
    question = graded(tmp_path, {f"{folder}/text2num.py": DEF, f"{folder}/old/text2num.py": DEF})
    assert question.main.path == "\\x1b[31m\\n\\udcff/text2num.py"
    assert all(character.isprintable() for note in question.notes for character in note)
    json.dumps([question.notes, question.main.path], ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("name", "message"),
    {
        "nowhere": "nowhere: does not exist; give the path of a folder, a .zip, a .py, .ipynb or .toml file",
        "nul\0": r"nul\x00: cannot be opened; give the path of a folder",
        "x" * 300: "cannot be opened; give the path of a folder",
        "link": "link: is a symbolic link; give the path that it leads to",
        "work.rar": "work.rar: is not a folder, a .zip, a .py, .ipynb or .toml file; submit one of these",
        "pipe": "pipe: is not a folder, a .zip, a .py, .ipynb or .toml file",
        "pipe.py": "pipe.py: is a named pipe; submit an ordinary file",
        "pipe.zip": "pipe.zip: is a named pipe; submit an ordinary file",
        "socket.py": "socket.py: is a socket",
        "text.zip": "text.zip: is not a valid zip; pack your files again as an ordinary zip",
    }.items(),
)
def test_what_is_no_submission_is_refused(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path)
    written(tmp_path, {"work.rar": "x", "text.zip": "x"})
    for pipe in ("pipe", "pipe.py", "pipe.zip"):
        os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.py")
        with pytest.raises(SubmissionError) as failure:
            read_submission(Path(name), ASSIGNMENT)
    assert message in str(failure.value)


def make_bad_file(path, kind):
    """Write a file that cannot be read: `kind` tells why."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "link":
        path.symlink_to("/etc/shadow")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(os.path.relpath(path))  # the name of a socket must be short
    elif kind == "too large":
        path.write_bytes(b"#" * ((1 << 20) + 1))
    else:
        path.write_text(DEF)
        path.chmod(0)


BAD_FILES = {
    "link": "is a symbolic link; submit the file itself",
    "pipe": "is a named pipe; submit an ordinary file",
    "socket": "is a socket; submit an ordinary file",
    "too large": "is larger than 1 MiB; a solution has a few KiB: leave data out of it",
    "closed": "cannot be read: Permission denied",
}


@pytest.fixture(params=BAD_FILES)
def bad(request, tmp_path, monkeypatch):
    """Return a function that makes a bad file in the submission, and returns the note on it."""
    if request.param == "closed" and os.geteuid() == 0:
        pytest.skip("permissions do not stop root")
    monkeypatch.chdir(tmp_path)

    def make(name):
        make_bad_file(tmp_path / name, request.param)
        return f"{name}: {BAD_FILES[request.param]}"

    return make


def test_a_bad_file_costs_its_own_question(tmp_path, bad):
    note = bad("hw/text2num.py")
    submission = read_submission(written(tmp_path, {"hw/walk.py": DEF}), ASSIGNMENT, only=("text2num", "walk"))
    text2num, walk = submission.questions
    assert (text2num.main, text2num.notes[0]) == (None, note)
    assert text2num.notes[1].startswith("no file of this question was found; looked for text2num.py, ")
    assert (walk.main.text, walk.notes) == (DEF, ())


def test_a_bad_module_costs_itself_and_is_noted_for_each_question_that_needs_it(tmp_path, bad):
    note = bad("utils/utils.py")
    files = {
        "text2num.py": "import utils.utils, more",
        "walk.py": "import utils.utils",
        "more.py": DEF,
        "climb.py": DEF,
    }
    found = read_submission(written(tmp_path, files), ASSIGNMENT, only=("text2num", "walk", "climb")).questions
    assert [sorted(question.helpers) for question in found] == [["more"], [], []]
    assert [question.notes for question in found] == [(note,), (note,), ()]


@pytest.mark.parametrize(
    ("name", "other", "taken"),
    [
        ("text2num.py", "work/text2num.py", "work/text2num.py"),
        ("b/text2num.py", "a/text2num.py", "a/text2num.py"),
        ("submission.py", "notes.txt", None),
    ],
    ids=["before another", "of a tie", "of all questions"],
)
def test_a_bad_file_is_noted_and_the_next_of_its_question_is_taken(tmp_path, bad, name, other, taken):
    note = bad(name)
    question = graded(tmp_path, {other: DEF})
    assert (question.main and question.main.path, question.notes[0]) == (taken, note)


def test_a_zips_bad_members_cost_themselves(tmp_path):
    link = zipfile.ZipInfo("text2num.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as packed:
        packed.writestr(link, "/etc/shadow")
        packed.writestr("climb.py", b"#" * ((1 << 20) + 1))
        packed.writestr("walk.py", DEF)
        packed.writestr("../../evil.py", DEF)
        packed.writestr("mask.py", "damage me")
    data = (tmp_path / "work.zip").read_bytes()
    (tmp_path / "work.zip").write_bytes(data.replace(b"damage me", b"damaged!!"))
    question_ids = ("text2num", "walk", "climb", "mask")
    submission = read_submission(tmp_path / "work.zip", ASSIGNMENT, only=question_ids)
    assert [files.question_id for files in submission.questions if files.main] == ["walk"]
    assert [files.notes[0] for files in submission.questions if not files.main] == [
        "text2num.py: is a symbolic link in the zip; put the file itself into it",
        "climb.py: is larger than 1 MiB; a solution has a few KiB: leave data out of it",
        "mask.py: is not a valid zip; pack your files again as an ordinary zip",
    ]
    assert submission.notes == (
        "a file of the zip has a bad name, '../../evil.py', which leads out of its folder; it was left out",
    )


@pytest.mark.ci
def test_text_beyond_the_total_size_is_left_out_and_main_files_go_first(tmp_path, monkeypatch):
    monkeypatch.setattr(file_tree, "USED_BYTES", 2 << 20)
    words = [f"part{number}" for number in range(3)]
    files = {f"{word}.py": "#" * (1 << 20) for word in words}
    written(tmp_path, {"text2num.py": " ".join(words), "walk.py": DEF, **files})
    text2num, walk = read_submission(tmp_path, ASSIGNMENT, only=("text2num", "walk")).questions
    assert (sorted(text2num.helpers), walk.main.text) == (["part0"], DEF)
    assert text2num.notes == tuple(
        f"part{number}.py: was left out: the files are together larger than 2 MiB; leave data out of them"
        for number in (1, 2)
    )
