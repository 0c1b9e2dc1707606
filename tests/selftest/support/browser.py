"""Browser: starts the Chromium of this machine without windows, for tests."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_BROWSER = "there is no Chromium on this machine: apt-get install chromium"


def find_chromium() -> str | None:
    """Return the path of a Chromium, None if there is none."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def open_browser(path: str) -> Iterator[Browser]:
    """Yield the browser at `path`."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def open_installed_browser() -> Iterator[Browser]:
    """Yield the browser of this machine; skip the test where there is none."""
    path = find_chromium()
    if path is None:
        pytest.skip(NO_BROWSER)
    with open_browser(path) as browser:
        yield browser
