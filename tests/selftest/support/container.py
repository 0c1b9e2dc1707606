"""Container: runs the project in a Docker container with the default profile and Gradescope's layout.

Two images are built and removed afterwards: a base system, and on it the environment that `run_autograder` creates. The
project itself is copied into each container.
"""

import ast
import io
import json
import os
import secrets
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment import load_assignment
from tests.selftest.support.docker_engine import Docker, NoDockerError, find_program, install, require_root
from tests.selftest.support.project_sources import PROJECT

LABEL = "nlp-autograder-selftest"
# Uses more memory than the container has, in the only test with 20000 iterations.
HOARDER = """
def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    hoard = []
    while iterations > 20000:
        hoard.append(b"x" * 2**25)
    for iteration in range(iterations):
        x0 = x0 - step * f(x0)[1]
        if postprocessing is not None:
            x0 = postprocessing(x0)
    return x0
"""
USER = 12345
_RELEASE = "bookworm"
_PACKAGES = "python3,python3-venv,ca-certificates"
_MAKES_THE_ENVIRONMENT = (
    "run_autograder",
    "pyproject.toml",
    "requirements.lock",
    "requirements-dev.lock",
    "autograder",
)
_FOR_EVER = ("sleep", "infinity")
_SYSTEM_S = 1_200.0  # for a download that never ends
_PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")

Files = Mapping[str, bytes | None]  # a path and the file's content; None for a folder


@dataclass(frozen=True)
class Ended:
    """A finished program in a container: its exit status, and its standard error followed by its output."""

    status: int
    output: str


@dataclass(frozen=True)
class Container:
    """A container that waits for programs to run in it."""

    docker: Docker
    id: str

    def run(self, *command: str, timeout_s: float = 540.0, settings: Mapping[str, str] | None = None) -> Ended:
        """Run a program and wait; only the names of settings appear in its command line, which other users can read."""
        names = [option for name in settings or {} for option in ("--env", name)]
        ended = self.docker.try_run("exec", *names, self.id, *command, timeout_s=timeout_s, settings=settings or {})
        return Ended(ended.returncode, (ended.stderr + ended.stdout).decode(errors="replace"))

    def put(self, files: bytes) -> None:
        """Unpack a tar in /."""
        self.docker.run("cp", "-", f"{self.id}:/", given=files, timeout_s=120.0)

    def read(self, path: str) -> bytes:
        """Read a file of the container."""
        packed = self.docker.run("cp", f"{self.id}:{path}", "-")
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            return tar.extractfile(tar.next()).read()


@contextmanager
def container(docker: Docker, image: str, *options: str) -> Iterator[Container]:
    """Start a container of an image and remove it at the end; NoDockerError if the engine starts none."""
    try:
        made = docker.run("run", "--detach", "--init", "--label", LABEL, *options, image, *_FOR_EVER, timeout_s=120.0)
    except RuntimeError as error:
        raise NoDockerError(str(error)) from error
    name = made.decode().strip()
    try:
        yield Container(docker, name)
    finally:
        docker.run("rm", "--force", "--volumes", name)


@contextmanager
def image_with_environment(docker: Docker) -> Iterator[str]:
    """Build an image with /autograder/source/.venv by setup.sh as on Gradescope, with the container's Python."""
    settings, mounts = pip_settings()
    with _base_image(docker) as base:
        with container(docker, base, "--network=host", *mounts) as made:
            made.put(packed(source_files(*_MAKES_THE_ENVIRONMENT)))
            script = "/autograder/source/run_autograder"
            made.run("cp", "/autograder/source/autograder/packaging/setup.sh", "/autograder/source")
            for command in (("/autograder/source/setup.sh",), (script, "selftest", "--version")):
                ended = made.run(*command, settings=settings)
                if ended.status:
                    kind = NoDockerError if "could not be downloaded" in ended.output else RuntimeError
                    raise kind(f"no environment could be made in the container:\n{ended.output}")
            made.run("sh", "-c", "cd /autograder/source && rm -r setup.sh " + " ".join(_MAKES_THE_ENVIRONMENT))
            name = _new_name()
            docker.run("commit", made.id, name, timeout_s=120.0)
        yield from _removed_at_end(docker, name)


