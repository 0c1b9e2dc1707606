"""Written module: a text as a module of Python, whose source `inspect` finds."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def import_text(name: str, path: Path, text: str) -> ModuleType:
    """Write a module and import it."""
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)  # where `inspect` looks for classes
    spec.loader.exec_module(module)
    return module
