"""Page style: reads the style and the script that the pages on a class share, with their hashes for the policy."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

_HERE = Path(__file__).parent


def read_page_style() -> Mapping[str, Any]:
    """Return the values of the templates that all pages need."""
    style, script = (_HERE.joinpath(name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    return {
        "style": Markup(style),  # noqa: S704  (a file of ours)
        "script": Markup(script),  # noqa: S704  (a file of ours)
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "words": lambda diagnosis: diagnosis.replace("_", " "),
        "count": count,
    }


def count(number: int, what: str) -> str:
    """Return a number of things in words, such as "2 tests"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
