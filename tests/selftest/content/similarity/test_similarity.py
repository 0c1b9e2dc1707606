"""The closest pairs of a class: copies are found in any disguise, independent right answers are not."""

from __future__ import annotations

import ast
import random
import re
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.sandbox.host.client import Zygote
from autograder.similarity import page
from autograder.similarity.similarity import (
    NOISE,
    WINDOW,
    Answer,
    Compared,
    Passage,
    check_parts,
    collect_texts,
    compare_class,
    find_fingerprints,
    find_pairs,
    read_syntax,
)
from autograder.similarity.syntax_tokens import list_parts
from autograder.submission import Submission, read_submission
from tests.selftest.cli.test_main import run
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, reference_text

pytestmark = [pytest.mark.content, pytest.mark.once]

RIGHT = PROJECT / "tests" / "selftest" / "right"
NOT_INDEPENDENT = {"one_file", "notebook"}  # the files of other styles, pasted together or in another format
DEEP = "x = " + "(" * 100_000 + ")" * 100_000
HOSTILE = "<script>document.title='owned'</script></code></pre>"


def read(folder: Path, **files: str) -> Submission:
    """Read a submission with these Python files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return read_submission(folder, ASSIGNMENT)


def compare(submissions: Mapping[str, Submission]) -> Compared:
    """Compare these submissions."""
    return compare_class(submissions.items(), ASSIGNMENT)


def names(compared: Compared) -> set[frozenset[str]]:
    """Return the names of each pair."""
    return {frozenset((pair.first.name, pair.second.name)) for pair in compared.pairs}


class _Renamed(ast.NodeTransformer):
    """Gives other names to everything but the names that the checks call and those of libraries."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = node.id if node.id == "np" else f"my_{node.id}"
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = f"my_{node.arg}"
        node.annotation = None
        return node


def disguise(text: str) -> str:
    """Copy a file as a student would hide it: other names, functions in another order, no docstrings, other numbers."""
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    others = [node for node in tree.body if node not in functions]
    random.Random(1).shuffle(functions)
    for function in functions:
        if ast.get_docstring(function) is not None:
            function.body = [*function.body[1:]] or [ast.Pass()]
    tree.body = [*others, *functions]
    told = ast.unparse(ast.fix_missing_locations(_Renamed().visit(tree)))
    return re.sub(r"\b1e-\d+\b", "1e-5", told).replace("\n    ", "\n    # my own idea\n    ", 3)


class TestCopies:
    @pytest.mark.parametrize("stem", ["word2vec", "parser_transitions", "q1c_neural"])
    def test_are_found_renamed_and_reordered(self, tmp_path: Path, stem: str) -> None:
        text = (RIGHT / "plain" / f"{stem}.py").read_text()
        assert disguise(text) != text
        others = {style: read_submission(RIGHT / style, ASSIGNMENT) for style in ("loops", "matrix", "einsum")}
        ann, bo = (read(tmp_path / name, **{stem: told}) for name, told in (("a", text), ("b", disguise(text))))
        (pair,) = compare({**others, "ann": ann, "bo": bo}).pairs
        assert ({pair.first.name, pair.second.name}, pair.stem) == ({"ann", "bo"}, stem)
        assert pair.share > 0.9

    def test_of_a_part_are_found(self, tmp_path: Path) -> None:
        own = (RIGHT / "loops" / "word2vec.py").read_text()
        copied = (RIGHT / "plain" / "word2vec.py").read_text()
        tree = ast.parse(copied)
        kept = [node for node in tree.body if isinstance(node, ast.FunctionDef)][1:]
        mixed = own + "\n\n" + disguise(ast.unparse(ast.Module(kept, [])))
        submissions = {"ann": read(tmp_path / "a", word2vec=copied), "bo": read(tmp_path / "b", word2vec=mixed)}
        assert names(compare(submissions)) == {frozenset(("ann", "bo"))}

    def test_of_the_starter_code_are_no_pair(self, tmp_path: Path) -> None:
        template = (PROJECT / "student_template" / "word2vec.py").read_text()
        submissions = {f"s{number}": read(tmp_path / str(number), word2vec=template) for number in range(6)}
        assert compare(submissions).pairs == ()


class TestIndependentAnswers:
    @pytest.mark.ci
    def test_are_no_pair(self) -> None:
        styles = sorted(path for path in RIGHT.iterdir() if path.is_dir())
        compared = compare({path.name: read_submission(path, ASSIGNMENT) for path in styles})
        assert {found for found in names(compared) if not found & NOT_INDEPENDENT} == set()
        assert names(compared) == {
            frozenset(("loops", "notebook")),
            frozenset(("one_file", "plain")),
            frozenset(("one_file", "slicing_parser")),
        }

    def test_that_agree_on_what_many_write_are_no_pair(self) -> None:
        taught = {number: Passage("a.py", 1, 2) for number in range(30)}
        answers = [Answer(f"s{number}", taught) for number in range(11)]
        assert find_pairs("a", answers[:10], ()) != []
        assert find_pairs("a", answers, ()) == []


