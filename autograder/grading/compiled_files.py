"""Compiled files: keeps the code that one worker compiled of a question's files, for later workers of the submission.

Run by the grader. The bytes are untrusted: the grader never reads them, it only passes them on, beside the source text,
which a worker uses where the code does not load. They are accepted once, from a worker that has run no student code and
received no input of any test, so they hold nothing of a test.
"""

from __future__ import annotations

from collections.abc import Mapping

from autograder.sandbox import limits as limit
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.encoder import encode

Sources = Mapping[str, tuple[str, str, bool]]  # module name -> path shown, text, whether it is a package
_TIMES_KILLED = 1
KILLS_COMPILERS = "Python was killed each time it compiled the file, which is too large or too deeply nested"


class CompiledFiles:
    """The modules of one question as its workers receive them; `is_wanted` until a worker was asked for the code."""

    def __init__(self, own: Sources, support: Sources, *, is_wanted: bool) -> None:
        self._own = own
        self._support = support
        self._codes: dict[str, bytes] = {}
        self._payloads: dict[bool, bytes] = {}
        self._killed = 0
        self.is_wanted = is_wanted

    def encode_modules(self, *, support_wins: bool) -> bytes:
        """Return the payload that a worker loads; it is encoded once."""
        if support_wins not in self._payloads:
            own = {name: (*source, self._codes.get(name, b"")) for name, source in self._own.items()}
            support = {
                name: (*source, b"" if name in self._own else self._codes.get(name, b""))
                for name, source in self._support.items()
            }
            self._payloads[support_wins] = encode((own, support, support_wins))
        return self._payloads[support_wins]

    def may_be_asked_again(self) -> bool:
        """Whether a worker that was killed while it compiled is tried again: once; then the source may be to blame."""
        self._killed += 1
        return self._killed <= _TIMES_KILLED

    @property
    def has_killed_compilers(self) -> bool:
        """Whether every worker that compiled the files was killed, more often than by chance."""
        return self._killed > _TIMES_KILLED

    def take(self, reply: object) -> bool:
        """Keep the code in a worker's reply, and tell whether there was any; only the first reply counts."""
        self.is_wanted = False
        if not messages.is_returned(reply):
            return False
        made = reply[1] if type(reply[1]) is dict else {}
        left = limit.CODES_BYTES
        for name, code in made.items():
            if self._is_acceptable(name, code) and len(code) <= left:
                self._codes[name] = code
                left -= len(code)
        self._payloads.clear()
        return True

    def _is_acceptable(self, name: object, code: object) -> bool:
        is_known = name in self._own or name in self._support
        return is_known and type(code) is bytes and len(code) <= limit.CODE_BYTES
