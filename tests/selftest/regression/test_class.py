"""Reading a class: folders, zips and Gradescope exports, including broken and hostile ones."""

import os
import warnings
import zipfile
from pathlib import Path

import pytest

from autograder.regression.class_results import escape_name
from autograder.regression.roster import MetadataError, RosterError, pack_tree, read_export_metadata, read_roster
from autograder.submission import SubmissionError, file_tree, open_tree, read_submission, read_tree
from tests.selftest.support import made_class
from tests.selftest.support.toy_assignment import ASSIGNMENT

pytestmark = pytest.mark.once

TEXT = "def descend(): ...\n"


def write_zip(path: Path, **files: str) -> Path:
    """Write a zip with these files; `__` in a name stands for a slash."""
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in files.items():
            packed.writestr(name.replace("__", "/"), text)
    return path


def write_folder(folder: Path, *names: str) -> Path:
    """Write a folder with files at these paths, all with the same text."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(TEXT)
    return folder


def read_names(path: Path) -> tuple[list[str], tuple[str, ...]]:
    """Return the names of a class's submissions, and the notes on it."""
    with read_roster(path, ASSIGNMENT) as roster:
        return [entry.member.name for entry in roster.entries], roster.notes


def read_contents(path: Path) -> dict[str, dict[str, str]]:
    """Return the files read from each submission of a class."""
    with read_roster(path, ASSIGNMENT) as roster:
        return {entry.member.name: dict(entry.pack().contents) for entry in roster.entries}


