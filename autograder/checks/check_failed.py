"""Check failed: the errors that end a hidden test where a student's value is wrong, or nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class CheckFailed(Exception):
    """Raised where a student's value differs from the right one; ends the test as failed.

    `what`: the value checked. `values`: lines for visible tests; "expected:" and "found:" replace the general words.
    """

    def __init__(
        self,
        what: str,
        *,
        expected: str,
        found: str,
        values: Sequence[str] = (),
        relation: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(f"{what}: expected {expected}; found {found}")
        self.what = what
        self.expected = expected
        self.found = found
        self.values = tuple(values)
        self.relation = relation
        self.value_name = what  # of the value that `values` shows, where `what` says more
        self.earned: Mapping[str, float] = {}  # shares of the points, by what earned them; set by contracts/body.py
        self.parts: tuple[str, ...] = ()  # of the function, that are wrong; set by contracts/judgement.py
        self.gradient_note = ""  # set by gradient_check.py, which calls the student's function again
        self.hint = hint

    def with_gradient_note(self, note: str) -> CheckFailed:
        """Return this failure with another note on the gradient."""
        return self._copy(self.relation, note)

    def with_relation(self, relation: str) -> CheckFailed:
        """Return this failure with another relation."""
        return self._copy(relation, self.gradient_note)

    def describe_as(self, what: str, *, relation: str) -> CheckFailed:
        """Return this failure with another description of the value, which its lines name."""
        copied = self._copy(relation, self.gradient_note, what=what)
        copied.value_name = self.what
        return copied

    def _copy(self, relation: str, gradient_note: str, *, what: str = "") -> CheckFailed:
        what, values, hint = what or self.what, self.values, self.hint
        copied = CheckFailed(
            what, expected=self.expected, found=self.found, values=values, relation=relation, hint=hint
        )
        copied.gradient_note, copied.earned, copied.value_name = gradient_note, self.earned, self.value_name
        copied.parts = self.parts
        return copied

    @property
    def share(self) -> float:
        """The share of the points that a test with parts earns all the same."""
        return sum(self.earned.values())

    @property
    def expectations(self) -> tuple[str, ...]:
        """The expected numbers; only a visible test shows them."""
        return tuple(f"{self.value_name}: {line}" for line in self.values if line.startswith("expected"))


class NotWritten(Exception):
    """Raised where the function is still the stub of the template; the text gives the evidence."""
