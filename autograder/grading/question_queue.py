"""Question queue: hands the questions of a pass out to two processes, each question to one of them.

One process takes questions from the front, the other from the end, until they meet, so that both end at about the same
time. The tokens are bytes in a pipe: the kernel gives each byte to one reader, and no process waits for the other.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence


class QuestionQueue:
    """A queue, made before a fork; close it in both processes."""

    def __init__(self, stems: Iterable[str]) -> None:
        """Make the queue of these questions, each counted once; OSError where there is no pipe."""
        self._stems = tuple(dict.fromkeys(stems))
        tokens, sending = os.pipe()
        try:
            os.write(sending, bytes(len(self._stems)))
        finally:
            os.close(sending)  # so that a read beyond the last token ends
        self._tokens = os.fdopen(tokens, "rb", buffering=0)

    def close(self) -> None:
        """Close the pipe; a second call does nothing."""
        self._tokens.close()

    def take_from_front(self) -> Iterator[str]:
        """Yield the ids of questions, the first of the assignment first, until none is left."""
        return self._take(self._stems)

    def take_from_end(self) -> Iterator[str]:
        """Yield the ids of questions, the last of the assignment first, until none is left."""
        return self._take(self._stems[::-1])

    def _take(self, stems: Sequence[str]) -> Iterator[str]:
        for stem in stems:
            if not self._tokens.read(1):
                return
            yield stem
