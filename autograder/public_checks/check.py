"""Check your work: runs the checks that Gradescope shows you at once, on the files in this folder.

    python check.py                all questions
    python check.py QUESTION       one question, by its name, its number or the name of its file
    python check.py FUNCTION       one function, by its name
    python check.py NUMBER         one check, by its number, such as 2.2
    python FILE                    a file that ends as it was handed out runs its own checks

Needs Python 3.10 or later and numpy. The folder `checks` has for each question a file with the inputs and right values,
and `grader.zip`: the modules of the grader on Gradescope that call your functions and compare; open it to read them.
Each question runs in a process of its own; a check that does not end within ten seconds is stopped. A notebook is not
read here: export it as a Python file first.
"""

from __future__ import annotations

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKS = os.path.join(HERE, "checks")
if __name__ in ("__main__", "check"):
    if sys.version_info < (3, 10):  # noqa: UP036  (a student may have any Python)
        sys.exit("check.py needs Python 3.10 or later; this is Python " + sys.version.split()[0])
    if __name__ == "__main__":
        del sys.path[0]  # this folder: a file of yours may be named like Python's
    sys.path.insert(0, os.path.join(CHECKS, "grader.zip"))
    sys.dont_write_bytecode = True
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the number of threads changes the last digits
    os.environ.setdefault("MPLBACKEND", "Agg")  # a window would block until it is closed

import contextlib
import gzip
import itertools
import json
import queue
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

try:
    from autograder.plain_text import find_near
    from autograder.public_checks.home_text import (
        QuestionLines,
        write_end,
        write_rest,
        write_start,
        write_there,
        write_total,
    )
    from autograder.public_checks.question_run import run_question
except Exception as error:  # a numpy that was made for another Python may raise anything
    missing = str(error.name) if isinstance(error, ModuleNotFoundError) else ""
    if missing.startswith("autograder"):
        sys.exit("check.py needs the complete folder checks of the handout next to it: unpack the handout again")
    if missing == "numpy":
        sys.exit("check.py needs numpy; install it with: python -m pip install numpy")
    if "numpy" in sys.modules:
        raise
    why = f"{type(error).__name__}: {(str(error) or '-').splitlines()[-1]}"
    sys.exit(
        f"check.py needs numpy, but it fails: {why}\ninstall it again: python -m pip install --force-reinstall numpy"
    )

START_S = 60.0  # Python and numpy on a slow disk, before any of your code runs
LOAD_S = 10.0  # one statement at the top level, such as an import
RUN_S = 10.0  # one check
AGAIN_S = 2.0  # one check, after another of the question took too long
WAIT_S = 0.2  # on Windows, Ctrl-C does not end a longer wait

NOT_YOURS = {"checks", "__pycache__", "venv", "env", "site-packages", "node_modules"}

Check = dict[str, Any]
Question = dict[str, Any]


def main(words: Sequence[str]) -> int:
    """Print the results; the exit status is 0 if every check passed, 1 if a check failed, 2 for wrong usage."""
    if {"-h", "--help"}.intersection(words):
        print(__doc__)
        return 0
    questions = read_questions()
    chosen: set[int] = set()
    for word in words:
        checks = find_checks(questions, word)
        if not checks:
            said = f"no question, function or check {word!r} runs here; {suggest(questions, word)}"
            print(said, file=sys.stderr)
            return 2
        chosen.update(map(id, checks))
    print_notes_on_notebooks()
    results = []
    for question in questions:
        checks = question["checks"]
        if words:
            checks = [each for each in checks if id(each) in chosen]
        if checks:
            results += check_question(question, checks)
    say(write_start(results) + write_total(results))
    lost = [each for each in results if each["points"] and each["state"] != "passed"]
    return 1 if lost else 0


def read_questions() -> list[Question]:
    """Read the questions in the order of the assignment."""
    questions = []
    for path in Path(CHECKS).glob("*.json.gz"):
        text = gzip.decompress(path.read_bytes())
        questions.append(json.loads(text))
    return sorted(questions, key=lambda question: question["place"])


def find_checks(questions: Sequence[Question], word: str) -> list[Check]:
    """Find the checks of a question, of its file, of a function or method, or with a number or that of a question."""
    name = os.path.basename(word).lower()
    found = []
    for question in questions:
        own = map(str.lower, [question["id"], *question["files"]])
        is_whole = name in own
        for check in question["checks"]:
            names = [check["number"], check["number"].partition(".")[0]]
            for function in map(str.lower, check["functions"]):
                names += [function, *function.split(".")]
            if is_whole or name in names:
                found.append(check)
    return found


def suggest(questions: Sequence[Question], word: str) -> str:
    """Suggest the name that is like an unknown one, else the names of all questions."""
    ids = [question["id"] for question in questions]
    functions = []
    for question in questions:
        for check in question["checks"]:
            functions += check["functions"]
    methods = [name.rpartition(".")[2] for name in functions]
    every = [*methods, *functions, *ids]
    names = {name.lower(): name for name in every}
    near = find_near(word.lower(), names)
    if near:
        return f"did you mean {names[near]}?"
    return f"the questions are: {', '.join(ids)}. All others run on Gradescope only"


