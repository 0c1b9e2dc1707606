"""Worker calls: loads a file into a worker as the grader does, and asks for a function of it."""

import textwrap
import time
from collections.abc import Mapping
from typing import Any

from autograder.sandbox.host.client import Worker
from autograder.sandbox.protocol import messages

_SECONDS = 120.0


def exchange(worker: Worker, *request: object, seconds: float = _SECONDS) -> tuple[Any, ...]:
    """Send a request and return the reply."""
    reply: tuple[Any, ...] = worker.connection.exchange(request, deadline=time.monotonic() + seconds)
    return reply


def load(worker: Worker, text: str, *, support: Mapping[str, Any] | None = None, **others: str) -> tuple[Any, ...]:
    """Load `answer.py` and other files and import it; return the last reply."""
    texts = {"answer": text, **others}
    own = {name: (f"{name}.py", textwrap.dedent(each), False) for name, each in texts.items()}
    exchange(worker, messages.LOAD, own, dict(support or {}), False)
    return exchange(worker, messages.IMPORT, "answer")


def find(worker: Worker, text: str, name: str = "f", **options: Any) -> tuple[Any, ...]:
    """Load `answer.py` and ask for a function; return its handle's reply, or that of an import that fails."""
    loaded = load(worker, text, **options)
    return exchange(worker, messages.FIND, "answer", name) if messages.is_returned(loaded) else loaded
