"""Reusing single questions: what is found, stored, graded again by sample, and when a whole submission is graded."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import Assignment
from autograder.gradescope.results_json import build_results
from autograder.grading import identity
from autograder.grading.identity import compute_key, list_libraries
from autograder.regression.question_store import SLOW_S, QuestionStore
from autograder.regression.reuse import ReusedReport, ReusingGrader, choose_sample, compare
from autograder.regression.scores import Scores, read_scores
from autograder.regression.staff_files import StaffFiles
from autograder.results import CheckResult, Report, Verdict, WrittenText
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol.layers import LayerReport
from autograder.submission import QuestionFiles, SourceFile, Submission
from tests.selftest.support import reports
from tests.selftest.support.toy_assignment import ASSIGNMENT

pytestmark = pytest.mark.once

STEMS = ("algebra", "botany", "chess")
HASHES = dict.fromkeys(STEMS, "0f")
DEADLINE_S = 480.0
SLOW = {"seconds": SLOW_S}


@dataclass
class Grading:
    """A made-up grader that counts what it grades; `changes`: fields of the check of a question, by its id."""

    folder: Path
    changes: dict[str, dict[str, Any]] = field(default_factory=dict)
    of_report: dict[str, Any] = field(default_factory=dict)
    of_text: dict[str, Any] = field(default_factory=dict)
    graded: list[tuple[str, ...]] = field(default_factory=list)

    def grade(self, submission: Submission) -> Report:
        """Build a report with a check and a text for each question; an empty submission starts a grader."""
        stems = tuple(files.stem for files in submission.questions)
        if stems:
            self.graded.append(stems)
        layers = {} if not stems else self.of_report
        return reports.report(
            *map(self._check, stems),
            questions=tuple(reports.question(stem=stem, notes=(f"a note on {stem}",)) for stem in stems),
            texts=tuple(write_text(stem, **self.of_text) for stem in stems),
            notes=submission.notes,
            **layers,
        )

    def _check(self, stem: str) -> CheckResult:
        number = f"{STEMS.index(stem) + 1}.1"
        return reports.check(**{"stem": stem, "number": number, "test_id": stem, **self.changes.get(stem, {})})

    def run(
        self,
        submission: Submission,
        *,
        again: tuple[str, ...] = (),
        run: str,
        hashes: Mapping[str, str] = HASHES,
        groups: tuple[tuple[str, ...], ...] = tuple((stem,) for stem in STEMS),
    ) -> ReusedReport:
        """Grade a submission in a run of this name; what was graded is then in `graded`."""
        self.graded.clear()
        store, staff = QuestionStore([self.folder], run), StaffFiles(hashes, groups)
        return ReusingGrader(self.grade, store, staff, deadline_s=DEADLINE_S).grade(submission, again)


def write_text(stem: str, **changes: Any) -> WrittenText:
    """Build a text that a person grades."""
    fields = {"key": f"{stem}.why", "title": "Why", "number": "9.1", "points": 1.0, "answer": "So.", "rubric": "r"}
    return WrittenText(stem=stem, **{**fields, **changes})


def submit(**texts: str) -> Submission:
    """Build a submission with these texts of questions; `x = 1` for the others."""
    files = (QuestionFiles(stem, SourceFile(f"hw/{stem}.py", texts.get(stem, "x = 1"), stem)) for stem in STEMS)
    return Submission(tuple(files), ("a note on all",))


@pytest.fixture
def grading(tmp_path: Path) -> Grading:
    """A grader with an empty store."""
    return Grading(tmp_path / "questions")


def test_nothing_is_graded_if_nothing_changed(grading: Grading) -> None:
    first = grading.run(submit(), run="one")
    second = grading.run(submit(), run="two")
    assert (first.reused, second.reused) == ((), STEMS)
    assert second.report == first.report
    assert grading.graded == []


def test_a_class_is_not_resumed_by_another_version_of_a_declared_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def compute_keys(image_id: str) -> Iterator[str]:
        for version in ("2.1", "2.2"):
            monkeypatch.setattr(identity, "list_libraries", lambda _, version=version: [("torch", version)])
            yield compute_key(ASSIGNMENT, (), image_id)

    assert len({compute_key(ASSIGNMENT, ()), *compute_keys("")}) == 3
    assert len({*compute_keys("sha256:1")}) == 1  # their libraries are those of the image


def test_the_installed_versions_of_declared_libraries_are_listed() -> None:
    declared = Assignment(Path(), "Toys", (), libraries=("numpy.linalg", "yaml", "numpy"))
    versions = {name.lower(): version for name, version in list_libraries(declared)}
    assert versions == {name: importlib.metadata.version(name) for name in ("numpy", "pyyaml")}
    assert list_libraries(replace(declared, libraries=())) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"main": SourceFile("hw/botany.py", "x = 2", "botany")},
        {"helpers": {"h": SourceFile("hw/h.py", "y = 1", "h")}},
        {"notes": ("is a notebook",)},
    ],
    ids=["own file", "helper", "note"],
)
def test_only_the_question_that_sees_the_change_is_graded(grading: Grading, changes: dict[str, Any]) -> None:
    first, botany, third = submit().questions
    other = replace(submit(), questions=(first, replace(botany, **changes), third))
    grading.run(submit(), run="one")
    grading.changes = {"botany": {"score": 1.0}}
    found = grading.run(other, run="two")
    assert (found.reused, grading.graded) == (("algebra", "chess"), [("botany",)])
    assert [(check.number, check.score) for check in found.report.checks] == [("1.1", 2.0), ("2.1", 1.0), ("3.1", 2.0)]
    assert [status.stem for status in found.report.questions] == list(STEMS)
    assert [text.stem for text in found.report.texts] == list(STEMS)
    assert found.report.notes == ("a note on all",)


def test_only_the_question_whose_staff_files_changed_is_graded(grading: Grading) -> None:
    grading.run(submit(), run="one")
    assert grading.run(submit(), run="two", hashes={**HASHES, "chess": "1e"}).reused == ("algebra", "botany")


def test_questions_of_one_group_are_graded_together(grading: Grading) -> None:
    groups = (("algebra", "chess"), ("botany",))
    grading.run(submit(), run="one", groups=groups)
    grading.changes = {"chess": {"verdict": Verdict.UNDECIDED, "score": None}}  # so that its result is not stored
    grading.run(submit(chess="x = 2"), run="two", groups=groups)
    assert grading.graded == [("algebra", "chess")]
    assert grading.run(submit(chess="x = 2"), run="three", groups=groups).reused == ("botany",)


def test_a_submission_with_the_same_files_shares_the_results_of_an_earlier_run_alone(grading: Grading) -> None:
    grading.run(submit(), run="one")
    assert grading.run(submit(), run="one").reused == ()
    assert grading.run(submit(), run="two").reused == STEMS


def test_questions_to_grade_again_are_graded_and_no_other(grading: Grading) -> None:
    grading.run(submit(), run="one")
    found = grading.run(submit(), run="two", again=("chess",))
    assert (found.reused, grading.graded) == ((), [("chess",)])
    assert [check.stem for check in found.report.checks] == ["chess"]


@pytest.mark.parametrize(
    "changes",
    [
        {"verdict": Verdict.UNDECIDED, "score": None},
        {"verdict": Verdict.UNDECIDED, "score": None, "fault": "NameError"},
        {"verdict": Verdict.FAILED, "score": 0.0, "fault": "a replay failed"},
    ],
    ids=["undecided", "fault", "of a diagnosis"],
)
def test_a_result_that_is_not_final_is_not_stored(grading: Grading, changes: dict[str, Any]) -> None:
    grading.changes = {"botany": changes}
    grading.run(submit(), run="one")
    assert grading.run(submit(), run="two").reused == ("algebra", "chess")


@pytest.mark.parametrize(
    ("changes", "of_report"),
    [
        ({"botany": {"verdict": Verdict.NOT_RUN, "score": 0.0}}, {}),
        ({}, {"layers": (LayerReport(name="own user", is_active=False, reason="gone"),)}),
        ({}, {"seconds": 0.6 * DEADLINE_S}),
    ],
    ids=["deadline", "layers", "time"],
)
def test_of_a_submission_that_used_up_what_questions_share_nothing_is_stored(
    grading: Grading, changes: dict[str, Any], of_report: dict[str, Any]
) -> None:
    grading.changes, grading.of_report = changes, of_report
    grading.run(submit(), run="one")
    assert not grading.folder.exists()


def test_texts_that_could_not_be_read_are_not_stored(grading: Grading) -> None:
    grading.of_text = {"fault": "gone"}
    grading.run(submit(), run="one")
    assert not grading.folder.exists()


@pytest.mark.parametrize(
    ("changes", "of_report"),
    [
        ({"chess": {"verdict": Verdict.NOT_RUN, "score": 0.0}}, {}),
        ({}, {"seconds": 0.6 * DEADLINE_S}),
    ],
    ids=["deadline", "time"],
)
def test_the_whole_submission_is_graded_if_what_questions_share_might_be_used_up(
    grading: Grading, changes: dict[str, Any], of_report: dict[str, Any]
) -> None:
    grading.run(submit(), run="one")
    grading.changes, grading.of_report = changes, of_report
    assert grading.run(submit(chess="x = 2"), run="two").reused == ()
    assert grading.graded == [("chess",), STEMS]


def test_no_submission_can_have_the_hash_of_another(grading: Grading) -> None:
    main = SourceFile("hw/a.py", 'x = "\\"', "a")
    texts = ['x = 1", "module": "a"', "x = 1\0", "x = 1\udc80", "x = 1\\udc80", "x = 1", "x = 1 "]
    others = [
        *(QuestionFiles("algebra", replace(main, text=text)) for text in texts),
        *(QuestionFiles("algebra", replace(main, path=text)) for text in texts),
        QuestionFiles("algebra", main, helpers={"b": replace(main, module="b")}),
        QuestionFiles("algebra", main, also={"b": (replace(main, module="b"),)}),
        QuestionFiles("algebra", main, notes=("hw/a.py", "a")),
        QuestionFiles("algebra", main, notes=("hw/a.py, a",)),
        QuestionFiles("algebra", replace(main, is_package=True)),
        QuestionFiles("algebra", None),
    ]
    for files in others:
        assert grading.run(Submission((files,)), run="one").reused == ()
    assert len(list(grading.folder.iterdir())) == len(others)


class TestSlowQuestions:
    """Slow checks may have left later questions less time, so their results count only beside the same others."""

    def test_are_those_that_the_shortest_limit_of_a_check_could_stop(self) -> None:
        assert min(limit.LOAD_CPU_S, limit.CPU_AFTER_TIMEOUT_S) >= SLOW_S

    @pytest.mark.parametrize(
        ("slow", "slow_then", "changed", "reused"),
        [
            (["algebra"], ["algebra"], "chess", ("algebra", "botany")),
            (["algebra"], ["algebra", "chess"], "chess", ()),
            ([], ["chess"], "chess", ("algebra", "botany")),
            (["algebra", "chess"], ["algebra", "chess"], "botany", ("algebra", "chess")),
        ],
        ids=["one beside quick ones", "beside another that is graded", "graded beside quick ones", "two together"],
    )
    def test_are_reused_beside_the_same_slow_ones_only(
        self, grading: Grading, slow: list[str], slow_then: list[str], changed: str, reused: tuple[str, ...]
    ) -> None:
        grading.changes = dict.fromkeys(slow, SLOW)
        grading.run(submit(), run="one")
        grading.changes = dict.fromkeys(slow_then, SLOW)
        assert grading.run(submit(**{changed: "x = 2"}), run="two").reused == reused
        assert grading.graded == [(changed,), *([] if reused else [STEMS])]

    def test_of_different_submissions_are_not_put_together(self, grading: Grading) -> None:
        grading.changes = {"algebra": SLOW}
        grading.run(submit(), run="one")
        grading.changes = {"chess": SLOW}
        grading.run(submit(algebra="x = 2", chess="x = 2"), run="two")
        found = grading.run(submit(chess="x = 2"), run="three")
        assert set(found.reused) == {"botany"}

    def test_are_graded_as_part_of_the_whole_when_they_are_graded_again(self, grading: Grading) -> None:
        grading.changes = {"algebra": SLOW}
        grading.run(submit(), run="one")
        grading.run(submit(), run="two", again=("algebra",))
        assert grading.graded == [("algebra",), STEMS]


REUSED = {f"student{number}": ("algebra", "botany") for number in range(60)}
PASSED = reports.check()


def count(sample: dict[str, tuple[str, ...]]) -> int:
    """Count the questions of a sample."""
    return sum(map(len, sample.values()))


class TestSample:
    @pytest.mark.parametrize(("percent", "expected"), [(2, 3), (1, 2), (50, 60), (100, 120)])
    def test_is_a_share_of_the_reused_questions(self, percent: int, expected: int) -> None:
        assert count(choose_sample(REUSED, percent, seed="a")) == expected

    def test_is_at_least_one(self) -> None:
        assert choose_sample({"ann": ("algebra",)}, 2, seed="a") == {"ann": ("algebra",)}
        assert choose_sample({}, 2, seed="a") == {}

    def test_depends_on_the_seed_alone(self) -> None:
        backwards = dict(reversed(REUSED.items()))
        assert choose_sample(REUSED, 5, seed="a") == choose_sample(backwards, 5, seed="a")
        assert choose_sample(REUSED, 5, seed="a") != choose_sample(REUSED, 5, seed="b")

    def test_has_reused_questions_only(self) -> None:
        sample = choose_sample({"ann\udcff": ("botany",), "bo": ("algebra", "botany")}, 100, seed="a")
        assert {name: set(stems) for name, stems in sample.items()} == {
            "ann\udcff": {"botany"},
            "bo": {"algebra", "botany"},
        }


def read(*checks: CheckResult) -> Scores:
    """Read the scores of the results.json of these checks."""
    scores = read_scores(build_results(reports.report(*checks)).as_fields())
    assert scores is not None
    return scores


def compare_checks(before: CheckResult, after: CheckResult) -> list[str] | None:
    """Compare a stored check of a student with one that was graded again."""
    return compare("ann", read(before), read(after), ["algebra"])


class TestComparison:
    def test_finds_no_difference_in_times_and_outputs(self) -> None:
        assert compare_checks(PASSED, replace(PASSED, seconds=9.0, output="Other.")) == []

    @pytest.mark.parametrize(
        ("after", "told"),
        [
            (replace(PASSED, score=1.0, verdict=Verdict.PARTIAL), "it is 1 point (partial)"),
            (reports.failed(diagnosis=("sign",)), "it is 0 points (failed, sign)"),
            (replace(PASSED, diagnosis=("sign",)), "it is 2 points (passed, sign)"),
            (reports.failed(number="1.2"), "it is no result"),
        ],
    )
    def test_finds_another_score_verdict_diagnosis_or_check(self, after: CheckResult, told: str) -> None:
        first, *_ = compare_checks(PASSED, after) or [""]
        assert first.startswith("ann, check 1.1: 2 points (passed) was reused, graded again ")
        assert told in first

    def test_leaves_other_questions_out(self) -> None:
        other = reports.failed(stem="botany", number="2.1")
        assert compare("ann", read(PASSED, other), read(PASSED), ["algebra"]) == []

    def test_is_impossible_where_the_grader_failed(self) -> None:
        assert compare_checks(PASSED, reports.undecided()) is None
        not_run = replace(PASSED, verdict=Verdict.NOT_RUN, score=0.0)
        assert compare_checks(PASSED, not_run) is None
        assert compare("ann", read(PASSED), None, ["algebra"]) is None
