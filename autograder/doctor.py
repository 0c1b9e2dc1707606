"""Doctor: examines this machine, and renders its software and its layers of isolation as text."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from autograder import ENGINE
from autograder.machine import count_usable
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.host.self_check import Targets, run_self_check
from autograder.sandbox.protocol.layers import SELF_CHECK, LayerReport, list_missing_for_strict


@dataclass(frozen=True)
class Diagnosis:
    """Facts as pairs of name and text, and the sandbox's layers."""

    facts: tuple[tuple[str, str], ...]
    layers: tuple[LayerReport, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The layers that a strict run lacks, each with the reason."""
        return list_missing_for_strict(self.layers)


def examine() -> Diagnosis:
    """Examine this machine; runs the sandbox's self-check anew."""
    return Diagnosis(tuple(_collect_facts()), try_layers())


def render(diagnosis: Diagnosis) -> str:
    """Render the diagnosis as lines of text."""
    layers = [(layer.name, _describe_layer(layer)) for layer in diagnosis.layers]
    width = max(len(name) for name, _ in (*diagnosis.facts, *layers))
    lines = [f"{name:{width}}  {text}" for name, text in diagnosis.facts]
    lines += ["", "Layers of the sandbox"]
    lines += [f"{name:{width}}  {text}" for name, text in layers]
    lines += [""]
    lines += [f"grade --strict would refuse: this machine lacks {text}" for text in diagnosis.missing]
    return "\n".join(lines if diagnosis.missing else [*lines, "grade --strict would grade here."])


def _describe_layer(layer: LayerReport) -> str:
    return ("yes" if layer.is_active else "no ") + (f"  {layer.reason}" if layer.reason else "")


def _collect_facts() -> Iterator[tuple[str, str]]:
    yield "Python", f"{platform.python_version()}, {sys.executable}"
    yield "numpy", np.__version__
    yield "cores", f"{count_usable():g}, a thread in each process"
    yield "system", f"{platform.system()} {platform.release()} {platform.machine()}, user {os.getuid()}"


def try_layers() -> tuple[LayerReport, ...]:
    """Try the attacks of the self-check on this machine."""
    source = ENGINE / "autograder" / "__init__.py"
    try:
        with tempfile.TemporaryDirectory() as folder, Zygote() as zygote:
            return run_self_check(zygote, Targets(source, Path(folder)))
    except (SandboxError, OSError) as error:
        return (LayerReport(SELF_CHECK, False, str(error)),)
