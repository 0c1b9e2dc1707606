"""The documentation as a site: it has every page, asks no other server for anything, and finds words."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.selftest.support.browser import open_installed_browser
from tests.selftest.support.grading import PROJECT

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mkdocs") is None, reason="the packages of requirements-docs.lock are not installed"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; every warning, such as a link that leads nowhere, is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Serve the site."""
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_it_has_every_page_and_no_solution(site: Path) -> None:
    assert {path.stem for path in site.glob("*.html")} == {*(p.stem for p in (PROJECT / "docs").glob("*.md")), "404"}
    assert not list(site.rglob("*solutions*"))


def test_its_pages_load_nothing_from_another_server(site: Path) -> None:
    loads = re.compile(r"<(?:script|img|iframe|link rel=\"?stylesheet\"?)[^>]*(?:src|href)=\"?(?:https?:)?//")
    assert [path.name for path in site.rglob("*.html") if loads.search(path.read_text(encoding="utf-8"))] == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Open the browser of this machine."""
    with open_installed_browser() as opened:
        yield opened


def test_its_search_finds_a_word_without_another_server(address: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/index.html")
    page.click("input[name=query]")
    page.keyboard.type("landlock")
    expect(page.locator(".md-search-result__item").first).to_contain_text("What the sandbox stops")
    assert [url for url in asked if not url.startswith(address)] == []