class TestFingerprints:
    def test_of_a_long_match_are_shared_wherever_it_stands(self) -> None:
        draw = random.Random(2)
        words = [str(draw.randrange(1000)) for _ in range(400)]
        match = words[100 : 100 + NOISE + WINDOW - 1]
        for start in range(30):
            other = [str(draw.randrange(1000, 2000)) for _ in range(60)]
            other[start : start + len(match)] = match
            found = [find_fingerprints(each, range(len(each))) for each in (words, other)]
            assert found[0].keys() & found[1].keys()

    def test_of_a_short_match_are_not(self) -> None:
        words = [str(number) for number in range(100)]
        other = ["x"] * 30 + words[: NOISE - 1] + ["y"] * 30
        assert not find_fingerprints(words, range(100)).keys() & find_fingerprints(other, range(len(other))).keys()
        assert find_fingerprints([], []) == {}

    def test_are_few(self) -> None:
        (tokens, lines), *_ = list_parts(reference_text("word2vec"))
        assert len(find_fingerprints(tokens, lines)) < len(tokens) / 2

    def test_tell_functions_of_a_library_apart_and_no_others(self) -> None:
        one, other = (
            list_parts(f"import numpy as np\ndef f(x):\n    return np.{name}(x.{own}(1))")[0][0]
            for name, own in (("exp", "a"), ("log", "b"))
        )
        assert [a for a, b in zip(one, other, strict=True) if a != b] == ["Attribute exp"]


class TestHostileText:
    @pytest.mark.parametrize(
        "text",
        [DEEP, "-" * 500_000 + "1", "x = (", "a" + ".b" * 100_000, "\0"],
        ids=["deep", "signs", "open", "long", "nul"],
    )
    def test_costs_its_own_file_alone(self, text: str) -> None:
        right = reference_text("sgd")
        started = time.monotonic()
        with Zygote() as zygote:
            found = read_syntax(zygote, {"bad.py": text, "good.py": right})
            assert read_syntax(zygote, {"next.py": right})["next.py"]
        assert found["good.py"]
        assert time.monotonic() - started < 30

    def test_never_reaches_a_parser_of_this_process(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        parsed: list[str] = []
        parse = ast.parse
        monkeypatch.setattr(
            ast, "parse", lambda text, *rest, **named: parsed.append(text) or parse(text, *rest, **named)
        )
        compare({"ann": read(tmp_path, sgd=f"{reference_text('sgd')}\n# the student's own")})
        assert parsed  # the starter code is ours
        assert not [text for text in parsed if "the student's own" in str(text)]

    @pytest.mark.parametrize("reply", ["x", [("xx", [1])], [(["a"], [1, 2])], [(["a"], [9])], [([1], [1])], [1]])
    def test_a_forged_reply_is_no_syntax(self, reply: object) -> None:
        assert check_parts(reply, 3) is None

    def test_workers_are_replaced_only_so_often(self, monkeypatch: pytest.MonkeyPatch) -> None:
        spawned: list[object] = []
        spawn = Zygote.spawn
        monkeypatch.setattr(
            Zygote, "spawn", lambda self, *rest, **named: spawned.append(1) or spawn(self, *rest, **named)
        )
        with Zygote() as zygote:
            read_syntax(zygote, {f"{number}.py": DEEP for number in range(8)})
        assert len(spawned) <= 3


class TestPage:
    def build(self, tmp_path: Path, extra: str = "") -> str:
        text = (RIGHT / "plain" / "word2vec.py").read_text()
        submissions = {
            f"ann {HOSTILE}": read(tmp_path / "a", word2vec=f"# {HOSTILE}\n{text}{extra}"),
            "bo": read(tmp_path / "b", word2vec=f"# {HOSTILE}\n{disguise(text)}"),
            "cy": read(tmp_path / "c", sgd=f"{HOSTILE}("),
        }
        return "".join(
            page.render_page(
                compare(submissions),
                title=ASSIGNMENT.title,
                titles={question.stem: question.title for question in ASSIGNMENT.questions},
                labels={name: name for name in submissions},
                find_texts=lambda name, stem: collect_texts(submissions[name].questions),
            )
        )

    def test_shows_both_sides_escapes_every_text_of_a_student_and_runs_nothing(self, tmp_path: Path) -> None:
        told = self.build(tmp_path)
        assert told.count("<section>") == 2
        assert told.count('class="shared"') > 20
        assert "3 submissions are compared" in told
        assert "<li>cy: sgd.py</li>" in told
        assert "<script" not in told
        assert "&lt;script&gt;" in told
        assert not re.search(r"(src|href)=|url\(|@import|https?:", told)

    def test_cuts_long_lines_and_files(self, tmp_path: Path) -> None:
        told = self.build(tmp_path, extra="\n" + "y = 1\n" * 5000 + f"x = '{'z' * 100_000}'\n")
        assert len(told) < 200_000
        assert re.search(r"\d+ more lines", told)
        assert told.count("<li") <= 2 * page.SHOWN_LINES + page.SHOWN_PAIRS


@pytest.mark.slow
def test_the_command_writes_the_page(tmp_path: Path) -> None:
    text = (RIGHT / "plain" / "normalization.py").read_text() + (RIGHT / "plain" / "word2vec.py").read_text()
    for name, told in (("ann", text), ("bo", disguise(text))):
        read(tmp_path / "class" / name, normalization=told)
    options = ["--assignment", str(PROJECT), "--out", "out", "--only", "normalization", "--similarity", "--force"]
    done = run("regress", "class", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "similarity.html" in done.stdout
    assert "<summary>ann and bo: " in (tmp_path / "out" / "similarity.html").read_text()
