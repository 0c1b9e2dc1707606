"""Page style: reads the style and the script that the pages on a class share, with their hashes for the policy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.plain_text import count
from autograder.templates import read_inline

_HERE = Path(__file__).parent


def read_page_style() -> Mapping[str, Any]:
    """Return the values of the templates that all pages need."""
    (style, style_hash), (script, script_hash) = (read_inline(_HERE / name) for name in ("report.css", "report.js"))
    return {
        "style": style,
        "script": script,
        "style_hash": style_hash,
        "script_hash": script_hash,
        "words": lambda diagnosis: diagnosis.replace("_", " "),
        "count": count,
    }
