"""Pictures: makes the pictures of the pages: a terminal after `grade` as SVG, a result and a class's report as PNG.

Run it after a change of one of them: python -m tests.selftest.support.pictures. The last two need Chromium.
"""

from __future__ import annotations

import io
import re
import struct
import sys
import tempfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from autograder.assignment import load_assignment
from autograder.gradescope.files import read_results_json
from autograder.gradescope.result_page import render_result_page
from autograder.mistakes import MistakeBank
from tests.selftest.support.browser import NO_BROWSER, find_chromium, open_browser
from tests.selftest.support.command_line import run_command
from tests.selftest.support.grading import PROJECT
from tests.selftest.support.made_class import make_export

TERMINAL = PROJECT / "docs" / "terminal.svg"
RESULT = PROJECT / "docs" / "result.png"
CLASS_REPORT = PROJECT / "docs" / "class_report.png"
LARGE_CLASS = PROJECT / "docs" / "large_class.png"  # made by benchmarks/large_class.py
COMMAND = "./run_autograder grade examples/half_done --only sgd,dropout"
STEMS = ("sgd", "normalization", "adam", "dropout")
_COLUMNS = 80  # the width of output that is not shown on a terminal, so that both have the same lines
_CLASS_SIZE, _SEED = 40, 2
_WIDTH = 960
_PAGE: Any = {"viewport": {"width": _WIDTH, "height": 800}, "color_scheme": "light"}
_HEADER_BYTES = 33  # of PNG: its signature and the size of the picture
_DESCRIPTION = b"iTXtDescription\0\0\0\0\0"  # neither compressed nor translated
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


def render_result() -> str:
    """Grade as the command does and return the page that a student sees on Gradescope."""
    with tempfile.TemporaryDirectory() as name:
        run_command(COMMAND, Path(name))
        results = read_results_json((Path(name) / "results" / "results.json").read_bytes())
    return render_result_page(results)


def draw_result(chromium: str) -> bytes:
    """Return a picture of the page that a student sees on Gradescope, as PNG with the page's text in it."""
    html = render_result()
    with open_browser(chromium) as browser:
        page = browser.new_page(**_PAGE)
        page.set_content(html)
        return add_description(page.screenshot(full_page=True), read_page_text(html))


def read_page_text(html: str) -> str:
    """Return the words of a page, by which a test sees whether its picture is of today."""
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]+>", " ", html, flags=re.DOTALL).split())


def add_description(png: bytes, text: str) -> bytes:
    """Return the picture with a text as its description, a chunk of PNG after the header."""
    content = _DESCRIPTION + text.encode()
    chunk = struct.pack(">I", len(content) - len(b"iTXt")) + content + struct.pack(">I", zlib.crc32(content))
    return png[:_HEADER_BYTES] + chunk + png[_HEADER_BYTES:]


def read_description(png: bytes) -> str:
    """Return the description of a picture that `add_description` returned."""
    (size,) = struct.unpack(">I", png[_HEADER_BYTES : _HEADER_BYTES + 4])
    start = _HEADER_BYTES + 4
    return png[start : start + len(b"iTXt") + size].removeprefix(_DESCRIPTION).decode()


def make_report(folder: Path, stems: Sequence[str], size: int) -> Path:
    """Grade a made class in a folder and return the path of its report."""
    make_export(folder / "class", size, stems=stems, seed=_SEED, known=MistakeBank(load_assignment(PROJECT)))
    (folder / "class" / "grades.csv").unlink()  # the report would note that it is no submission
    run_command(f"./run_autograder regress class --out today --only {','.join(stems)}", folder)
    return folder / "today" / "report.html"


def read_headings(report: Path) -> str:
    """Return the headings of a report's sections and columns, by which a test sees whether a picture is of today."""
    text = re.sub(r"<(script|style)>.*?</\1>", "", report.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r"<(h2|caption|th)\b(?![^>]*\brow)[^>]*>(.*?)</\1>", text, re.DOTALL)
    return "\n".join(dict.fromkeys(read_page_text(each) for _, each in found))


def draw_report(chromium: str, report: Path, *, until: str) -> bytes:
    """Return a picture of a report down to the element that a selector finds, as PNG with its headings in it."""
    with open_browser(chromium) as browser:
        page = browser.new_page(**_PAGE)
        page.goto(report.as_uri())
        row = page.locator(until).bounding_box()
        assert row is not None
        height = row["y"] + row["height"]
        png = page.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": _WIDTH, "height": height})
    return add_description(png, read_headings(report))


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
    with tempfile.TemporaryDirectory() as folder:
        CLASS_REPORT.write_bytes(draw_report(path, make_report(Path(folder), STEMS, _CLASS_SIZE), until=_LAST_ROW))
