"""The pages: commands print what is shown, and names and links lead somewhere."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.selftest.support.command_line import run_command
from tests.selftest.support.project_sources import PROJECT, assert_none, get_relative, list_files, read_text

pytestmark = [pytest.mark.slow, pytest.mark.once]

README = PROJECT / "README.md"
PAGES = [README, PROJECT / "CONTRIBUTING.md", *list_files(PROJECT / "docs", ".md")]
TEXTS = {str(path.relative_to(PROJECT)): path.read_text(encoding="utf-8") for path in PAGES}
NAMING_FILES = ["README.md", "CONTRIBUTING.md", "docs/SECURITY.md", "docs/how_it_works.md", "docs/explanations.md"]
MADE = {"results/results.json"}  # by commands
SELFTEST = "./run_autograder selftest"
TAKE_LONG = {
    "./run_autograder package gradescope": pytest.mark.ci,  # judges each known mistake
    "./run_autograder grade examples/half_done --only dropout": pytest.mark.ci,
    "./run_autograder explain examples/half_done 2.3": pytest.mark.ci,
    "./run_autograder regress examples --only sgd --out today": pytest.mark.ci,
}
BLOCK = re.compile(r"^```console\n\$ (?P<command>.*)\n(?P<output>(?:.*\n)*?)```$", re.MULTILINE)
BLOCKS = {(page, block["command"]): block["output"] for page, text in TEXTS.items() for block in BLOCK.finditer(text)}
assert BLOCKS.pop(("README.md", SELFTEST)) == ""


def find_output(command: str, folder: Path) -> str:
    """Return the output of a command, without the line on missing layers, which differs from machine to machine."""
    lines = [line.rstrip() for line in run_command(command, folder).splitlines()]
    return re.sub(
        r"\nLayers of the sandbox \([a-z ]+\) that were not active: (?:[^\n]+\n)+", "", "\n".join(lines) + "\n"
    )


def hide_varying_numbers(text: str) -> str:
    """Replace every time and every size of a file."""
    return re.sub(r"\d+(\.\d s|( KiB))$", r"...\2", text, flags=re.MULTILINE)


@cache
def find_anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as hosting services make them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    ("page", "command"), [pytest.param(*each, marks=TAKE_LONG.get(each[1], ())) for each in BLOCKS]
)
def test_a_command_prints_what_the_page_shows(
    page: str, command: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    output = find_output(command, tmp_path)
    shown = BLOCKS[page, command]
    if pytestconfig.getoption("--update-readme"):
        text = (PROJECT / page).read_text(encoding="utf-8")
        block = f"```console\n$ {command}\n"
        (PROJECT / page).write_text(text.replace(block + shown, block + output), encoding="utf-8")
    else:
        assert hide_varying_numbers(output) == hide_varying_numbers(shown)


def test_files_that_are_named_exist() -> None:
    files = {get_relative(path) for path in list_files()}
    folders = {f"{parent}/" for name in files for parent in Path(name).parents}
    paths = "".join(f"/{name}\n" for name in files | folders | MADE)
    pattern = re.compile(r"`((?:\w+/)+(?:\w+(?:\.\w+)+)?|\w+\.(?:py|md|toml|lock|sh))`")
    named = {page: sorted(set(pattern.findall(TEXTS[page]))) for page in NAMING_FILES}
    assert all(named.values())
    assert_none(f"{page}: {name}" for page, names in named.items() for name in names if f"/{name}\n" not in paths)


def find_dead_links(page: str) -> Iterator[str]:
    """Yield the links of a page that lead nowhere."""
    for target in re.findall(r"\]\(((?!https?:)[^)]+)\)", TEXTS[page]):
        name, _, anchor = target.partition("#")
        path = (PROJECT / page).parent / name if name else PROJECT / page
        if not path.exists() or (anchor and anchor not in find_anchors(read_text(path))):
            yield f"{page}: {target}"


def test_links_lead_somewhere() -> None:
    assert_none(link for page in TEXTS for link in find_dead_links(page))
