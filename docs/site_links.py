"""Site links: names files of the project outside of docs/ in the text, where the site cannot link to them.

A hook of mkdocs, named in mkdocs.yml.
"""

import re
from typing import Any

_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\s*(?:\.\./|solutions/)([^)#\s]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the text of a page with `[words](../file)` as "words (`file`)"."""
    return _OUTSIDE.sub(_name_file, markdown)


def _name_file(link: re.Match[str]) -> str:
    words, path = link.groups()
    return words if words.strip("`") in path else f"{words} (`{path}`)"
