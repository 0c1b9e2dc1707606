"""--exit-status: a platform that runs commands learns whether all points are reached, students read what they may."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.gradescope.results_json import build_placeholder, build_results, build_unreadable
from autograder.gradescope.schema import Results
from autograder.platforms import describe_for_student, has_all_points
from autograder.results import Visibility, WrittenText
from tests.selftest.cli.test_main import ONLY, RIGHT, run
from tests.selftest.support.reports import check, failed, report, undecided

TEXT = WrittenText(stem="a", key="why", title="Why?", number="2.1", points=3.0, answer="It falls.", rubric="x" * 5)
UNSEEN = list(Visibility)[1:]


def test_each_check_that_students_see_says_how_it_ended() -> None:
    shown = describe_for_student(build_results(report(check(), failed("FAIL add\nfound: 4", number="1.2"))))
    assert shown.splitlines() == [
        "1.1 add: two numbers: passed",
        "1.2 add: two numbers: not passed",
        "    FAIL add",
        "    found: 4",
    ]


@pytest.mark.parametrize("visibility", UNSEEN)
def test_checks_that_students_do_not_see_are_only_counted(visibility: Visibility) -> None:
    results = build_results(report(check(), failed("the secret", number="1.2", visibility=visibility), texts=(TEXT,)))
    assert describe_for_student(results).splitlines() == [
        "1.1 add: two numbers: passed",
        "1 of 2 checks count here and are not shown.",
    ]
    assert not has_all_points(results)


def test_advice_and_texts_count_for_nothing() -> None:
    advice = failed(points=0.0, number="1.9", is_advice=True)
    assert has_all_points(build_results(report(check(), advice, texts=(TEXT,))))


@pytest.mark.parametrize(
    "results",
    [build_placeholder(), build_unreadable("no file"), build_results(report(check(), undecided())), Results()],
    ids=["unfinished", "unreadable", "not judged", "empty"],
)
def test_nothing_but_a_judgement_gives_points(results: Results) -> None:
    assert not has_all_points(results)
    assert describe_for_student(results).strip()


@pytest.mark.slow
class TestCommand:
    @pytest.mark.parametrize(("text", "status"), [(RIGHT, 0), (RIGHT.replace("axis=1", "axis=0"), 1), (None, 2)])
    def test_ends_with_a_status_that_tells_the_points(self, tmp_path: Path, text: str | None, status: int) -> None:
        if text is not None:
            (tmp_path / "normalization.py").write_text(text)
        done = run("grade", "." if text else "nowhere", *ONLY, "--exit-status", cwd=tmp_path)
        assert done.returncode == status, done.stderr
        assert ("3 of 4 checks count here and are not shown." in done.stdout) == (text is not None)
        assert "3.2" not in done.stdout  # a hidden check

    @pytest.mark.parametrize(("other", "told"), [("--json", "leave one out"), ("--docker", "leave out")])
    def test_is_refused_beside_other_outputs(self, tmp_path: Path, other: str, told: str) -> None:
        done = run("grade", "x", other, "--exit-status", cwd=tmp_path)
        assert (done.returncode, told in done.stderr) == (2, True), done.stderr
