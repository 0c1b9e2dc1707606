"""The tables of docs/sandbox.md agree with the headers of the attacks."""

from __future__ import annotations

from tests.selftest.support.attack_table import NOT_DEFENDED, PAGE, classify_end, list_undefended, update_page
from tests.selftest.support.hostile_attack import Attack, load_attacks
from tests.selftest.support.toy_assignment import PROJECT


def test_the_page_is_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == update_page(page, load_attacks()), "update it: python -m tests.selftest.support.attack_table"


def test_the_readme_leads_to_it() -> None:
    assert "(docs/sandbox.md)" in (PROJECT / "README.md").read_text(encoding="utf-8")


def test_signs_of_html_are_escaped() -> None:
    attack = Attack("r99", "", "Steal <all> of it.", {"id": "R99", "kind": "read", "not defended": "it does no harm"})
    assert [*list_undefended([attack])] == ["- R99, steal &lt;all> of it. It does no harm."]


def test_every_attack_that_nothing_stops_is_among_them() -> None:
    unstopped = {each.id for each in load_attacks() if not each.fields.get("stopped by")}
    assert unstopped == {each.id for each in load_attacks() if classify_end(each) == NOT_DEFENDED}
