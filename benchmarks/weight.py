"""Weight: counts what a reader of the project has to hold, and prints it next to what it may be.

    python -m benchmarks.weight             # by Python 3.10 or 3.11: later ones take an f-string apart

A token is a NAME, OP, NUMBER or STRING of `tokenize`; a docstring is one STRING. A code line is one where such a token
begins that is no docstring. Files are those that git has or would add, without submissions that are broken on purpose.
Types between a contract and a verdict are not counted.
"""

from __future__ import annotations

import ast
import re
import subprocess
import tokenize
from collections import defaultdict
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
_COUNTED = {tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING}
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_SELF_TESTS = ("tests", ":!tests/hidden", ":!tests/mistakes", ":!*/broken_uploads/*", ":!*/noisy/*", ":!*/wrong/*")
_COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Weight:
    """The tokens and lines of some files."""

    def __init__(self, sources: Iterable[str]) -> None:
        self.tokens = self.lines = self.wide = self.files = 0
        for source in sources:
            nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, _WITH_DOCSTRING)]
            docstrings = [node.body[0] for node in nodes if ast.get_docstring(node) is not None]
            positions = {(docstring.lineno, docstring.col_offset) for docstring in docstrings}
            tokens = tokenize.tokenize(BytesIO(source.encode()).readline)
            starts = [token.start for token in tokens if token.type in _COUNTED]
            self.tokens += len(starts)
            self.lines += len({start[0] for start in starts if start not in positions})
            self.wide += sum(len(line) > 120 for line in source.splitlines())
            self.files += 1
        self.mean = self.tokens / max(self.lines, 1)


def count_dense(source: str) -> int:
    """Count comprehensions within another or over more than two lines, and conditional expressions within another."""
    dense = set()
    for node in ast.walk(ast.parse(source)):
        for types in (_COMPREHENSION, ast.IfExp):
            if isinstance(node, types):
                dense |= {inner for inner in ast.walk(node) if inner is not node and isinstance(inner, types)}
        if isinstance(node, _COMPREHENSION) and node.end_lineno - node.lineno > 1:
            dense.add(node)
    return len(dense)


def count_mistakes(source: str) -> int:
    """Count the calls that make a known wrong answer."""
    return len(_find_calls(source, "mistake", "mistake_edit"))


def _find_calls(source: str, *names: str) -> list[ast.Call]:
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [call for call in calls if ast.unparse(call.func) in names]


def count_kind_tests(source: str, kinds: set[str]) -> int:
    """Count `isinstance` of a class of this set, or of a tuple with one, where the class is not defined."""
    foreign = kinds - find_kinds(source)
    tested = [ast.unparse(call.args[1]) for call in _find_calls(source, "isinstance")]
    return sum(not foreign.isdisjoint(re.findall(r"\w+", types)) for types in tested)


def find_kinds(source: str) -> set[str]:
    """Find the classes whose names end with Kind."""
    names = [node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    return {name for name in names if name.endswith("Kind")}


def _read(*places: str, suffix: str = ".py") -> dict[str, str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", *places]
    listed = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True)
    paths = [path for path in listed.stdout.split() if path.endswith(suffix) and (PROJECT / path).is_file()]
    return {path: (PROJECT / path).read_text(encoding="utf-8", errors="replace") for path in paths}


def main() -> None:
    """Print the tables."""
    engine, assignment = _read("autograder"), _read("tests/hidden", "tests/mistakes")
    packages = defaultdict(list)
    for path, source in engine.items():
        packages[path.split("/")[1] if path.count("/") > 1 else "(modules)"].append(source)
    print("autograder/     tokens  lines  a line  wide  files   must 9.5, goal 8 a line, and no line wider than 120")
    for name, sources in packages.items():
        each = Weight(sources)
        row = f"{name:14}{each.tokens:8}{each.lines:7}{each.mean:8.1f}{each.wide:6}{each.files:7}"
        print(f"{row}   over" if each.mean > 9.5 or each.wide else row)
    total, dense = Weight(engine.values()), sum(map(count_dense, engine.values()))
    tests = Weight(_read(*_SELF_TESTS).values())
    pages = _read("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", suffix=".md")
    kinds = set().union(*map(find_kinds, _read("autograder/contracts").values()))
    rows = [
        ("engine, tokens", total.tokens, 190_000, 160_000),
        ("engine, files", total.files, 180, 140),
        ("comprehensions in one or over two lines, conditionals in one", dense, 0, 0),
        ("self-tests, tokens (.py in tests/ but hidden/ and mistakes/)", tests.tokens, 260_000, 200_000),
        ("pages, words", sum(len(text.split()) for text in pages.values()), 30_000, 20_000),
        ("README.md, words", len(pages["README.md"].split()), 700, 700),
        ("CONTRIBUTING.md, words", len(pages["CONTRIBUTING.md"].split()), 900, 900),
        ("pages in docs", sum(path.startswith("docs/") for path in pages), 11, 11),
        ("known mistakes, entries", sum(map(count_mistakes, assignment.values())), 200, 150),
        ("isinstance of a ...Kind", sum(count_kind_tests(text, kinds) for text in engine.values()), 0, 0),
    ]
    print(f"\n{'':64}{'now':>8}{'must':>9}{'goal':>9}")
    for title, count, must, goal in rows:
        print(f"{title:64}{count:8}{must:9}{goal:9}{'   over' if count > must else ''}")


if __name__ == "__main__":
    main()
