"""Templates: opens the templates of the pages for staff, with escaping of every value."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup


def open_template(path: Path) -> Template:
    """Open the template in a file; an undefined name in it is an error."""
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        autoescape=True,
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
