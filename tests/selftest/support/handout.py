"""Handout: unpacks what students receive, runs its check.py as a student would, and reads what it shows."""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.grading.explain import PRINTED, REPRODUCER
from autograder.packaging.handout import Handout, pack_handout
from tests.selftest.support.pasted_lines import take_lines
from tests.selftest.support.toy_at_home import TOY_AT_HOME

# Modules that students do not have: the grader's packages, and the modules that Windows lacks.
_MISSING = ("click", "docker", "gradescope_utils", "pydantic", "pytest", "rich", "tomli")
_MISSING += ("crypt", "fcntl", "grp", "nis", "pty", "pwd", "readline", "resource", "spwd", "syslog", "termios", "tty")
# What else Windows lacks, as far as Python's own modules do without it here.
_NO_FUNCTIONS = {
    "os": ("fork", "forkpty", "getuid", "geteuid", "getgid", "killpg", "nice", "sched_getaffinity", "setsid", "wait4"),
    "signal": ("alarm", "pause", "setitimer", "sigwait", "SIGALRM", "SIGHUP", "SIGPROF", "SIGUSR1", "SIGXCPU"),
}
# Python imports it at the start of every process, those that check.py starts included.
_SITE = f"""
import os, signal, sys
sys.modules.update(dict.fromkeys({_MISSING!r}))
for module, names in {_NO_FUNCTIONS!r}.items():
    for name in names:
        delattr(sys.modules[module], name)
"""
_HEAD = re.compile(
    r"^  (?:  (?:PASS|FAIL|NOTE|SKIP) (?P<number>[\d.]+) .*"
    r"|(?:PASS|FAIL|NOTE|SKIP|still open:) (?P<name>.*?) \(.*?\)(?P<reason>.*))$",
    re.MULTILINE,
)
_END = re.compile(r"\n  (?=On Gradescope |[\d.]+ .*: runs on Gradescope\n)")
_MARGIN = " " * 6
_NOT_COMPARABLE = (
    "  hint: ",
    "  gradient: ",
    "    ",  # the line of a syntax error, and its mark
    "  |   ",  # the line that a warning is about, which Python finds at home
)
_NUMBER = re.compile(r"\d+\.\d{4,}(?:e-?\d+)?")
_KEPT = re.compile(r"  -[\d.]+:")


@cache
def get_handout(root: Path = TOY_AT_HOME) -> Handout:
    """Return the handout of an assignment."""
    return pack_handout(load_assignment(root))


def list_texts(handout: Handout) -> dict[str, str]:
    """List the texts of the handout by path; those in the grader's zip as if it were a folder `grader`."""
    texts: dict[str, str] = {}
    for path, content in handout.files.items():
        if path.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as inner:
                texts |= {f"grader/{name}": inner.read(name).decode() for name in inner.namelist()}
        else:
            texts[path.removesuffix(".gz")] = (gzip.decompress(content) if path.endswith(".gz") else content).decode()
    return texts


def unpack_handout(folder: Path, examples: Path | None = None, *, root: Path = TOY_AT_HOME) -> Path:
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
    folder: Path, *arguments: str, python: str = sys.executable, cwd: Path | None = None, program: str = "check.py"
) -> subprocess.CompletedProcess[str]:
    """Run check.py, or a file of the student, from another folder, or `cwd`, with numpy alone and without fork."""
    site = folder.parent / "site of a student"
    site.mkdir(exist_ok=True)
    (site / "sitecustomize.py").write_text(_SITE)
    command = [python, str(folder / program), *arguments]
    where, environment = cwd or folder.parent, {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(command, cwd=where, env=environment, capture_output=True, check=False, encoding="utf-8")


def read_outputs(text: str, root: Path = TOY_AT_HOME) -> dict[str, str]:
    """Return the output of each check without its lines to run, by number."""
    return {number: _drop_lines(output) for number, output in _read_whole_outputs(text, root).items()}


def read_lines_to_run(text: str, root: Path = TOY_AT_HOME) -> Mapping[str, str]:
    """Return the lines to run of each check that shows some, by number."""
    shown = {number: take_lines(each) for number, each in _read_whole_outputs(text, root).items()}
    return {number: round_numbers(lines) for number, lines in shown.items() if lines}


def round_numbers(text: str) -> str:
    """Round the numbers of a text to five digits: the handout has eight digits of each argument."""
    return _NUMBER.sub(lambda found: f"{float(found[0]):.5g}", text)


def select_comparable(output: str) -> list[str]:
    """Return the lines that do not depend on modules that students lack, without the lines to run."""
    return [
        round_numbers(line)
        for line in _drop_lines(output).splitlines()
        if not line.startswith(_NOT_COMPARABLE) and not _KEPT.match(line)
    ]


def select_lines_to_run(graded: Mapping[str, str]) -> dict[str, str]:
    """Return the lines to run of Gradescope's outputs that check.py shows too, by number.

    It shows none for a check that was stopped: that check's process cannot write any more.
    """
    return {
        number: round_numbers(take_lines(output))
        for number, output in graded.items()
        if REPRODUCER in output and "took too long" not in output and "the grader's" not in output
    }


def assert_right(done: subprocess.CompletedProcess[str]) -> None:
    """Fail unless a run of check.py passed everything."""
    assert (done.returncode, done.stderr) == (0, "")
    assert "FAIL" not in done.stdout
    assert re.search(r"\n(\d+) of \1 visible checks passed, ([\d.]+) of \2 points\n\Z", done.stdout)


def assert_like_gradescope(
    text: str, graded: Mapping[str, str], root: Path = TOY_AT_HOME, *, apart: Collection[str]
) -> None:
    """Fail unless check.py shows the messages and lines to run of Gradescope; `apart`: numbers that may differ.

    Hints from known mistakes, what they keep, and what is repeated with the grader's functions are not compared.
    """
    said = read_outputs(text, root)
    graded = {number: output for number, output in graded.items() if number in said}
    assert said.keys() == {number for numbers in list_numbers(root).values() for number in numbers}
    for number, output in graded.items():
        if "the grader's" not in output and number not in apart:
            assert select_comparable(said[number]) == select_comparable(output), number
    lines = select_lines_to_run(graded)
    assert len(lines) >= 2
    assert lines.items() <= read_lines_to_run(text, root).items()


def _read_whole_outputs(text: str, root: Path) -> dict[str, str]:
    heads = list(_HEAD.finditer(text))
    said: dict[str, str] = {}
    reason = ""  # that there is no file is said once for all functions of a question
    for head, following in zip(heads, [*heads[1:], None], strict=False):
        reason = head["reason"] or (reason if "no file" in (reason or "") else "")
        body, *end = _END.split(text[head.end() : following.start() if following else len(text)], maxsplit=1)
        if head["number"]:
            said[head["number"]] = _take_margin(body) or "Passed."
        elif following is None or not following["number"] or "PASS" in head[0]:  # its checks have one line together
            output = f"Not written yet{reason}" if "still open" in head[0] else "Passed."
            said |= dict.fromkeys(list_numbers(root)[head["name"]], output)
        reason = "" if end else reason
    return said


def list_numbers(root: Path) -> dict[str, list[str]]:
    """List the numbers of the public checks of each function."""
    numbers: dict[str, list[str]] = {}
    for path, content in get_handout(root).files.items():
        for check in json.loads(gzip.decompress(content))["checks"] if path.endswith(".gz") else ():
            if "data" in check:
                numbers.setdefault(" and ".join(check["functions"]), []).append(check["number"])
    return numbers


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
