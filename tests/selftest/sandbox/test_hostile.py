"""Every attack of `hostile/` has the outcome that it declares, and succeeds when the layers that stop it are off.

The same file runs as root and as a user, on a host and in a container. Hostile submissions that never reach a worker
are in test_submission, test_archive and test_folder.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from autograder import plain_text
from autograder.grading import judge
from autograder.grading.shared_workers import SharedWorkers
from autograder.sandbox import limits as limit
from autograder.sandbox import preload
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
from tests.selftest.support.hostile_grading import grade_attack, hash_protected_files
from tests.selftest.support.hostile_runner import Aftermath, AttackRunner
from tests.selftest.support.tiers import sample

pytestmark = pytest.mark.slow

_LOADED = load_attacks()
ATTACKS = [attack for attack in _LOADED if "question" not in attack.fields]
ANSWERS = [attack for attack in _LOADED if "question" in attack.fields]
_AVAILABLE = LAYERS[ENVIRONMENT]
_RUNNING = [attack for attack in ATTACKS if attack.runs_here]
_ALONE = [
    (attack, layer)
    for attack in _RUNNING
    for layer in attack.get_stoppers(OWNER)
    if {layer, *find_needed_layers(layer, OWNER)} <= _AVAILABLE
]
_WITH_CONTROL = [attack for attack in _RUNNING if attack.has_control(OWNER)]
_NOTHING_LEFT = Aftermath("7.0", [], [], is_target_alive=True)
_SECONDS_WITHOUT_LIMITS = 1.3  # for a control that only the grader's deadline ends
_REPORT_BYTES = 100_000
_NO_LIMIT = 2**60
_STEERS_TERMINALS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_TESTED_ONLY_AS_ROOT = {Layer.NO_NEW_PRIVILEGES} if OWNER == USER else set()  # the test needs a program of root


def sample_attacks(attacks: Sequence[Attack], *, second: int = 1) -> list[Any]:
    """Sample attacks so that each set of layers that stop one has some, and each group of attacks; `--ci` has all."""

    def list_features(attack: Attack) -> list[object]:
        return [frozenset(attack.get_stoppers(OWNER)), attack.kind]

    return sample(attacks, by=list_features, name=lambda each: each.name, second=second, ci=None)


@pytest.fixture(scope="module")
def runner() -> Iterator[AttackRunner]:
    """Yield one runner for the tests of this file."""
    with AttackRunner() as made:
        yield made


def test_this_environment_has_every_layer_that_the_machine_allows(runner: AttackRunner) -> None:
    missing = {layer for layer, reason in runner.find_layers().items() if layer in _AVAILABLE and reason}
    refused = {layer: reason for layer, reason in find_refused_layers().items() if layer in _AVAILABLE}
    assert missing == refused.keys()
    if refused:
        pytest.skip(f"not tested, and not reported as active: {refused}")


@pytest.mark.parametrize("attack", sample_attacks(ATTACKS))
def test_an_attack_has_the_outcome_that_it_declares(runner: AttackRunner, attack: Attack) -> None:
    if not attack.runs_here:
        pytest.skip(f"it is written for {attack.fields['machine']}")
    word = runner.run_attack(attack)
    aftermath = runner.find_aftermath()
    runner.restore()
    assert word in attack.get_outcomes("outcome", OWNER)
    assert aftermath == _NOTHING_LEFT


@pytest.mark.once
@pytest.mark.parametrize(
    "alone",
    sample(
        _ALONE,
        by=lambda each: [each[0].id, (each[0].kind, each[1])],
        name=lambda each: f"{each[0].name}-{each[1].name.lower()}",
        second=0,  # test_an_attack_notices_that_a_layer_was_taken_out tries each layer alone
        ci=1,
    ),
)
def test_a_layer_alone_stops_it(runner: AttackRunner, alone: tuple[Attack, Layer]) -> None:
    attack, layer = alone
    needed = {layer, *find_needed_layers(layer, OWNER)}
    if refused := find_refused_layers().keys() & needed:
        pytest.skip(f"this machine refuses it: {find_refused_layers()[min(refused)]}")
    word = runner.run_attack(attack, without=ALL - attack.get_besides(OWNER) - needed)
    runner.restore()
    if word != attack.get_stoppers(OWNER)[layer]:
        skip_if_the_container_stops_it(runner, attack, word)
    assert word == attack.get_stoppers(OWNER)[layer]


@pytest.mark.once
@pytest.mark.parametrize("attack", sample_attacks([each for each in _WITH_CONTROL if each.get_stoppers(OWNER)]))
def test_without_the_layers_that_stop_it_it_succeeds(runner: AttackRunner, attack: Attack) -> None:
    outcomes = attack.get_outcomes("without them", OWNER)
    seconds = _SECONDS_WITHOUT_LIMITS if "timed out: deadline" in outcomes else None
    word = runner.run_attack(attack, without=frozenset(attack.get_stoppers(OWNER)), seconds=seconds)
    runner.restore()
    if word not in outcomes:
        skip_if_the_container_stops_it(runner, attack, word)
    assert word in outcomes
    assert runner.find_processes_left() == []


@pytest.mark.once
@pytest.mark.parametrize("layer", sorted(_AVAILABLE - {Layer.NO_NEW_PRIVILEGES}))
def test_an_attack_notices_that_a_layer_was_taken_out(runner: AttackRunner, layer: Layer) -> None:
    needed = find_needed_layers(layer, OWNER)
    if not needed <= _AVAILABLE:
        pytest.skip(f"the layer has no effect here without {', '.join(each.value for each in needed)}")
    if refused := find_refused_layers().keys() & {layer, *needed}:
        pytest.skip(f"this machine refuses it: {find_refused_layers()[min(refused)]}")
    stopped = [
        each for each in _RUNNING if layer in each.get_stoppers(OWNER) and not explain_container_refusal(each.id)
    ]
    attack = min(stopped, key=lambda each: "timed out" in each.fields["outcome"])  # slow ones last
    others = ALL - attack.get_besides(OWNER) - needed - {layer}
    whole = runner.run_attack(attack, without=others)
    runner.restore()
    lacking = runner.run_attack(attack, without=others | {layer})
    runner.restore()
    assert whole == attack.get_stoppers(OWNER)[layer]
    assert lacking != whole


@pytest.mark.once
def test_without_no_new_privileges_the_kernel_takes_neither_filter_nor_landlock(runner: AttackRunner) -> None:
    attack = next(attack for attack in _RUNNING if attack.get_stoppers(OWNER).keys() >= {Layer.SECCOMP, Layer.LANDLOCK})
    needed = {Layer.SECCOMP, Layer.NO_CAPABILITIES, *find_needed_layers(Layer.NO_CAPABILITIES, OWNER)}
    whole = runner.run_attack(attack, without=ALL - needed - {Layer.NO_NEW_PRIVILEGES})
    lacking = runner.run_attack(attack, without=ALL - needed)
    runner.restore()
    assert whole == attack.get_stoppers(OWNER)[Layer.SECCOMP]
    assert lacking != whole


def skip_if_the_container_stops_it(runner: AttackRunner, attack: Attack, word: str) -> None:
    """Skip the test if a container itself stops the attack: the outcome is the same without our layers."""
    reason = explain_container_refusal(attack.id)
    if reason and runner.run_attack(attack, without=ALL) == word:
        pytest.skip(f"{reason}; tested on a host")


@pytest.mark.parametrize("attack", sample_attacks([each for each in _WITH_CONTROL if not each.get_stoppers(OWNER)]))
def test_in_one_process_with_the_grader_it_succeeds(runner: AttackRunner, attack: Attack) -> None:
    word = runner.run_in_one_process(attack)
    runner.restore()
    assert word in attack.get_outcomes("in one process", OWNER)


@pytest.mark.once
@pytest.mark.parametrize("attack", sample_attacks([each for each in _RUNNING if "without limit" in each.fields]))
def test_without_the_graders_limit_it_succeeds(
    runner: AttackRunner, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, outcome = attack.fields["without limit"].partition(": ")
    monkeypatch.setattr(limit, name, _NO_LIMIT)
    word = runner.run_attack(attack, seconds=_SECONDS_WITHOUT_LIMITS)
    runner.restore()
    assert word == outcome


@pytest.mark.once
def test_without_the_list_of_modules_a_worker_runs_a_program(
    runner: AttackRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preload, "_EXCLUDED", frozenset())
    assert runner.run_attack(next(attack for attack in ATTACKS if attack.id == "T32")) == "it ran"


@pytest.mark.parametrize("attack", sample_attacks(ANSWERS))
def test_a_hostile_answer_is_graded_as_it_declares(attack: Attack, tmp_path: Path) -> None:
    before = hash_protected_files()
    made = grade_attack(attack, tmp_path)
    assert made.word in attack.get_outcomes("outcome", OWNER)
    assert made.results["score"] == float(made.word.partition(" ")[0])
    assert ("INPUTS" in made.hidden_output) is ("not defended" in attack.fields)
    assert not _STEERS_TERMINALS.search(made.output)
    assert made.size < _REPORT_BYTES
    assert hash_protected_files() == before


@pytest.mark.parametrize("attack", sample_attacks([each for each in ANSWERS if "seconds" not in each.fields]))
def test_a_hostile_answer_gains_nothing_by_a_shared_worker(
    attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SharedWorkers, "try_first", lambda *_: None)
    assert grade_attack(attack, tmp_path).word in attack.get_outcomes("outcome", OWNER)


class TestAnswersWithoutADefence:
    """What stops a hostile answer is taken away, and it has its effect."""

    @pytest.mark.parametrize("name", ["G1", "G3"])
    def test_hidden_checks_show_inputs(self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        explain = judge._explain_loss
        monkeypatch.setattr(
            judge, "_explain_loss", lambda ending, *, limits, **_: explain(ending, shows_values=True, limits=limits)
        )
        assert "INPUTS" in grade_attack(find_answer(name), tmp_path).hidden_output

    def test_terminals_are_steered(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(plain_text, "_UNSAFE", re.compile("[\x00\ud800-\udfff]"))  # which JSON cannot hold
        assert _STEERS_TERMINALS.search(grade_attack(find_answer("G2"), tmp_path).output)

    @pytest.mark.parametrize("name", ["G25", "G33"])
    def test_every_reply_is_kept(self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for each in ("REPLIES_BYTES", "FEWEST_REPLIES_BYTES"):
            monkeypatch.setattr(limit, each, _NO_LIMIT)
        assert grade_attack(find_answer(name), tmp_path).word == "0 of 4: failed returned"


def find_answer(name: str) -> Attack:
    """Find a hostile answer by its id."""
    return next(each for each in ANSWERS if each.id == name)


def test_ids_are_unique_and_every_layer_is_tested() -> None:
    assert [name for name, count in Counter(attack.id for attack in _LOADED).items() if count > 1] == []
    tested = {layer for attack in ATTACKS for layer in attack.get_stoppers(OWNER)}
    assert LAYERS[f"{OWNER}, host"] - tested <= _TESTED_ONLY_AS_ROOT
    assert {layer for attack in _RUNNING for owner in (ROOT, USER) for layer in attack.get_stoppers(owner)} >= ALL
    assert any("in one process" in attack.fields for attack in ATTACKS)
