"""Gradescope's results.json: its content, which Gradescope always accepts."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from autograder.gradescope import results_json
from autograder.gradescope.results_json import GradedTest, Results, read_results_json
from autograder.results import LeaderboardEntry, Report, Verdict, Visibility
from tests.selftest.support.reports import check, failed, question, report, undecided

pytestmark = pytest.mark.once


def reject(constant: str) -> None:
    """Fail on NaN and Infinity, which Python reads but Gradescope cannot send on."""
    raise AssertionError(f"{constant} in results.json")


def check_format(results: Results) -> dict[str, Any]:
    """Return the file as Gradescope reads it, checked against the documented format."""
    content = results.as_bytes()
    value: dict[str, Any] = json.loads(content.decode("ascii"), parse_constant=reject)
    assert "score" in value
    assert read_results_json(content) == results  # which takes documented fields and kinds alone
    return value


def emit(graded: Report) -> dict[str, Any]:
    """Return the results of a report as Gradescope reads them."""
    return check_format(results_json.build_results(graded))


def test_a_passed_check() -> None:
    (test,) = emit(report(check(diagnosis=("adds_twice",), is_robustness=True)))["tests"]
    assert test == {
        "name": "add: two numbers",
        "number": "1.1",
        "score": 2.0,
        "max_score": 2.0,
        "status": "passed",
        "output": "Passed.",
        "output_format": "text",
        "tags": ["algebra", "add", "robustness"],
        "visibility": "visible",
        "extra_data": {
            "question": "algebra",
            "functions": ["add"],
            "verdict": "passed",
            "diagnosis": ["adds_twice"],
            "outcome": "returned",
            "attempts": [],
        },
    }


@pytest.mark.parametrize("verdict", [v for v in Verdict if v not in (Verdict.PASSED, Verdict.UNDECIDED)])
def test_only_full_credit_has_the_status_passed(verdict: Verdict) -> None:
    (test,) = emit(report(check(verdict=verdict, score=1.0)))["tests"]
    assert test["status"] == "failed"
    assert test["extra_data"]["verdict"] == verdict.value


def test_an_undecided_check_has_no_score_and_its_fault_is_told_to_staff_alone() -> None:
    late = [failed(number=f"1.{number}", verdict=Verdict.NOT_RUN) for number in (3, 4)]
    value = emit(report(check(), undecided(number="1.2", visibility=Visibility.VISIBLE), *late))
    assert value["score"] == 2.0
    assert "2 checks are not run, because the time for the whole submission was used up." in value["output"]
    told = value["tests"][1]
    assert not {"score", "max_score", "status"} & set(told)
    assert "1 check is not judged, because the grader itself failed. This is not your fault" in value["output"]
    assert told["extra_data"]["fault"] == "NameError: the grader's own mistake"
    assert "NameError" not in value["output"] + told["output"]


def test_advice_has_no_score_and_is_not_counted() -> None:
    advice = failed("ADVICE, without points: add(1, 2)", number="1.2", points=0.0, is_advice=True)
    value = emit(report(check(), advice))
    told = value["tests"][1]
    assert not {"score", "max_score", "status"} & set(told)
    assert (told["output"], told["tags"]) == (advice.output, ["algebra", "add", "advice"])
    assert told["extra_data"]["advice"] is True
    assert value["score"] == 2.0
    assert value["output"].startswith("1 check is shown at once: 2 of 2 points.")


def test_the_top_level_says_which_grader_judged() -> None:
    value = emit(report(check()))
    assert value["execution_time"] == 1.24
    assert value["stdout_visibility"] == "hidden"
    assert value["extra_data"] == {
        "state": "graded",
        "notes": "",
        "grader": {"version": "1.2.3", "content_hash": "0f" * 32, "seed": 7, "python": "3.11.7", "numpy": "2.2.6"},
        "layers": [
            {"name": "own user", "is_active": True, "reason": ""},
            {"name": "moat", "is_active": False, "reason": "no water"},
        ],
        "layers_are": "read back",
    }


def test_the_leaderboard_has_the_values_of_checks_that_give_points() -> None:
    entries = {each: LeaderboardEntry(name=each.value, value=1.5, order="asc") for each in Verdict}
    entries[Verdict.PARTIAL] = LeaderboardEntry(name="method", value="Adam", order="desc")
    checks = [check(verdict=verdict, leaderboard=entry) for verdict, entry in entries.items()]
    assert emit(report(*checks, check()))["leaderboard"] == [
        {"name": "passed", "value": 1.5, "order": "asc"},
        {"name": "method", "value": "Adam", "order": "desc"},
    ]


def test_a_long_output_is_cut_and_the_file_stays_small() -> None:
    results = results_json.build_results(report(failed("x" * 10**6), notes=("y" * 10**6,)))
    assert len(results.as_bytes()) < 3 * results_json.OUTPUT_CHARACTERS
    assert "cut" in check_format(results)["tests"][0]["output"]


@given(st.text(), st.text(), st.text())
def test_any_text_of_a_student_is_taken(output: str, note: str, path: str) -> None:
    emit(report(failed(output), questions=(question(file=path, notes=(note,)),)))


class TestSummary:
    """The text at the top, which students read."""

    def test_points_of_checks_that_are_not_shown_yet_are_not_given_away(self) -> None:
        hidden = failed(number="1.2", points=5.0, visibility=Visibility.AFTER_DUE_DATE)
        staff = check(number="1.3", points=1.0, score=1.0, visibility=Visibility.HIDDEN)
        published = failed(number="1.4", points=0.5, visibility=Visibility.AFTER_PUBLISHED)
        assert emit(report(check(), hidden, staff, published))["output"].splitlines() == [
            "1 check is shown at once: 2 of 2 points.",
            "1 more check is shown to the course staff only, worth 1 point.",
            "1 more check is shown after the due date, worth 5 points.",
            "1 more check is shown when the grades are published, worth 0.5 points.",
        ]

    def test_begins_with_what_to_do_first_and_lists_the_functions_by_the_checks_that_are_shown(self) -> None:
        hidden = {"visibility": Visibility.AFTER_DUE_DATE, "replaced": ("add",)}
        checks = [failed(), check(functions=("sub",), number="1.2"), failed(number="1.3", **hidden)]
        for make in (check, failed):
            graded = report(*checks, make(functions=("sub",), number="1.4", **hidden))
            assert emit(graded)["output"].splitlines() == [
                "add in hw/algebra.py is wrong.",
                "",
                "2 checks are shown at once: 2 of 4 points.",
                "2 more checks are shown after the due date, worth 4 points.",
                "",
                "By function, in the checks shown at once",
                "Algebra (hw/algebra.py)",
                "  wrong: add; 0 of 2 points, see check 1.1",
                "  right: sub; 2 of 2 points",
            ]

    def test_nothing_shown_and_notes_on_the_files(self) -> None:
        missing = question(file=None, notes=("no file was found; looked for algebra.py",))
        hidden = check(visibility=Visibility.HIDDEN)
        lines = emit(report(hidden, notes=("a note",), questions=(missing,)))["output"].splitlines()
        assert lines[0] == "No check is shown at once."
        assert lines[-3:] == ["Notes on your files", "- a note", "- Algebra: no file was found; looked for algebra.py"]

    def test_says_nothing_of_hidden_checks_without_a_verdict(self) -> None:
        """Student code that reads hidden inputs could choose how many they are."""
        for verdict in (Verdict.FAILED, Verdict.NOT_RUN, Verdict.UNDECIDED):
            hidden = failed(visibility=Visibility.AFTER_DUE_DATE, verdict=verdict)
            assert emit(report(check(), hidden))["output"].splitlines() == [
                "1 check is shown at once: 2 of 2 points.",
                "1 more check is shown after the due date, worth 2 points.",
            ]


def test_the_placeholder_is_valid_and_blames_nobody() -> None:
    value = check_format(results_json.build_placeholder())
    assert value["score"] == 0
    assert value["extra_data"] == {"state": "unfinished"}
    assert "This is not your fault" in value["output"]


def test_an_unreadable_submission_is_told_why() -> None:
    value = check_format(results_json.build_unreadable("hw.zip: is not a valid zip"))
    assert value["extra_data"] == {"state": "unreadable", "notes": "hw.zip: is not a valid zip"}
    assert "hw.zip: is not a valid zip" in value["output"]


def test_fields_and_words_that_gradescope_does_not_know_are_rejected() -> None:
    words = {"visibility": "secret", "status": "partial", "output_format": "markdown"}
    for field, value in {**words, "points": 1, "max_score": -1, "score": "many"}.items():
        with pytest.raises(ValidationError, match=field):
            read_results_json(json.dumps({"tests": [{"name": "a test", field: value}]}))


class TestWriting:
    def test_the_file_is_private_and_alone_in_a_folder_that_is_made(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "results" / "results.json"
        results_json.write_results(path, results_json.build_placeholder())
        results_json.write_results(path, results_json.build_results(report(check())))
        assert path.read_bytes() == results_json.build_results(report(check())).as_bytes()
        assert (os.listdir(path.parent), path.stat().st_mode & 0o777) == (["results.json"], 0o600)

    @pytest.mark.parametrize(
        "results",
        [
            Results(score=float("nan")),
            Results(extra_data={"number": [float("inf")]}),
            Results(output="half a pair: \ud800"),
            Results(extra_data={"path": Path("/")}),  # type: ignore[dict-item]
            Results(score="many"),  # type: ignore[arg-type]
            Results(tests=(GradedTest(name="a test", max_score=-1),)),
        ],
        ids=["score", "inside", "letter", "object", "type", "range"],
    )
    def test_in_place_of_a_result_that_is_not_valid_an_undecided_one_is_written(
        self, tmp_path: Path, results: Results
    ) -> None:
        path = tmp_path / "results.json"
        with pytest.raises(results_json.ResultsError, match="Gradescope would refuse it"):
            results_json.write_results(path, results)
        fallback = read_results_json(path.read_bytes())
        assert (fallback.score, (fallback.extra_data or {})["state"]) == (0.0, "undecided")
        assert os.listdir(tmp_path) == ["results.json"]
