"""Attack table: turns the headers of the attacks into the tables of docs/sandbox.md.

Started as a program it writes them there: python -m tests.selftest.support.attack_table
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.sandbox.protocol.layers import Layer
from tests.selftest.support.hostile_attack import KINDS, ROOT, USER, Attack, load_attacks
from tests.selftest.support.hostile_environment import LAYERS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "sandbox.md"
BEGIN, END = "<!-- made by python -m tests.selftest.support.attack_table -->", "<!-- end of what is made -->"
ENVIRONMENTS = {
    "root, host": "root on the host",
    "user, host": "user on the host",
    "root, container": "root in a container",
}
REFUSED, CONTAINED, NOT_DEFENDED = "refused", "contained", "not defended"
# It runs, and ends or spoils nothing but its own test.
_ENDS_ITS_TEST = re.compile(
    r"timed out|out of memory|output limit|died: (?!SIGSYS)|returned|\d+ of \d+:|raised (System|Recursion)"
)
_SHORT = {
    Layer.PID_NAMESPACE: "pid namespace",
    Layer.NETWORK_NAMESPACE: "network namespace",
    Layer.EMPTY_ROOT: "empty root",
    Layer.LIMITS: "limits",
    Layer.SECCOMP: "seccomp",
    Layer.NO_NEW_PRIVILEGES: "no new privileges",
}


def tables(attacks: Sequence[Attack]) -> str:
    """How many attacks there are, and a table for each kind."""
    return "\n".join([*_totals(attacks), *(line for kind in KINDS for line in _table(kind, attacks))])


def end_of(attack: Attack) -> str:
    """Whether it is refused, runs to the harm of its own test only, or is not defended against."""
    if "not defended" in attack.fields:
        return NOT_DEFENDED
    return CONTAINED if _ENDS_ITS_TEST.match(attack.fields["outcome"]) else REFUSED


def not_defended(attacks: Sequence[Attack]) -> Iterator[str]:
    """A line for each attack that may succeed, with the reason why that is borne."""
    for attack in attacks:
        if end_of(attack) == NOT_DEFENDED:
            yield f"- {attack.id}, {_lower(attack.does)} {_upper(attack.fields['not defended'])}."


def updated(page: str, attacks: Sequence[Attack]) -> str:
    """The page with its made part made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = [BEGIN, "", *not_defended(attacks), "", "## The attacks", "", tables(attacks), END]
    return before + "\n".join(made) + after


def _totals(attacks: Sequence[Attack]) -> Iterator[str]:
    ends = Counter(end_of(attack) for attack in attacks)
    yield (
        f"{len(attacks)} attacks: {ends[REFUSED]} are refused, {ends[CONTAINED]} are contained, which means that they "
        f"run and harm their own test alone, and {ends[NOT_DEFENDED]} are not defended against."
    )
    yield ""
    yield "| environment | layers | attacks that a layer stops | attacks with a layer alone | negative controls |"
    yield "|---|---|---|---|---|"
    for environment, title in ENVIRONMENTS.items():
        owner = _owner(environment)
        stopped = [stoppers for attack in attacks if (stoppers := _stoppers(attack, environment))]
        controls = sum(attack.has_control(owner) for attack in attacks)
        yield f"| {title} | {len(LAYERS[environment]) + 1} | {len(stopped)} | {sum(map(len, stopped))} | {controls} |"


def _table(kind: str, attacks: Sequence[Attack]) -> Iterator[str]:
    yield from ("", f"### {_upper(kind)}", "")
    titles = " | ".join(f"{title}: stopped by" for title in ENVIRONMENTS.values())
    yield f"| id | tries to | end | {titles} | without it |"
    yield "|---|---|---|---|---|---|---|"
    for attack in attacks:
        if attack.kind == kind:
            root, *others = (_stopper(attack, environment) for environment in ENVIRONMENTS)
            stoppers = [root, *("the same" if each == root else each for each in others)]
            cells = [attack.id, _lower(attack.does).rstrip("."), end_of(attack), *stoppers, _control(attack)]
            yield f"| {' | '.join(cells)} |"


def _stopper(attack: Attack, environment: str) -> str:
    layers = _stoppers(attack, environment)
    return ", ".join(_SHORT.get(layer, layer.value) for layer in layers) or _text(attack, _owner(environment))


def _stoppers(attack: Attack, environment: str) -> list[Layer]:
    return [layer for layer in attack.stoppers(_owner(environment)) if layer in LAYERS[environment]]


def _text(attack: Attack, owner: str) -> str:
    return _cell(attack.field("stopped by", owner)) or "nothing"


def _control(attack: Attack) -> str:
    for field in ("without them", "in one process"):
        if value := attack.fields.get(field):
            return _cell(value)
    return "no control" if "no control" in attack.fields else "-"


def _owner(environment: str) -> str:
    return ROOT if environment.startswith(ROOT) else USER


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _lower(text: str) -> str:
    return _cell(text[:1].lower() + text[1:])


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def main() -> None:
    """Write the page."""
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8"), load_attacks()), encoding="utf-8")


if __name__ == "__main__":
    main()
