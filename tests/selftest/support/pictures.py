"""Pictures: makes the pictures of the pages: a terminal after `grade` as SVG, a result and a class's report as PNG.

Run it after a change of one of them: python -m tests.selftest.support.pictures. The last two need Chromium.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from autograder.assignment import load_assignment
from autograder.gradescope.results_file import read_results_json
from autograder.mistakes import MistakeBank
from tests.selftest.support.browser import NO_BROWSER, find_chromium, open_browser
from tests.selftest.support.commands import run_command
from tests.selftest.support.grading import PROJECT
from tests.selftest.support.made_class import make_export
from tests.selftest.support.result_page import render_result_page

TERMINAL = PROJECT / "docs" / "terminal.svg"
RESULT = PROJECT / "docs" / "result.png"
CLASS_REPORT = PROJECT / "docs" / "class_report.png"
COMMAND = "./run_autograder grade examples/half_done --only sgd,dropout"
STEMS = ("sgd", "normalization", "adam", "dropout")
_COLUMNS = 80  # the width of output that is not shown on a terminal, so that both have the same lines
_CLASS_SIZE, _SEED = 40, 2
_WIDTH = 960
_LAST_ROW = "#mistakes tbody tr:nth-child(3)"  # the picture ends below it
_FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def draw_terminal() -> str:
    """Run the command as on a terminal with colours and return a picture of its output, as SVG."""
    settings = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(_COLUMNS)}
    with tempfile.TemporaryDirectory() as folder:
        output = run_command(COMMAND, Path(folder), settings)
    console = Console(record=True, file=io.StringIO(), width=_COLUMNS, legacy_windows=False)
    console.print(Text.from_ansi(f"$ {COMMAND}\n{output}"))
    return _use_local_font(console.export_svg(title="NLP autograder", unique_id="terminal"))


def read_lines(svg: str) -> list[str]:
    """Return the lines that a picture of a terminal shows, without blanks."""
    rows: dict[float, str] = {}
    for height, text in re.findall(r'<text class="terminal-r\d+"[^>]* y="([\d.]+)"[^>]*>(.*?)</text>', svg):
        rows[float(height)] = rows.get(float(height), "") + text.replace("&#160;", "")
    return [rows[height] for height in sorted(rows) if rows[height]]


def draw_result(chromium: str) -> bytes:
    """Grade as the command does and return a picture of the page that a student sees on Gradescope, as PNG."""
    with tempfile.TemporaryDirectory() as name:
        run_command(COMMAND, Path(name))
        results = read_results_json((Path(name) / "results" / "results.json").read_bytes())
    with open_browser(chromium) as browser:
        page = browser.new_page(viewport={"width": _WIDTH, "height": 800}, color_scheme="light")
        page.set_content(render_result_page(results))
        return page.screenshot(full_page=True)


def draw_class_report(chromium: str) -> bytes:
    """Grade a made class and return a picture of the first part of its report, as PNG."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_export(folder / "class", _CLASS_SIZE, stems=STEMS, seed=_SEED, known=MistakeBank(load_assignment(PROJECT)))
        (folder / "class" / "grades.csv").unlink()  # the report would note that it is no submission
        run_command(f"./run_autograder regress class --out today --only {','.join(STEMS)}", folder)
        return draw_report(chromium, folder / "today" / "report.html", until=_LAST_ROW)


def draw_report(chromium: str, report: Path, *, until: str) -> bytes:
    """Return a picture of a report down to the element that a selector finds, as PNG."""
    with open_browser(chromium) as browser:
        page = browser.new_page(viewport={"width": _WIDTH, "height": 800}, color_scheme="light")
        page.goto(report.as_uri())
        row = page.locator(until).bounding_box()
        assert row is not None
        height = row["y"] + row["height"]
        return page.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": _WIDTH, "height": height})


def _use_local_font(svg: str) -> str:
    """Remove the rules that load a font from the network, and the comment that names a page."""
    svg = re.sub(r"\s*(@font-face \{.*?\}|<!--.*?-->)", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code, monospace", _FONT)


if __name__ == "__main__":
    TERMINAL.write_text(draw_terminal(), encoding="utf-8")
    path = find_chromium()
    if path is None:
        sys.exit(NO_BROWSER)
    RESULT.write_bytes(draw_result(path))
    CLASS_REPORT.write_bytes(draw_class_report(path))
