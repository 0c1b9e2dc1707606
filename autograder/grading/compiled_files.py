"""Shared code: what one worker compiled of a question's files, for the later workers of the same submission.

Run by the grader. The bytes are a worker's: they are never read here, only handed on, beside the text that they were
made of and that is used where they are of no use. They are taken once, from a worker that has run no student byte and
was handed nothing of any test: whatever they hold, nothing of a test is in them.
"""

from __future__ import annotations

from collections.abc import Mapping

from autograder.sandbox import limits as limit
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import encode

Sources = Mapping[str, tuple[str, str, bool]]  # module name -> path shown, text, whether it is a package
_TIMES_KILLED = 2


class SharedCode:
    """The modules of one question as its workers are given them; `is_wanted` until a worker was asked for the code."""

    def __init__(self, own: Sources, support: Sources, *, is_wanted: bool) -> None:
        self._own = own
        self._support = support
        self._codes: dict[str, bytes] = {}
        self._payloads: dict[bool, bytes] = {}
        self._killed = 0
        self.is_wanted = is_wanted

    def modules(self, *, support_wins: bool) -> bytes:
        """The payload that a worker loads; made once."""
        if support_wins not in self._payloads:
            own = {name: (*source, self._codes.get(name, b"")) for name, source in self._own.items()}
            support = {
                name: (*source, b"" if name in self._own else self._codes.get(name, b""))
                for name, source in self._support.items()
            }
            self._payloads[support_wins] = encode((own, support, support_wins))
        return self._payloads[support_wins]

    def may_be_asked_again(self) -> bool:
        """Whether it may be the machine that killed a worker while it compiled: twice; then it is the text."""
        self._killed += 1
        return self._killed <= _TIMES_KILLED

    def take(self, reply: object) -> bool:
        """Keep the code that a worker says it made, if it says so; the first answer counts, whatever it is."""
        self.is_wanted = False
        if not messages.is_returned(reply):
            return False
        made = reply[1] if type(reply[1]) is dict else {}
        self._codes = {name: code for name, code in made.items() if self._may_be_kept(name, code)}
        self._payloads.clear()
        return True

    def _may_be_kept(self, name: object, code: object) -> bool:
        is_known = name in self._own or name in self._support
        return is_known and type(code) is bytes and len(code) <= limit.CODE_BYTES
