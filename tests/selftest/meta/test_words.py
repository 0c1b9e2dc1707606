"""The words of the pages: prose uses the field's terms, and retired phrases stay retired."""

from __future__ import annotations

import re
from pathlib import Path

from tests.selftest.support.project_sources import (
    PROJECT,
    assert_none,
    find_matches,
    find_sources,
    get_relative,
    list_files,
    locate,
    read_text,
)

PHRASES = (
    r"\bto be had\b",
    r"\bbe no more\b",
    r"\bcomes? of (?:it|them|that)\b",
    r"\bdear(?:er|ly)?\b",
    r"\bmend(?:s|ed|ing)?\b",
    r"\bvouch(?:es|ed)?\b",
    r"\bstands? in for\b",
    r"\bstand-ins?\b",
    r"\bsits the\b",
    r"\bcanar(?:y|ies)\b",
    r"\brehears(?:e|es|ed|al|als|ing)\b",
    r"\bhand(?:ed|ing)?[- ]ins?\b",
    r"\bin the lane\b|\bthe lane\b",
    r"\bnobody wishes\b",
    r"\bat every moment there is\b",
    r"\bhave nobody\b",
)
PHRASE = re.compile("|".join(PHRASES), re.IGNORECASE)
STEM = re.compile(r"(?<!`)\bstems?\b|<stem>|\bSTEM\b")  # on a page, where the word is id
PROSE_EXEMPT = {"CHANGELOG.md", "tests/selftest/meta/test_words.py", "tests/selftest/meta/test_source_rules.py"}


def find_pages() -> list[Path]:
    """Return the pages at the top and in docs/."""
    return [
        path for path in list_files(suffix=".md") if path.parent == PROJECT or path.is_relative_to(PROJECT / "docs")
    ]


def find_prose() -> list[Path]:
    """Return the pages and the sources whose prose is read."""
    pages = [*find_pages(), *list_files(PROJECT / "benchmarks", ".md")]
    scripts = [PROJECT / name for name in ("run_autograder", "setup.sh", "Dockerfile", ".ci/run")]
    hostile = list_files(PROJECT / "tests" / "selftest" / "hostile", ".py")
    return [path for path in [*pages, *scripts, *find_sources(), *hostile] if get_relative(path) not in PROSE_EXEMPT]


def test_no_prose_has_a_retired_phrase() -> None:
    assert_none(locate(find_prose(), lambda path: find_matches(read_text(path), PHRASE)))


def test_pages_name_a_question_by_its_id() -> None:
    pages = [path for path in find_pages() if get_relative(path) not in PROSE_EXEMPT]
    assert_none(locate(pages, lambda path: find_matches(read_text(path), STEM)))


def test_every_kind_of_file_is_read() -> None:
    assert len(find_sources()) > 500
    assert len(find_prose()) > len(find_sources()) + 200
    assert len(find_pages()) > 25


def test_a_stem_on_a_page_and_a_retired_phrase_are_found() -> None:
    assert list(find_matches("A `stem`\nand a stem, `<stem>`.\n", STEM)) == [(2, "stem"), (2, "<stem>")]
    assert list(find_matches("A trip\nTo be had by the Lane.", PHRASE)) == [(2, "To be had"), (2, "the Lane")]
