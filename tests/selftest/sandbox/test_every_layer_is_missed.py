"""For every layer of the sandbox, some attack has another outcome without that layer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.sandbox.protocol.layers import Layer
from tests.selftest.support.hostile_attack import ROOT, USER, Attack, load_attacks
from tests.selftest.support.hostile_environment import (
    ALL,
    ENVIRONMENT,
    LAYERS,
    OWNER,
    explain_container_refusal,
    find_needed_layers,
    find_refused_layers,
)
from tests.selftest.support.hostile_runner import AttackRunner

ATTACKS = [attack for attack in load_attacks() if "question" not in attack.fields and attack.runs_here]


@pytest.fixture(scope="module")
def runner() -> Iterator[AttackRunner]:
    """Yield one runner for the tests of this file."""
    with AttackRunner() as made:
        yield made


def stopped_by(layer: Layer, owner: str) -> list[Attack]:
    """Return the attacks that a layer stops according to their headers, slow attacks last."""
    named = [attack for attack in ATTACKS if layer in attack.get_stoppers(owner)]
    return sorted(named, key=lambda attack: "timed out" in attack.fields["outcome"])


@pytest.mark.parametrize("layer", sorted(ALL))
def test_every_layer_is_there_for_some_attack(layer: Layer) -> None:
    assert stopped_by(layer, ROOT) or stopped_by(layer, USER)


def test_a_process_of_its_own_is_there_for_some_attack() -> None:
    assert [attack for attack in ATTACKS if "in one process" in attack.fields]


@pytest.mark.parametrize("layer", sorted(LAYERS[ENVIRONMENT] - {Layer.NO_NEW_PRIVILEGES}))
def test_an_attack_notices_that_a_layer_was_taken_out(runner: AttackRunner, layer: Layer) -> None:
    needed = find_needed_layers(layer, OWNER)
    if not needed <= LAYERS[ENVIRONMENT]:
        pytest.skip(f"the layer has no effect here without {', '.join(each.value for each in needed)}")
    if refused := find_refused_layers().keys() & {layer, *needed}:
        pytest.skip(f"this machine refuses it: {find_refused_layers()[min(refused)]}")
    attack = next(each for each in stopped_by(layer, OWNER) if not explain_container_refusal(each.id))
    others = ALL - attack.get_besides(OWNER) - needed - {layer}
    whole = runner.run_attack(attack, without=others)
    runner.restore()
    lacking = runner.run_attack(attack, without=others | {layer})
    runner.restore()
    assert whole == attack.get_stoppers(OWNER)[layer]
    assert lacking != whole


def test_without_no_new_privileges_the_kernel_takes_neither_filter_nor_landlock(runner: AttackRunner) -> None:
    attack = next(attack for attack in ATTACKS if attack.get_stoppers(OWNER).keys() >= {Layer.SECCOMP, Layer.LANDLOCK})
    needed = {Layer.SECCOMP, Layer.NO_CAPABILITIES, *find_needed_layers(Layer.NO_CAPABILITIES, OWNER)}
    whole = runner.run_attack(attack, without=ALL - needed - {Layer.NO_NEW_PRIVILEGES})
    lacking = runner.run_attack(attack, without=ALL - needed)
    runner.restore()
    assert whole == attack.get_stoppers(OWNER)[Layer.SECCOMP]
    assert lacking != whole
