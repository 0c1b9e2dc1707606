"""Systems that refuse system calls: missing layers are reported with their reasons, and the rest usually suffices."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import pytest

from autograder.sandbox.protocol.layers import SELF_CHECK, Layer, LayerReport, list_missing_for_strict
from tests.selftest.support.hostile_environment import NAMESPACES, find_refused_layers
from tests.selftest.support.other_user import NoOtherUserError, OtherUser, other_user
from tests.selftest.support.toy_assignment import PROJECT

CONTAINER = ("unshare:EPERM", "mount:EPERM", "mount_setattr:EPERM")
OLD_KERNEL = ("landlock_create_ruleset:ENOSYS",)

_IS_WHOLE = pytest.mark.skipif(bool(find_refused_layers()), reason="this system itself allows less")
pytestmark = [pytest.mark.slow, pytest.mark.once, _IS_WHOLE]


@pytest.fixture(scope="module")
def user() -> Iterator[OtherUser]:
    """Yield a user that is not root."""
    try:
        with other_user() as found:
            yield found
    except NoOtherUserError as error:
        pytest.skip(f"no other user here: {error}")


def reports_of_root(*refused: str) -> dict[str, LayerReport]:
    """Run the self-check as root with these calls refused."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        command = [sys.executable, "-B", "-m", "tests.selftest.support.refused_syscalls", folder, *refused]
        ran = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60, check=False)
    return reports_in(ran)


def reports_of(user: OtherUser, *refused: str) -> dict[str, LayerReport]:
    """Run the self-check as the user with these calls refused."""
    return reports_in(user.run("-m", "tests.selftest.support.refused_syscalls", str(user.folder), *refused))


def reports_in(ran: subprocess.CompletedProcess[str]) -> dict[str, LayerReport]:
    """Parse the printed reports."""
    assert ran.returncode == 0, ran.stderr
    return {name: LayerReport(name, active, reason) for name, active, reason in json.loads(ran.stdout)}


def missing(reports: dict[str, LayerReport]) -> set[Layer]:
    """Return the inactive layers."""
    return {Layer(report.name) for report in reports.values() if not report.is_active and report.name != SELF_CHECK}


needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")


@pytest.mark.sampled(second=1)
@needs_root
@pytest.mark.parametrize(
    ("refused", "absent"),
    [
        ((), set()),
        (CONTAINER, NAMESPACES - {Layer.USER_NAMESPACE}),
        ((*CONTAINER, *OLD_KERNEL), NAMESPACES - {Layer.USER_NAMESPACE} | {Layer.LANDLOCK}),
        (
            (*CONTAINER, *OLD_KERNEL, "chroot:EPERM"),
            NAMESPACES - {Layer.USER_NAMESPACE} | {Layer.LANDLOCK, Layer.EMPTY_ROOT},
        ),
        (("mount_setattr:ENOSYS",), {Layer.MOUNT_NAMESPACE}),
    ],
    ids=["host", "container", "container on an old kernel", "container without chroot", "kernel before 5.12"],
)
def test_root_is_strong_enough_everywhere(refused: tuple[str, ...], absent: set[Layer]) -> None:
    reports = reports_of_root(*refused)
    assert missing(reports) == absent
    assert not list_missing_for_strict(reports.values())
    assert reports[SELF_CHECK].is_active


@pytest.mark.ci
@pytest.mark.parametrize(
    ("refused", "absent"),
    [
        ((), {Layer.OWN_USER}),
        (OLD_KERNEL, {Layer.OWN_USER, Layer.LANDLOCK}),
        (CONTAINER, {Layer.OWN_USER, Layer.EMPTY_ROOT} | NAMESPACES),
    ],
    ids=["host", "host on an old kernel", "container"],
)
def test_a_user_is_strong_enough_almost_everywhere(
    user: OtherUser, refused: tuple[str, ...], absent: set[Layer]
) -> None:
    reports = reports_of(user, *refused)
    assert missing(reports) == absent
    assert not list_missing_for_strict(reports.values())


@pytest.mark.ci
def test_a_user_in_a_container_on_an_old_kernel_has_no_barrier_before_files(user: OtherUser) -> None:
    reports = reports_of(user, *CONTAINER, *OLD_KERNEL)
    (lack,) = list_missing_for_strict(reports.values())
    assert lack == (
        "own user (only root can give a worker its own user)"
        " or empty root folder (Operation not permitted)"
        " or Landlock (landlock_create_ruleset: Function not implemented)"
    )


@needs_root
def test_a_kernel_without_seccomp_is_not_enough() -> None:
    reports = reports_of_root("seccomp:ENOSYS")
    lacks = list_missing_for_strict(reports.values())
    assert lacks[0] == "seccomp filter (seccomp: Function not implemented)"
    assert lacks[1].startswith(f"{SELF_CHECK} (not stopped: start a process")
