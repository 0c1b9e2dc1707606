"""Docker engine: uses the running engine, or installs and starts one for the tests and stops it afterwards."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

_DISK = "/var/tmp"  # an engine cannot keep its images in memory, which /tmp may be
_PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"  # engines and debootstrap are programs for administrators
# A new machine may still be installing packages; without a network there is no reason to wait.
_APT = ("-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1")
_START_S = 60.0
_NONE: Mapping[str, str] = MappingProxyType({})


class NoDockerError(Exception):
    """Containers are not available here; the text gives the reason."""


@dataclass(frozen=True)
class Docker:
    """The command line of an engine; `host` is empty for the engine that the machine's settings name."""

    host: str = ""

    def run(self, *arguments: str, given: bytes | None = None, timeout_s: float = 60.0) -> bytes:
        """Run a command and return its output; RuntimeError with the end of the output if it fails."""
        ended = self.try_run(*arguments, given=given, timeout_s=timeout_s)
        if ended.returncode:
            end = (ended.stdout + ended.stderr)[-8000:].decode(errors="replace")
            raise RuntimeError(f"docker {arguments[0]} ended with {ended.returncode}:\n{end}")
        return ended.stdout

    def try_run(
        self, *arguments: str, given: bytes | None = None, timeout_s: float = 60.0, settings: Mapping[str, str] = _NONE
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command and return its outputs and exit status; `settings` are added to its environment."""
        where = ("--host", self.host) if self.host else ()
        command = (find_program("docker"), *where, *arguments)
        source = {"stdin": subprocess.DEVNULL} if given is None else {"input": given}
        environment = {**os.environ, **settings}
        return subprocess.run(command, capture_output=True, timeout=timeout_s, check=False, env=environment, **source)

    def answers(self) -> bool:
        """Tell whether an engine answers."""
        return self.try_run("version", timeout_s=30.0).returncode == 0


@contextmanager
def docker_engine() -> Iterator[Docker]:
    """Yield an engine; NoDockerError if none runs and none can be started."""
    if not _runs_already():
        require_root("no Docker engine answers, and to start one")
        install("dockerd", "docker.io")
        install("docker", "docker-cli")  # a separate package only in later releases
    if _runs_already():
        yield Docker()
    else:
        with _started() as docker:
            yield docker


def _runs_already() -> bool:
    return shutil.which("docker", path=_PATH) is not None and Docker().answers()


def require_root(purpose: str) -> None:
    """Raise NoDockerError unless the user is root."""
    if os.getuid() != 0:
        raise NoDockerError(f"{purpose} needs root")


def install(program: str, package: str) -> None:
    """Install a missing program with the system's package manager."""
    if shutil.which(program, path=_PATH):
        return
    if not shutil.which("apt-get"):
        raise NoDockerError(f"{program} is not installed, and there is no apt-get")
    settings = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = ("apt-get", "-q", *_APT)
    for command in (("update",), ("install", "-y", "--no-install-recommends", package)):
        ended = subprocess.run([*apt, *command], capture_output=True, text=True, env=settings, check=False)
    if ended.returncode or not shutil.which(program, path=_PATH):
        raise NoDockerError(f"{package} could not be installed: {ended.stderr.strip()[-300:]}")


def find_program(name: str) -> str:
    """Find the path of a program, including those for administrators."""
    path = shutil.which(name, path=_PATH)
    if path is None:
        raise NoDockerError(f"{name} is not installed")
    return path


@contextmanager
def _started() -> Iterator[Docker]:
    """Start an engine without a bridge and firewall rules, so that the machine's network is not changed."""
    with _folder() as folder:
        docker = Docker(f"unix://{folder}/socket")
        options = ("--bridge=none", "--iptables=false", f"--host={docker.host}", f"--data-root={folder}/images")
        places = (f"--exec-root={folder}/exec", f"--pidfile={folder}/pid")
        with (folder / "log").open("wb") as log:
            engine = subprocess.Popen([find_program("dockerd"), *options, *places], stdout=log, stderr=log)
        try:
            _wait_for(docker, engine, folder / "log")
            yield docker
        finally:
            engine.terminate()
            engine.wait(60)
            for mounted in folder.glob("exec/netns/*"):  # an engine does not remove the mount of its network
                subprocess.run([find_program("umount"), mounted], check=False)


@contextmanager
def _folder() -> Iterator[Path]:
    """Create a folder for all files of an engine, and remove it at the end."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="dockerd-", dir=_DISK)
    except OSError as error:
        raise NoDockerError(f"the images of an engine would be kept in {_DISK}: {error.strerror}") from error
    with folder as name:
        yield Path(name)


def _wait_for(docker: Docker, engine: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_S
    while not docker.answers():
        if engine.poll() is not None or time.monotonic() > deadline:
            end = log.read_text(errors="replace").strip().splitlines()[-1:]
            raise NoDockerError(f"the Docker engine does not start: {''.join(end)[-300:]}")
        time.sleep(0.2)
