"""The documentation as a site: it has every page, and asks no other server for anything."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.selftest.support.grading import PROJECT

_IS_INSTALLED = importlib.util.find_spec("mkdocs") is not None
_NEEDED = "the packages of requirements-docs.lock are not installed"
pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.skipif(not _IS_INSTALLED, reason=_NEEDED)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; every warning, such as a link that leads nowhere, is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


def test_it_has_every_page_and_no_solution(site: Path) -> None:
    assert {path.stem for path in site.glob("*.html")} == {*(p.stem for p in (PROJECT / "docs").glob("*.md")), "404"}
    assert not list(site.rglob("*solutions*"))


def test_its_pages_load_nothing_from_another_server(site: Path) -> None:
    loads = re.compile(r"<(?:script|img|iframe|link rel=\"?stylesheet\"?)[^>]*(?:src|href)=\"?(?:https?:)?//")
    assert [path.name for path in site.rglob("*.html") if loads.search(path.read_text(encoding="utf-8"))] == []