def check_question(question: Question, checks: Sequence[Check]) -> list[Check]:
    """Run checks of one question; print each function as soon as it is done, those that are not written at the end."""
    path = find_file(question["files"])
    lines = QuestionLines(is_coloured=is_coloured())
    say(lines.write_head(question["title"], path))
    functions: dict[str, list[Check]] = {}
    there = []
    for check in checks:
        if "data" in check:  # the handout has what it needs
            name = " and ".join(check["functions"])
            functions.setdefault(name, []).append(check)
        else:
            there.append(check)
    ordered = list(itertools.chain.from_iterable(functions.values()))
    results = run_checks(question, ordered, path)
    done: list[Check] = []
    still_open = {}
    for name, own in functions.items():
        ended = []
        for result in itertools.islice(results, len(own)):
            ended.append(result | {"path": path})
        done += ended
        if all(each["state"] == "open" for each in ended):
            still_open[name] = ended
        else:
            say(lines.write_function(name, ended))
    for name, ended in still_open.items():
        say(lines.write_function(name, ended))
    for check in there:
        say(write_there(check))
    say(write_rest(*question["more"]))
    return done


def is_coloured() -> bool:
    """Whether to use colours: on a terminal, unless NO_COLOR is set."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def say(text: str) -> None:
    """Print at once, also into a pipe."""
    print(text, flush=True)


def find_file(names: Sequence[str]) -> str | None:
    """Find the file of a question, whether in small or in capital letters, in this folder before its subfolders."""
    own: dict[str, str] = {}
    for folder, folders, files in os.walk(HERE):
        yours = [each for each in folders if not each.startswith(".") and each.lower() not in NOT_YOURS]
        folders[:] = sorted(yours)
        for file in sorted(files):
            path = os.path.join(folder, file)
            own.setdefault(file.lower(), os.path.relpath(path, HERE))
    found = map(own.get, map(str.lower, names))
    return next(filter(None, found), None)


def print_notes_on_notebooks() -> None:
    """Say what to do with each notebook that is newer than the Python file of its name."""
    for path in sorted(Path(HERE).glob("*.ipynb"))[:3]:
        made = path.with_suffix(".py")
        is_made = made.exists() and made.stat().st_mtime >= path.stat().st_mtime
        if not is_made:
            say(f"{path.name} is a notebook, which check.py does not read. Save its code as {made.name}: in Jupyter by")
            say("File, Save and Export Notebook As, Executable Script; or by:")
            say(f"jupyter nbconvert --to script {path.name}\n")


def run_checks(question: Question, checks: Sequence[Check], path: str | None) -> Iterator[Check]:
    """Run checks in a process, and those that are left in another where one ended it or took too long."""
    left = list(checks)
    run_s = question["seconds"] or RUN_S
    while left:
        child = Child(question["id"], left, path, run_s)
        try:
            while left and not child.has_ended:
                result = child.receive()
                is_of_all = child.has_ended and child.line > 0
                for check in left if is_of_all else left[:1]:
                    left = left[1:]
                    yield check | result
        finally:
            child.process.kill()
            child.process.wait()
        if child.is_late:
            run_s = AGAIN_S


class Child:
    """A process that runs checks. It reports in lines of JSON what it begins, what your code prints, and each result.

    `line`: of the statement of your file that it is loading, 0 while it runs a check.
    """

    def __init__(self, question: str, checks: Sequence[Check], path: str | None, run_s: float) -> None:
        numbers = ",".join(each["number"] for each in checks)
        script = os.path.join(HERE, "check.py")
        command = [sys.executable, script, "--run", question, numbers, path or ""]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=HERE)
        self.has_ended = self.is_late = False
        self.line = 0
        self._path, self._run_s = path, run_s
        self._printed = ""
        self._told: queue.Queue[bytes] = queue.Queue()
        self._deadline = time.monotonic() + START_S
        threading.Thread(target=self._read_lines, daemon=True).start()

    def receive(self) -> Check:
        """Return the next result; where the process ends before, or is stopped, one that says so."""
        while True:
            said = self._wait()
            if said is None:
                self.is_late = True
                return self._end(None)
            if not said:
                return self._end(self.process.wait())
            if "printed" in said:
                self._printed += said["printed"]
            elif "state" in said:
                return {**said, "printed": self._printed}
            else:
                if "line" not in said:  # it begins, or is loaded: each check would show what the load prints
                    self._printed = ""
                self.line = said.get("line", 0)
                seconds = LOAD_S if self.line else self._run_s
                self._deadline = time.monotonic() + seconds

    def _wait(self) -> dict[str, Any] | None:
        """Return what the process reports next, nothing where it has ended; None when its time is up."""
        while time.monotonic() < self._deadline:
            with contextlib.suppress(queue.Empty):
                return json.loads(self._told.get(timeout=WAIT_S) or b"{}")  # type: ignore[no-any-return]
        return None

    def _end(self, status: int | None) -> Check:
        self.has_ended = True
        is_of_file = self.line > 0
        text = write_end(status, f"{self._path} line {self.line}" if is_of_file else "")
        ended = {"state": "failed", "share": 0.0, "text": text, "is_of_file": is_of_file}
        return {**ended, "printed": self._printed, "notes": []}

    def _read_lines(self) -> None:
        for line in self.process.stdout or ():
            self._told.put(line)
        self._told.put(b"")


def run_here(question: str, numbers: str, path: str) -> None:
    """Run checks in this process, and write what happens as lines of JSON, where no print of your code gets."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def tell(said: Mapping[str, Any]) -> None:
        out.write(json.dumps(said) + "\n")
        out.flush()

    file = os.path.join(HERE, path) if path else None
    run_question(Path(CHECKS, f"{question}.json.gz"), file, numbers.split(","), tell)


def run(*words: str) -> int:
    """Do what `python check.py` with these words does, and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    if os.name == "nt":
        os.system("")  # noqa: S605, S607  (has the console of Windows obey colours)
    try:
        return main(words)
    except KeyboardInterrupt:
        sys.stderr.write("stopped before the end\n")
        return 130
    except BrokenPipeError:  # as by `python check.py | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run_here(*sys.argv[2:])
        sys.exit()
    sys.exit(run(*sys.argv[1:]))
