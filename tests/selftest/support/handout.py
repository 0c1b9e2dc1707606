"""Handout: unpacks what students receive, runs its check.py as a student would, and reads what it shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.grading.explain import PRINTED, REPRODUCER
from autograder.packaging import Handout, pack_handout
from tests.selftest.support.toy_assignment import TOY

# Modules that students do not have: the grader's packages, and the modules that Windows lacks.
_MISSING = ("click", "docker", "fcntl", "gradescope_utils", "pydantic", "pytest", "resource", "rich", "tomli")
# Python imports it at the start of every process, those that check.py starts included; Windows has no fork either.
_SITE = f"""
import os, sys
sys.modules.update(dict.fromkeys({_MISSING!r}))
del os.fork
"""
_HEAD = re.compile(r"^  (?:PASS|FAIL|NOTE|OPEN) ([\d.]+(?:, [\d.]+)*) (.*)$", re.MULTILINE)
_UNWRITTEN = re.compile(r"not written yet \(.*?\)(.*)")
_MARGIN = " " * 6
_NOT_COMPARABLE = (
    "  hint: ",
    "  gradient: ",
    "    ",  # the line of a syntax error, and its mark
    "  |   ",  # the line that a warning is about, which Python finds at home
)
_KEPT = re.compile(r"  -[\d.]+:")


@cache
def get_handout(root: Path = TOY) -> Handout:
    """Return the handout of an assignment."""
    return pack_handout(load_assignment(root))


def unpack_handout(folder: Path, examples: Path | None = None, *, root: Path = TOY) -> Path:
    """Write the handout's files into a folder; `examples`: a folder of answers in place of the templates."""
    for path, content in get_handout(root).files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    if examples is not None:
        for template in folder.glob("*.py"):
            if template.name != "check.py":
                template.unlink()
        shutil.copytree(examples, folder, dirs_exist_ok=True)
    return folder


def run_check(
    folder: Path, *arguments: str, python: str = sys.executable, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run check.py from another folder, or `cwd`, with numpy alone and on a system without fork."""
    site = folder.parent / "site of a student"
    site.mkdir(exist_ok=True)
    (site / "sitecustomize.py").write_text(_SITE)
    command = [python, str(folder / "check.py"), *arguments]
    where = cwd or folder.parent
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(
        command, cwd=where, env=environment, capture_output=True, text=True, check=False, encoding="utf-8"
    )


def read_outputs(text: str) -> dict[str, str]:
    """Return the output of each check without its lines to run, by number."""
    return {number: _drop_lines(output) for number, output in _read_whole_outputs(text).items()}


def read_lines_to_run(text: str) -> Mapping[str, str]:
    """Return the lines to run of each check that shows some, by number."""
    outputs = _read_whole_outputs(text)
    shown = {
        number: each.partition(f"{REPRODUCER}\n")[2].partition(f"\n{PRINTED}")[0] for number, each in outputs.items()
    }
    return {number: lines for number, lines in shown.items() if lines}


def select_comparable(output: str) -> list[str]:
    """Return the lines that do not depend on modules that students lack, without the lines to run."""
    return [
        line
        for line in _drop_lines(output).splitlines()
        if not line.startswith(_NOT_COMPARABLE) and not _KEPT.match(line)
    ]


def select_lines_to_run(graded: Mapping[str, str]) -> dict[str, str]:
    """Return the lines to run of Gradescope's outputs that check.py shows too, by number.

    It shows none for a check that was stopped: that check's process cannot write any more.
    """
    return {
        number: output.partition(f"{REPRODUCER}\n")[2].partition(f"\n{PRINTED}")[0]
        for number, output in graded.items()
        if REPRODUCER in output and "took too long" not in output and "the grader's" not in output
    }


def _read_whole_outputs(text: str) -> dict[str, str]:
    heads = list(_HEAD.finditer(text))
    said: dict[str, str] = {}
    for head, following in zip(heads, [*heads[1:], None], strict=False):
        body = text[head.end() : following.start() if following else len(text)].partition("\n  On Gradescope ")[0]
        unwritten = _UNWRITTEN.match(head[2])
        output = f"Not written yet{unwritten[1]}" if unwritten else _take_margin(body) or "Passed."
        said |= dict.fromkeys(head[1].split(", "), output)
    return said


def _take_margin(body: str) -> str:
    """Return a check's output; the lines to run have no margin."""
    before, mark, after = body.strip("\n").partition(f"{REPRODUCER}\n")
    lines, printed, last = after.partition(f"{_MARGIN}{PRINTED}")
    return _unindent(before) + mark + lines + _unindent(printed + last)


def _unindent(text: str) -> str:
    return "".join(line.removeprefix(_MARGIN) for line in text.splitlines(keepends=True))


def _drop_lines(output: str) -> str:
    before, _, after = output.partition(f"{REPRODUCER}\n")
    return (before + (PRINTED + after.partition(PRINTED)[2] if PRINTED in after else "")).rstrip("\n")
