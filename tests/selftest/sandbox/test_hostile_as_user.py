"""If the self-tests run as root, the attacks and the tests of the layers also run as an ordinary user."""

import re

import pytest

from tests.selftest.support.other_user import NoOtherUserError, other_user

pytestmark = [pytest.mark.slow, pytest.mark.once]

SUITES = {"attacks": ("hostile",), "layers": ("client", "self_check", "landlock", "layers", "own_uid", "seccomp")}
_SECONDS = 400.0
_TOLD = re.compile(r"^(?:user, .* attacks, .*|SKIPPED .*)$", re.MULTILINE)


@pytest.mark.ci
@pytest.mark.parametrize("suite", SUITES)
def test_what_holds_for_root_holds_for_a_user(capsys: pytest.CaptureFixture[str], suite: str) -> None:
    files = [f"tests/selftest/sandbox/test_{name}.py" for name in SUITES[suite]]
    try:
        with other_user() as user:
            ended = user.run("-m", "pytest", "-q", "-rs", *files, timeout_s=_SECONDS)
    except NoOtherUserError as error:
        pytest.skip(f"no other user here: {error}")
    *_, last = ended.stdout.strip().splitlines()
    with capsys.disabled():
        print(f"\n{suite} as a user: {last}", *_TOLD.findall(ended.stdout), sep="\n")
    assert ended.returncode == 0, ended.stdout[-20_000:] + ended.stderr[-2_000:]
    assert " passed" in last