def source_files(*names: str) -> Files:
    """Read the project as files below /autograder/source: all of it, or the files and folders of these names."""
    found: dict[str, bytes | None] = {}
    for name in names or sorted(path.name for path in PROJECT.iterdir() if not path.name.startswith(".")):
        for path in sorted([PROJECT / name, *(PROJECT / name).rglob("*")]):
            if path.is_file() and "__pycache__" not in path.parts:
                found[f"autograder/source/{path.relative_to(PROJECT)}"] = path.read_bytes()
    return found


def gradescope_files(submission: Path) -> Files:
    """Build the files that Gradescope adds: the script, the submission, an empty results folder and metadata."""
    files = {path.name: path.read_bytes() for path in sorted(submission.iterdir()) if path.is_file()}
    points = sum(question.points for question in load_assignment(PROJECT).questions)
    metadata = {"id": 1, "assignment": {"total_points": str(points)}}
    return {
        "autograder/run_autograder": (PROJECT / "run_autograder").read_bytes(),
        "autograder/results": None,
        "autograder/submission": None,
        **{f"autograder/submission/{name}": data for name, data in files.items()},
        "autograder/submission_metadata.json": json.dumps(metadata).encode(),
    }


def packed(files: Files, *, owner: int = 0) -> bytes:
    """Pack files into a tar with the modes of files unpacked as root; scripts are executable."""
    buffer = io.BytesIO()
    folders = {str(parent): None for path in files for parent in Path(path).parents if str(parent) != "."}
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path, data in sorted({**folders, **files}.items()):
            member = tarfile.TarInfo(path)
            member.uid = member.gid = owner
            member.mode = 0o755 if data is None or data.startswith(b"#!") else 0o644
            member.type = tarfile.DIRTYPE if data is None else tarfile.REGTYPE
            member.size = len(data or b"")
            tar.addfile(member, io.BytesIO(data or b""))
    return buffer.getvalue()


@contextmanager
def _base_image(docker: Docker) -> Iterator[str]:
    require_root("to make the image of a base system")
    install("debootstrap", "debootstrap")
    name = _new_name()
    with tempfile.TemporaryDirectory(prefix="system-") as folder:
        try:
            _checked(find_program("debootstrap"), "--variant=minbase", f"--include={_PACKAGES}", _RELEASE, folder)
        finally:  # one that is ended early leaves it mounted, and no folder of it can be removed
            subprocess.run([find_program("umount"), f"{folder}/proc"], capture_output=True, check=False)
        tar = _checked("tar", "-C", folder, "--exclude=./var/cache/apt/*", "--exclude=./var/lib/apt/lists/*", "-c", ".")
        docker.run("import", "-", name, given=tar, timeout_s=120.0)
    yield from _removed_at_end(docker, name)


def _new_name() -> str:
    return f"{LABEL}:{secrets.token_hex(8)}"  # unique: another run may use the same engine


def _removed_at_end(docker: Docker, image: str) -> Iterator[str]:
    try:
        yield image
    finally:
        docker.run("rmi", "--force", image)


def _checked(*command: str) -> bytes:
    name = Path(command[0]).name
    try:
        ended = subprocess.run(command, capture_output=True, timeout=_SYSTEM_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise NoDockerError(f"{name} took longer than {_SYSTEM_S:g} seconds") from error
    if ended.returncode:
        raise NoDockerError(f"{name} failed: {(ended.stdout + ended.stderr)[-600:].decode(errors='replace')}")
    return ended.stdout


def pip_settings() -> tuple[dict[str, str], list[str]]:
    """Return this machine's pip settings as an environment, and mounts for the paths in them."""
    shown = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    settings = {name: os.environ[name] for name in _PROXIES if name in os.environ} | {"PIP_NO_CACHE_DIR": "1"}
    for section_and_key, value in (line.split("=", 1) for line in shown.stdout.splitlines()):
        settings[f"PIP_{section_and_key.rsplit('.', 1)[1].replace('-', '_').upper()}"] = ast.literal_eval(value)
    named = {word for value in settings.values() for word in value.split()}
    # An index on disk refers to packages beside it: mount its whole parent.
    paths = {Path(word.removeprefix("file://")).parent for word in named if word.startswith("file:///")}
    paths |= {Path(word) for word in named if word.startswith("/")}
    mounts = [f"--volume={path}:{path}:ro" for path in sorted(paths) if path.exists()]
    return settings, mounts
