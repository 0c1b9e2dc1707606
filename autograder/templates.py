"""Templates: opens the templates of pages for staff, with escaping of every value, and of source files, without."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup


def open_template(path: Path) -> Template:
    """Open the template of a page; an undefined name in it is an error."""
    return _open(path, is_page=True)


def render_source(path: Path, **values: Any) -> str:
    """Render the template of a source file; in it, `quote` writes texts and lists of them as Python and TOML do."""
    return _open(path, is_page=False).render(quote=json.dumps, **values)


def _open(path: Path, *, is_page: bool) -> Template:
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        autoescape=is_page,  # noqa: S701  (a source file has other rules)
        keep_trailing_newline=not is_page,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(path.name)


def read_inline(path: Path) -> tuple[Markup, str]:
    """Return a style or script of ours as the text to put into a page, and its source in the page's security policy."""
    text = path.read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return Markup(text), f"sha256-{digest}"  # noqa: S704  (a file of ours)