class TestFolder:
    def test_holds_folders_zips_and_files(self, tmp_path: Path) -> None:
        write_folder(tmp_path, "ann/hw/descent.py", "bo.py", "__MACOSX/x", "notes.txt", "a.csv", ".git/config")
        write_zip(tmp_path / "cy.zip")
        names, notes = read_names(tmp_path)
        assert names == ["ann", "bo.py", "cy.zip"]
        assert notes == ("skipped, because they are not submissions: a.csv, notes.txt",)

    def test_says_that_a_name_with_a_dot_is_skipped_but_for_those_of_tools(self, tmp_path: Path) -> None:
        write_folder(
            tmp_path, ".ann/descent.py", ".bo.py", "cy/descent.py", "di.py", "._cy.zip", ".DS_Store", "__MACOSX/._cy"
        )
        write_folder(tmp_path, ".git/config", ".vscode/x.py")
        made_class.pack(tmp_path, tmp_path.with_suffix(".zip"))
        for path in (tmp_path, tmp_path.with_suffix(".zip")):
            told = "skipped, because their names begin with a dot; rename them to grade them: .ann, .bo.py"
            assert read_names(path) == (["cy", "di.py"], (told,))

    def test_where_all_names_begin_with_a_dot_says_so(self, tmp_path: Path) -> None:
        with pytest.raises(
            RosterError, match=r"holds no submission; .*; skipped, because their names begin with a dot"
        ):
            read_names(write_folder(tmp_path, ".ann/descent.py"))

    def test_that_holds_a_single_folder_says_what_to_do(self, tmp_path: Path) -> None:
        write_folder(tmp_path, "class/ann/descent.py", "class/bo/descent.py")
        told = "there is one submission, class; if this is the folder of the class, give its path"
        assert read_names(tmp_path)[1] == (told,)

    def test_takes_the_files_that_grade_takes(self, tmp_path: Path) -> None:
        names = ["ann.py", "bo.ipynb", "cy.toml"]
        assert read_names(write_folder(tmp_path, *names))[0] == names

    @pytest.mark.parametrize(
        "names", [("descent.py", "fitting.py", "my_helpers.py"), ("DESCENT.py",), ("descent.py", "utils/x.py")]
    )
    def test_is_refused_if_it_is_a_single_submission(self, tmp_path: Path, names: tuple[str, ...]) -> None:
        with pytest.raises(RosterError, match="looks like one submission; give the folder that contains"):
            read_names(write_folder(tmp_path, *names))

    @pytest.mark.parametrize(
        "names", [("ann.py", "bo.py"), ("ann/descent.py", "bo/descent.py"), ("a/x", "b/x", "c/x", "descent.py")]
    )
    def test_is_a_class_if_files_are_named_like_people(self, tmp_path: Path, names: tuple[str, ...]) -> None:
        assert len(read_names(write_folder(tmp_path, *names))[0]) >= 2

    @pytest.mark.parametrize(
        ("name", "message"), [("empty", "holds no submission"), ("file.txt", "is neither a folder")]
    )
    def test_is_refused_if_it_has_no_submission(self, tmp_path: Path, name: str, message: str) -> None:
        path = tmp_path / name
        path.mkdir() if name == "empty" else path.write_text("x")
        with pytest.raises(RosterError, match=message):
            read_names(path)

    def test_names_that_look_alike_have_results_of_their_own(self, tmp_path: Path) -> None:
        names = ["\udcff", "\udcfe", "new\nline", r"new\nline", "a\u202eb", "ab", "\u00e9", "e\u0301", "c\\d", "c d"]
        for name in names:
            (tmp_path / name).mkdir()
        with read_roster(tmp_path, ASSIGNMENT) as roster:
            members = [entry.member for entry in roster.entries]
        assert len({member.file for member in members}) == len(names)
        assert {r"\udcfe", r"new\nline", r"a\u202eb"}.issubset(member.name for member in members)

    def test_names_that_would_share_a_file_are_refused(self, tmp_path: Path) -> None:
        for name in ("Ann", "ann"):
            (tmp_path / name).mkdir()
        with pytest.raises(RosterError, match="'Ann' and 'ann' would share the file of their results; rename one"):
            read_names(tmp_path)

    def test_follows_no_link_to_another_submission(self, tmp_path: Path) -> None:
        write_folder(tmp_path, "ann/descent.py")
        (tmp_path / "bo").symlink_to(tmp_path / "ann")
        (tmp_path / "cy").mkdir()
        os.link(tmp_path / "ann" / "descent.py", tmp_path / "cy" / "descent.py")
        with read_roster(tmp_path, ASSIGNMENT) as roster:
            found = {entry.member.name: dict(entry.pack().problems) for entry in roster.entries}
        assert "bo" not in found
        assert "second hard link" in found["cy"]["descent.py"]
        with open_tree(tmp_path / "cy") as alone:  # without the refusal, as outside of a class
            assert alone.read("descent.py") == TEXT.encode()

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
    def test_a_link_to_another_users_file_costs_that_user_nothing(self, tmp_path: Path) -> None:
        write_folder(tmp_path, "ann/descent.py")
        (tmp_path / "cy").mkdir()
        os.link(tmp_path / "ann" / "descent.py", tmp_path / "cy" / "descent.py")
        for name, user in {"ann": 50_001, "ann/descent.py": 50_001, "cy": 50_002}.items():
            os.chown(tmp_path / name, user, -1)
        with read_roster(tmp_path, ASSIGNMENT) as roster:
            ann, cy = (entry.pack() for entry in roster.entries)
        assert ann.read("descent.py") == TEXT.encode()
        assert "second hard link" in cy.problems["descent.py"]


