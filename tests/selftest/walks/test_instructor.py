"""An instructor's walk: an export, a run that is stopped and resumed, a baseline, and the report in a real browser."""

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.selftest.support import made_class
from tests.selftest.support.browser import NO_BROWSER, find_chromium, open_browser
from tests.selftest.support.command_line import list_start
from tests.selftest.support.toy_assignment import TOY

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.ci]

QUESTION_IDS = ("descent", "rows")
SIZE = 12
WIDTHS = (390, 1280)
COMMAND = [*list_start(), "regress", "class", "--only", ",".join(QUESTION_IDS), "--assignment", str(TOY)]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def stop_after_first_result(folder: Path) -> subprocess.Popen[str]:
    """Start a run, press Ctrl-C when the first result is there, and return the run that ended."""
    command = [*COMMAND, "--out", "today", "--jobs", "1"]
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    limit_s = time.monotonic() + 120
    while not list((folder / "today").glob("results/*.json")) and time.monotonic() < limit_s:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    return running


def test_from_an_export_to_the_report(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    made = made_class.make_export(tmp_path / "class", SIZE, question_ids=QUESTION_IDS)
    changed = next(each.name for each in made if each.planted["descent"] == made_class.RIGHT)
    (path,) = (tmp_path / "class" / changed).rglob("descent.py")
    running = stop_after_first_result(tmp_path)
    _, errors = running.communicate(timeout=120)
    assert running.returncode == 130
    assert "the results so far are in today; run the same command again to continue" in errors
    kept = len(list((tmp_path / "today").glob("results/*.json")))
    assert 1 <= kept < SIZE
    assert not json.loads((tmp_path / "today" / "summary.json").read_text())["is_complete"]
    assert "This run was stopped" in (tmp_path / "today" / "report.html").read_text()

    resumed = run(tmp_path, "--out", "today")
    assert resumed.returncode == 0, resumed.stderr
    assert f"{SIZE} submissions, {SIZE - kept} graded, {kept} kept" in resumed.stdout

    path.write_text("def descend(*arguments):\n    return 0\n")
    compared = run(tmp_path, "--out", "next", "--baseline", "today", "--json")
    assert compared.returncode == 1, compared.stderr
    [difference] = json.loads(compared.stdout)["baseline"]["differences"]
    assert difference["file"] == changed

    chromium = find_chromium()
    if chromium is None:  # no skip: all of the walk but the look has passed
        record_property("told", f"instructor's walk, without a look at the report: {NO_BROWSER}")
        return
    look_at_report(chromium, tmp_path / "next" / "report.html", changed)


def look_at_report(chromium: str, report: Path, changed: str) -> None:
    """Open the report at each width: it fits, names the changed submission, and says nothing on the console."""
    with open_browser(chromium) as browser:
        page = browser.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(report.as_uri())
            assert page.get_by_text(changed).first.count() == 1
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert said == []
