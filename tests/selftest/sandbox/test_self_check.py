"""Attacks on this machine confirm every layer that is reported as active; a strict run requires this."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.self_check import Attack, Targets, WeakSandboxError, require_strength, run_self_check
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol.layers import (
    OPEN_FILES,
    SELF_CHECK,
    Layer,
    LayerReport,
    combine_reports,
    list_missing_for_strict,
)
from tests.selftest.support.hostile_environment import NAMESPACES

pytestmark = pytest.mark.slow

EVERYTHING = (*(LayerReport(layer.value, True, "") for layer in Layer), LayerReport(SELF_CHECK, True, "all stopped"))


@pytest.fixture
def targets(tmp_path: Path) -> Iterator[Targets]:
    """Create a world-readable file and a folder; no attack may leave anything behind."""
    tmp_path.chmod(0o755)
    (tmp_path / "source").write_text("secret")
    (tmp_path / "results").mkdir()
    yield Targets(tmp_path / "source", tmp_path / "results")
    assert os.listdir(tmp_path / "results") in ([], ["self-check"])
    assert (tmp_path / "source").read_text() == "secret"


def without(*layers: str, reason: str = "too old") -> tuple[LayerReport, ...]:
    """Return reports of all layers, with these missing."""
    return tuple(report._replace(is_active=report.name not in layers, reason=reason) for report in EVERYTHING)


def test_every_layer_that_the_kernel_reports_holds(zygote: Zygote, targets: Targets) -> None:
    worker = zygote.spawn(Limits(), preload=())
    worker.close()
    checked = {report.name: report.is_active for report in run_self_check(zygote, targets)}
    assert checked == {report.name: report.is_active for report in worker.layers} | {SELF_CHECK: True}


def test_namespaces_that_are_not_there_are_not_claimed(targets: Targets) -> None:
    with Zygote(without=NAMESPACES) as zygote:
        checked = {report.name: report.is_active for report in run_self_check(zygote, targets)}
    assert not any(checked.get(layer.value) for layer in NAMESPACES)
    assert checked[SELF_CHECK]


def test_a_layer_whose_attack_succeeds_is_not_called_active(targets: Targets) -> None:
    class Leaky(Zygote):
        """Workers that report seccomp without having it: a kernel that accepts the filter and ignores it."""

        def spawn(self, limits, *, preload, without=frozenset()):  # type: ignore[no-untyped-def]
            worker = super().spawn(limits, preload=preload, without=without | {Layer.SECCOMP})
            worker.layers = [
                report._replace(is_active=True) if report.name == Layer.SECCOMP.value else report
                for report in worker.layers
            ]
            return worker

    with Leaky(without=NAMESPACES) as zygote:
        checked = {report.name: report for report in run_self_check(zygote, targets)}
    assert not checked[Layer.SECCOMP.value].is_active
    assert checked[Layer.SECCOMP.value].reason == "tried: start a process succeeded"
    assert not checked[SELF_CHECK].is_active
    assert "start a process" in checked[SELF_CHECK].reason


@pytest.mark.parametrize("left_behind", ["", "self-check"], ids=["empty folder", "file of another run"])
def test_without_any_layer_every_attack_is_seen_to_succeed(targets: Targets, left_behind: str) -> None:
    class Open(Zygote):
        """Workers without any layer."""

        def spawn(self, limits, *, preload, without=frozenset()):  # type: ignore[no-untyped-def]
            return super().spawn(limits, preload=preload, without=frozenset(Layer))

    if left_behind:
        (targets.folder / left_behind).touch()
    succeed = [attack.value for attack in Attack if attack is not Attack.BECOME_ROOT or os.getuid() == 0]
    with Open(without=NAMESPACES) as zygote:
        *_, together = run_self_check(zygote, targets)
    assert together == (SELF_CHECK, False, f"not stopped: {', '.join(succeed)}")


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives workers a user of their own")
def test_a_user_of_its_own_is_no_barrier_before_open_files(zygote: Zygote) -> None:
    with tempfile.TemporaryDirectory() as folder:  # pytest's folder is closed to other users
        targets = Targets(Path(folder, "source"), Path(folder))
        targets.folder.chmod(0o755)
        targets.source.write_text("open to all")
        for mode, reason in ((0o644, OPEN_FILES), (0o600, "")):
            targets.source.chmod(mode)
            assert (Layer.OWN_USER.value, True, reason) in run_self_check(zygote, targets)


class TestStrength:
    def test_everything_is_enough_and_namespaces_are_not_indispensable(self) -> None:
        require_strength(EVERYTHING)
        require_strength(without(*(layer.value for layer in NAMESPACES)))

    @pytest.mark.parametrize("layer", [Layer.PROCESS.value, Layer.LIMITS.value, Layer.SECCOMP.value, SELF_CHECK])
    def test_an_indispensable_layer_is_named_with_the_reason(self, layer: str) -> None:
        with pytest.raises(WeakSandboxError, match=rf"this machine lacks {layer} \(too old\)"):
            require_strength(without(layer))

    @pytest.mark.parametrize("left", [Layer.OWN_USER, Layer.LANDLOCK, Layer.EMPTY_ROOT])
    def test_one_barrier_before_files_is_enough(self, left: Layer) -> None:
        barriers = {Layer.OWN_USER.value, Layer.LANDLOCK.value, Layer.EMPTY_ROOT.value}
        assert not list_missing_for_strict(without(*barriers - {left.value}))
        assert list_missing_for_strict(without(*barriers)) == (
            "own user (too old) or empty root folder (too old) or Landlock (too old)",
        )

    def test_a_user_of_its_own_that_hides_nothing_is_not(self) -> None:
        reports = without(Layer.LANDLOCK.value, Layer.EMPTY_ROOT.value)
        assert not list_missing_for_strict(reports)
        (missing,) = list_missing_for_strict(
            report._replace(reason=OPEN_FILES) if report.name == Layer.OWN_USER.value else report for report in reports
        )
        assert "own user (does not close files that every user may read)" in missing

    def test_what_a_later_worker_lacks_is_reported(self) -> None:
        seen = [LayerReport(Layer.LANDLOCK.value, False, "gone"), LayerReport("other", True, "")]
        reports = {report.name: report for report in combine_reports(EVERYTHING, seen)}
        assert reports[Layer.LANDLOCK.value] == seen[0]
        assert reports["other"] == seen[1]
        assert reports[Layer.SECCOMP.value].is_active
