"""The tables of docs/sandbox.md agree with the headers of the attacks."""

from __future__ import annotations

from autograder.sandbox.protocol.layers import Layer
from tests.selftest.support.attack_table import (
    NOT_DEFENDED,
    PAGE,
    classify_end,
    list_undefended,
    update_page,
    write_tables,
)
from tests.selftest.support.hostile_attack import Attack, load_attacks
from tests.selftest.support.toy_assignment import PROJECT

SECCOMP = Layer.SECCOMP.value


def attack(**fields: str) -> Attack:
    """Make an attack with these header fields."""
    return Attack("r99_steals", "", "Steal <all> of it.", {"id": "R99", "kind": "read", "outcome": "EPERM", **fields})


def test_the_page_is_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == update_page(page, load_attacks()), "update it: python -m tests.selftest.support.attack_table"


def test_the_readme_leads_to_it() -> None:
    assert "(docs/sandbox.md)" in (PROJECT / "README.md").read_text(encoding="utf-8")


def test_each_environment_lists_the_layers_that_stop_an_attack_there() -> None:
    given = {"stopped by": f"own user EACCES; {SECCOMP} EPERM", "stopped by as user": f"{SECCOMP} EPERM"}
    row = "| R99 | steal &lt;all> of it | refused | own user, seccomp | seccomp | the same | secret |"
    assert row in write_tables([attack(**given, **{"without them": "secret"})])


def test_what_ends_its_own_test_is_contained() -> None:
    shown = write_tables([attack(outcome="timed out: deadline", **{"stopped by": "the clock", "no control": "none"})])
    assert "1 attacks: 0 are refused, 1 are contained" in shown
    assert "| contained | the clock | the same | the same | no control |" in shown


def test_what_is_not_defended_is_listed_with_the_reason() -> None:
    (line,) = list_undefended([attack(**{"not defended": "it does no harm"}), attack()])
    assert line == "- R99, steal &lt;all> of it. It does no harm."


def test_every_attack_that_nothing_stops_is_among_them() -> None:
    unstopped = {each.id for each in load_attacks() if not each.fields.get("stopped by")}
    assert unstopped == {each.id for each in load_attacks() if classify_end(each) == NOT_DEFENDED}
