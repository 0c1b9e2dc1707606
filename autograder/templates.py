"""Templates: opens the templates of the pages for staff, with escaping of every value."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template


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