class TestZip:
    def test_holds_the_same_as_the_folder(self, tmp_path: Path) -> None:
        made_class.make_export(tmp_path / "assignment_1_export", 6, question_ids=["descent"])
        made_class.pack(tmp_path / "assignment_1_export", tmp_path / "export.zip")
        assert read_contents(tmp_path / "export.zip") == read_contents(tmp_path / "assignment_1_export")
        with (
            read_roster(tmp_path / "export.zip", ASSIGNMENT) as packed,
            read_roster(tmp_path / "assignment_1_export", ASSIGNMENT) as folder,
        ):
            told, expected = ([entry.member for entry in roster.entries] for roster in (packed, folder))
            assert (told, packed.notes) == (expected, folder.notes)

    def test_may_hold_students_own_zips(self, tmp_path: Path) -> None:
        inner = write_zip(tmp_path / "inner.zip", hw__descent=TEXT, **{"hw__descent.py": TEXT}).read_bytes()
        with zipfile.ZipFile(tmp_path / "class.zip", "w") as packed:
            packed.writestr("class/ann.zip", inner)
            packed.writestr("class/bo.py", TEXT)
            packed.writestr("class/cy.zip", b"no zip")
        with read_roster(tmp_path / "class.zip", ASSIGNMENT) as roster:
            ann, bo, cy = roster.entries
            assert ann.pack().contents == {"hw/descent.py": TEXT}
            assert bo.pack().contents == {"bo.py": TEXT}
            with pytest.raises(SubmissionError, match=r"cy\.zip: is not a valid zip"):
                cy.pack()

    def test_holds_an_empty_folder_and_names_that_are_utf_8_without_a_flag(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "class.zip", "w") as packed:
            packed.mkdir("bo")
            for name in ("d\u00f6rte/descent.py", "\u00e9va/descent.py"):
                packed.writestr(name, TEXT)
        data = (tmp_path / "class.zip").read_bytes()
        flagged = b"\x00\x08"  # the flag behind a version, which macOS and Linux's zip do not set
        assert data.count(b"\x14\x00" + flagged) == 4
        (tmp_path / "class.zip").write_bytes(data.replace(b"\x14\x00" + flagged, b"\x14\x00\x00\x00"))
        with read_roster(tmp_path / "class.zip", ASSIGNMENT) as roster:
            assert [entry.member.name for entry in roster.entries] == ["bo", "d\u00f6rte", "\u00e9va"]
            assert [list(entry.pack().contents) for entry in roster.entries] == [[], ["descent.py"], ["descent.py"]]

    def test_keeps_a_name_that_dos_wrote(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "class.zip", "w") as packed:
            packed.writestr("dorte/descent.py", TEXT)
            packed.writestr("x/descent.py", TEXT)
        data = (tmp_path / "class.zip").read_bytes().replace(b"dorte", "d\u00f6rte".encode("cp437"))
        (tmp_path / "class.zip").write_bytes(data)
        assert read_names(tmp_path / "class.zip")[0] == ["d\u00f6rte", "x"]

    def test_a_bad_name_affects_no_other_submission(self, tmp_path: Path) -> None:
        bad = {"..__..__etc__passwd": "x", "bo__..__ann__x.py": "x"}
        path = write_zip(tmp_path / "class.zip", **{"ann__descent.py": TEXT, "cy__descent.py": TEXT}, **bad)
        assert read_names(path) == (["ann", "cy"], ("2 files were skipped: their names lead out of the zip",))

    def test_two_equal_members_cost_their_owner_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "class.zip"
        with zipfile.ZipFile(path, "w") as packed, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name in ("ann/descent.py", "bo/descent.py", "bo/descent.py", "cy.zip", "cy.zip"):
                packed.writestr(name, TEXT)
        with read_roster(path, ASSIGNMENT) as roster:
            ann, bo, cy = roster.entries
            assert ann.pack().contents == {"descent.py": TEXT}
            assert bo.pack().contents == {}
            assert "descent.py: two files of this name are in the submission" in bo.pack().listing.notes[0]
            with pytest.raises(SubmissionError, match=r"cy\.zip: two files of this name are in the zip"):
                cy.pack()

    def test_without_the_refusal_only_the_second_of_them_is_seen(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(file_tree, "is_read", lambda _: False)
        path = write_zip(tmp_path / "class.zip", **{"bo__descent.py": "", "bo__.__descent.py": TEXT})
        with read_roster(path, ASSIGNMENT) as roster:
            assert roster.entries[0].pack().contents == {"descent.py": TEXT}


class TestExport:
    METADATA = """\
submission_1:
  :submitters:
  - &1
    :name: Ann O'Hara
    :sid: '0012'
    :email: ann@x.example
  :created_at: 2026-02-30 18:00:21.586041000 Z
  :score: 3.5
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    tests:
    - {name: one, score: 1.0, max_score: 2, number: '1.1'}
    - :name: two
      :score: .nan
  :history:
  - {':id': 4, ':score': 3}
submission_2:
  :submitters:
  - *1
  - :name: =
submission_3: nonsense
submission_9:
  :submitters: nobody
"""

    def test_gives_submitters_attempts_and_published_scores(self) -> None:
        found = read_export_metadata(self.METADATA.encode())
        assert [person.name for person in found["submission_2"].people] == ["Ann O'Hara", "="]
        first = found["submission_1"]
        assert (first.people[0].sid, first.people[0].email) == ("0012", "ann@x.example")
        assert first.published is not None
        assert first.published.rows["1.1 one"].score == 1.0
        assert first.published.total == 1.0  # of its tests: a late penalty may have reduced the score
        assert found["submission_9"].people == ()

    def test_names_submissions_without_a_folder_or_a_submitter(self, tmp_path: Path) -> None:
        write_folder(
            tmp_path, "export/submission_1/descent.py", "export/submission_7/descent.py", "export/other/descent.py"
        )
        (tmp_path / "export" / "submission_metadata.yml").write_text(self.METADATA)
        names, notes = read_names(tmp_path)
        assert names == ["submission_1", "submission_7"]
        assert notes == (
            "in submission_metadata.yml but without a folder, so not graded: submission_2, submission_9",
            "not in submission_metadata.yml, so graded without a name: submission_7",
            "skipped, because they are not submissions: other",
        )

    def test_names_who_has_handed_in_twice(self, tmp_path: Path) -> None:
        write_folder(tmp_path, "submission_1/descent.py", "submission_2/descent.py", "submission_9/descent.py")
        (tmp_path / "submission_metadata.yml").write_text(self.METADATA)
        told = "in more than one submission, so with a row for each in gradebooks: ann@x.example"
        assert read_names(tmp_path)[1] == (told,)

    @pytest.mark.parametrize(
        "text", ["a: [", "- 1", "!!python/object/apply:os.system [ls]", "a: &a [*b]", "\x00", "? [a]\n: b\n? {b: c}"]
    )
    def test_with_broken_metadata_is_graded_without_names(self, tmp_path: Path, text: str) -> None:
        write_folder(tmp_path, "submission_1/descent.py")
        (tmp_path / "submission_metadata.yml").write_text(text)
        with pytest.raises(MetadataError, match="is not the YAML that Gradescope writes"):
            read_export_metadata(text.encode())
        names, notes = read_names(tmp_path)
        assert names == ["submission_1"]
        assert "names and published scores are missing" in notes[0]

    def test_with_recursive_aliases_costs_no_memory(self) -> None:
        layers = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
        text = f"a0: &a0 [x]\n{layers}submission_1:\n  :submitters:\n  - :name: *a29\n  :history: *a29\n"
        assert read_export_metadata(text.encode())["submission_1"].people[0].name == ""


class TestPackedSubmission:
    def test_reads_like_the_folder_that_it_was_packed_from(self, tmp_path: Path) -> None:
        write_folder(tmp_path, "hw/descent.py", "notes.txt", "averages.py")
        (tmp_path / "averages.py").write_bytes(b"x" * (2 << 20))
        (tmp_path / "rows.ipynb").write_text('{"cells": [{"cell_type": "code", "source": "def unit_rows(x): ..."}]}')
        with open_tree(tmp_path) as tree:
            packed = pack_tree(tree)
        assert read_tree(packed, ASSIGNMENT, ("descent", "rows")) == read_submission(
            tmp_path, ASSIGNMENT, only=("descent", "rows")
        )
        with pytest.raises(SubmissionError, match=r"averages\.py: is larger than 1 MiB"):
            packed.read("averages.py")


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", ".hidden", "a\0b", "CON", "ä" * 200, "%41", "-rf", ".."])
def test_every_name_gets_a_safe_file_of_its_own(name: str) -> None:
    made = escape_name(name)
    assert "/" not in made
    assert "\0" not in made
    assert not made.startswith(".")
    assert len(made) < 200
    assert made not in {escape_name(name + "x"), escape_name("A"), escape_name(name.upper() + "y")}
