"""Roster: turns a path (a folder of submissions, a zip or a Gradescope export) into the submissions of a class.

An entry has the name of its folder or file: untrusted text, which names its result in every run. A
submission is not read before its turn. It is packed then: turned into values that can be hashed and sent to another
process. Nothing is parsed, and a file that could not be read is kept as its error message, so that a packed submission
reads like the folder or zip that it was packed from.

The zip of a class is untrusted: a bad name, link or zip bomb must affect only the student who made it. It is read in
memory. A member whose name leads out of it is skipped; all others are read with the limits of a single submission.

The metadata of an export are YAML written by Ruby, with symbols as keys. Their names and texts are student input, and
fields that are missing or of an unexpected type are ignored: the submissions can be graded without them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from autograder import UserError
from autograder.assignment import Assignment
from autograder.machine import hide_paths
from autograder.plain_text import clean_line, list_some
from autograder.regression.class_results import Member, Person, StoredResult, name_member, read_field, read_text
from autograder.submission import SubmissionError, open_tree
from autograder.submission.file_tree import (
    FileError,
    FileTree,
    Listing,
    OpenTree,
    clean_path,
    drop_ignored,
    is_ignored_name,
    is_read,
    list_files,
    normalize_path,
    open_regular,
)
from autograder.submission.zip_archive import BoundedFile, is_archive, open_packed, open_zip, read_listed, read_member

SOURCE_BYTES = 32 << 20  # all source files of one submission: stops thousands of large files that no question uses
METADATA = "submission_metadata.yml"
METADATA_BYTES = 256 << 20  # the metadata of 10,000 submissions with results has about 100 MB
CLASS_BYTES = 64 << 30  # stops endless sparse files; a class has hundreds of megabytes
_DIRECTORY_BYTES = 64 << 20  # central directory: some 600,000 names at 600 bytes of memory each
_PACKED_BYTES = 64 << 20  # a student's own zip inside the zip
_DEPTH_OF_TOP = 3  # nested folders around the class that hold a single folder
_SUBMISSIONS = "a folder, a .zip, or a .py, .ipynb or .toml file in it"
_READ = (".py", ".ipynb", ".toml")  # the file types of answers
_SHOWN = 5  # names in a note
_EXPORTED = re.compile(r"submission_\d+")
_OF_TOOLS = re.compile(r"\._.*|\.(git|idea|vscode|venv|ipynb_checkpoints)")  # no submissions, which nobody misses
_PLAIN_TYPES = ("null", "bool", "int", "float")  # of YAML's values
_IS_UTF8 = 0x800
_Inner = tuple[str, zipfile.ZipInfo]


class RosterError(UserError):
    """The path holds no class of submissions; the text says what was found and what is expected."""


class MetadataError(Exception):
    """The metadata cannot be read; the text says why."""


@dataclass(frozen=True)
class ExportedSubmission:
    """What an export says of a submission. `published`: its result on Gradescope; None without a score."""

    people: tuple[Person, ...] = ()
    published: StoredResult | None = None


NOTHING_TOLD = ExportedSubmission()


@dataclass(frozen=True)
class PackedSubmission:
    """A submission as values that JSON can carry; it is a `FileTree`.

    `contents`: the bytes of source files as Latin-1, by path; `problems`: error messages of those that are unreadable.
    """

    listing: Listing
    contents: Mapping[str, str]
    problems: Mapping[str, str]

    def read(self, path: str) -> bytes:
        """Return the bytes of a listed source file; `FileError` if it could not be read."""
        if path in self.problems:
            raise FileError(self.problems[path])
        return self.contents[path].encode("latin-1")

    @cached_property
    def digest(self) -> str:
        """SHA-256 of every path and every source file's bytes: equal for equal submissions."""
        listed = [self.listing.paths, sorted(self.contents.items()), sorted(self.problems.items())]
        return hashlib.sha256(json.dumps(listed).encode("ascii")).hexdigest()


def decode_submission(fields: Mapping[str, Any]) -> PackedSubmission:
    """Return the packed submission whose fields were sent as JSON."""
    listing = Listing(tuple(fields["listing"].pop("paths")), **fields["listing"])
    return PackedSubmission(listing, fields["contents"], fields["problems"])


@dataclass(frozen=True)
class Entry:
    """One submission of the class. `pack` reads and packs its files, or raises a `SubmissionError`.

    `published`: its result on Gradescope, if the class is an export that has it.
    """

    member: Member
    pack: Callable[[], PackedSubmission]
    published: StoredResult | None


@dataclass(frozen=True)
class Roster:
    """The submissions in the order of their names, and one-line notes for staff about skipped files."""

    entries: tuple[Entry, ...]
    notes: tuple[str, ...]


@contextmanager
def read_roster(path: Path, assignment: Assignment) -> Iterator[Roster]:
    """Read the class at `path`; RosterError if there is none, SubmissionError if a zip cannot be opened."""
    name = clean_path(str(path))
    with ExitStack() as opened:
        if is_archive(path) and path.is_file():
            place = clean_path(path.name)
            descriptor = open_regular(str(path), CLASS_BYTES, place=place)
            roster = _read_zip(opened.enter_context(BoundedFile(descriptor, _DIRECTORY_BYTES)), place)
        elif path.is_dir():
            roster = _read_folder(_find_exported_folder(path))
        else:
            raise RosterError(
                f"{name}: is neither a folder nor a .zip; give a folder of submissions, or a Gradescope export"
            )
        if not roster.entries:
            told = f"holds no submission; each has to be {_SUBMISSIONS}"
            raise RosterError("; ".join((f"{name}: {told}", *roster.notes)))
        files = {name for question in assignment.questions for name in question.files}
        if _is_one_submission([entry.member.name for entry in roster.entries], files):
            raise RosterError(
                f"{name}: looks like one submission; give the folder that contains the submissions, "
                f"or grade it by `grade {name}`"
            )
        yield roster


def _is_one_submission(names: Collection[str], files: Collection[str]) -> bool:
    """Whether these are the files of one submission: plain files, some of which have names of questions."""
    lowered = {file.lower() for file in files}
    asked = [name for name in names if name.lower() in lowered]
    return bool(asked) and (all(map(is_read, names)) or len(asked) * 2 >= len(names))


def _find_exported_folder(path: Path) -> Path:
    """Find the folder with the metadata, which an unpacked export has one level down."""
    if (path / METADATA).exists():
        return path
    inner = [each.parent for each in path.glob(f"*/{METADATA}") if not is_ignored_name(each.parent.name)]
    return inner[0] if len(inner) == 1 else path


def _read_folder(folder: Path) -> Roster:
    with os.scandir(folder) as found:
        kinds = {entry.name: entry.is_dir(follow_symlinks=False) for entry in found}
    metadata = None
    if METADATA in kinds:
        limit, name = METADATA_BYTES, str(folder / METADATA)
        with open(open_regular(name, limit, place=METADATA), "rb") as file:
            metadata = file.read(limit)
    return _build_roster(kinds, partial(_pack_entry, folder), metadata)


def _pack_entry(folder: Path, name: str) -> PackedSubmission:
    """Pack a submission; SubmissionError, with a text that does not say where on this machine the class is."""
    try:
        with open_tree(folder / name, refuse_hard_links=True) as tree:
            return pack_tree(tree)
    except SubmissionError as error:
        raise SubmissionError(hide_paths(str(error), {clean_path(str(folder / name)): clean_path(name)})) from error


def _read_zip(file: BoundedFile, place: str) -> Roster:
    opened, members = open_zip(file, place)
    named = [(normalize_path(_read_name(member)), member) for member in members]
    found = [(path, member) for path, member in named if path]
    top = _find_top([path for path, _ in found])
    things: dict[str, list[_Inner]] = defaultdict(list)  # by name, the inner path of each member; "": itself
    for path, member in found:
        if path.startswith(top):
            name, _, inner = path[len(top) :].partition("/")
            things[name].append((inner, member))
    for member in opened.infolist():  # an empty folder is a submission, too
        path = normalize_path(_read_name(member)) or ""
        if member.is_dir() and path.startswith(top) and path:
            things.setdefault(path[len(top) :].partition("/")[0], [])
    metadata = None
    if METADATA in things:
        metadata = read_member(opened, things[METADATA][0][1], METADATA, limit=METADATA_BYTES)
    kinds = {}
    for name, within in things.items():
        kinds[name] = "" not in [inner for inner, _ in within]
    roster = _build_roster(kinds, lambda name: _pack_members(opened, name, things[name]), metadata)
    if len(found) == len(members):
        return roster
    skipped = f"{len(members) - len(found)} files were skipped: their names lead out of the zip"
    return replace(roster, notes=(*roster.notes, skipped))


def _read_name(member: zipfile.ZipInfo) -> str:
    """Read the name of a member: without the flag, Python takes it for DOS's, where many programs write UTF-8."""
    with suppress(UnicodeError):
        if not member.flag_bits & _IS_UTF8:
            return member.orig_filename.encode("cp437").decode()
    return member.orig_filename


def _pack_members(opened: zipfile.ZipFile, name: str, within: list[_Inner]) -> PackedSubmission:
    """Pack one submission of the zip, a folder, a file or a zip; it ignores the same paths as a folder on disk."""
    alone = [member for inner, member in within if not inner]
    if len(alone) > 1:
        raise SubmissionError(f"{clean_path(name)}: two files of this name are in the zip; remove one of them")
    if alone and name.lower().endswith(".zip"):
        packed = io.BytesIO(read_member(opened, alone[0], clean_path(name), limit=_PACKED_BYTES))
        return pack_tree(open_packed(packed, clean_path(name)))
    files = [(name, alone[0])] if alone else within
    listing = list_files(drop_ignored(path for path, _ in files), ())
    return pack_tree(OpenTree(listing, partial(read_listed, opened, dict(files))))


def _find_top(paths: list[str]) -> str:
    """Find the folder around the class: a single folder that holds everything, and has folders or zips inside."""
    top = ""
    kept = drop_ignored(paths)
    for _ in range(_DEPTH_OF_TOP):
        inner = [path[len(top) :] for path in kept]
        folders = {path.partition("/")[0] for path in inner}
        if len(folders) != 1 or not all("/" in path for path in inner):
            break
        below = [path.partition("/")[2] for path in inner]
        if not any("/" in path or path.lower().endswith(".zip") for path in below):
            break
        top += folders.pop() + "/"
    return top


def _build_roster(kinds: Mapping[str, bool], pack: Callable[[str], PackedSubmission], metadata: bytes | None) -> Roster:
    """Choose the submissions; `kinds`: whether each thing in the class is a folder, by its name."""
    people: dict[str, ExportedSubmission] = {}
    notes = []
    possible = [name for name, is_folder in kinds.items() if is_folder or is_read(name) or is_archive(Path(name))]
    taken = [name for name in possible if not is_ignored_name(name)]
    if metadata is not None:
        try:
            people = read_export_metadata(metadata)
        except MetadataError as error:
            notes.append(f"{error}; names and published scores are missing")
        taken = [name for name in taken if name in people or _EXPORTED.fullmatch(name)]
        notes += _describe_mismatches(people, taken)
        notes += _describe_repeated(people[name] for name in taken if name in people)
    ignored = [name for name in {*kinds}.difference(taken, [METADATA]) if not is_ignored_name(name)]
    if ignored:
        notes.append(f"skipped, because they are not submissions: {_list_some(ignored)}")
    hidden = [name for name in possible if name.startswith(".") and not _OF_TOOLS.fullmatch(name)]
    if hidden:
        notes.append(f"skipped, because their names begin with a dot; rename them to grade them: {_list_some(hidden)}")
    entries = []
    for name in sorted(taken):
        told = people.get(name, NOTHING_TOLD)
        entries.append(Entry(name_member(name, told.people), partial(pack, name), told.published))
    if len(taken) == 1:
        notes.append(f"there is one submission, {_list_some(taken)}; if this is the folder of the class, give its path")
    _require_own_files(entries)
    return Roster(tuple(entries), tuple(notes))


def _require_own_files(entries: Sequence[Entry]) -> None:
    """Raise RosterError if two names would share a file, where capital letters do not count in names of files."""
    owners: dict[str, Member] = {}
    for entry in entries:
        owner = owners.setdefault(entry.member.file.lower(), entry.member)
        if owner is not entry.member:
            both = f"{owner.name!r} and {entry.member.name!r}"
            raise RosterError(f"{both} would share the file of their results; rename one of them")


def _describe_mismatches(people: dict[str, ExportedSubmission], taken: Collection[str]) -> Iterable[str]:
    without_files = sorted(set(people).difference(taken))
    without_people = sorted(set(taken).difference(people)) if people else []
    if without_files:
        yield f"in {METADATA} but without a folder, so not graded: {_list_some(without_files)}"
    if without_people:
        yield f"not in {METADATA}, so graded without a name: {_list_some(without_people)}"


def _describe_repeated(submissions: Iterable[ExportedSubmission]) -> Iterable[str]:
    """Name those who have several rows in a gradebook, which keeps one of them."""
    counts: Counter[str] = Counter()
    for submission in submissions:
        counts.update(person.email or person.sid for person in submission.people)
    repeated = [who for who, count in counts.items() if who and count > 1]
    if repeated:
        yield f"in more than one submission, so with a row for each in gradebooks: {_list_some(repeated)}"


def _list_some(names: Collection[str]) -> str:
    return list_some([clean_path(name) for name in sorted(names)], _SHOWN)


def pack_tree(tree: FileTree) -> PackedSubmission:
    """Pack an open submission; if its files are too large together, those nearest to the top are kept."""
    contents: dict[str, str] = {}
    problems: dict[str, str] = {}
    left = SOURCE_BYTES
    read = (path for path in tree.listing.paths if path.lower().endswith(_READ))
    for path in sorted(read, key=lambda each: (each.count("/"), each)):
        try:
            data = tree.read(path) if left else b""
        except FileError as error:
            problems[path] = str(error)
            continue
        if not left or len(data) > left:
            left = 0
            problems[path] = (
                f"{clean_path(path)}: was left out: the source files are larger than {SOURCE_BYTES >> 20} MiB"
            )
        else:
            contents[path] = data.decode("latin-1")
            left -= len(data)
    return PackedSubmission(tree.listing, contents, problems)


def read_export_metadata(data: bytes) -> dict[str, ExportedSubmission]:
    """Read the metadata of each submission, by the name of its folder; MetadataError for invalid YAML."""
    found = _load_yaml(data)
    if not isinstance(found, dict):
        raise MetadataError(f"{METADATA} is not the YAML that Gradescope writes: it holds no submissions")
    return {str(name): _read_submission(fields) for name, fields in found.items() if isinstance(fields, dict)}


def _load_yaml(data: bytes) -> object:
    """Load it by the safe loader, with Ruby's objects as plain mappings, lists and texts."""
    import yaml  # noqa: PLC0415  (a megabyte, and only for exports)

    plain = {}
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items():
        plain[first] = [(tag, pattern) for tag, pattern in resolvers if tag.rpartition(":")[2] in _PLAIN_TYPES]
    made = {tag: make for tag, make in yaml.SafeLoader.yaml_constructors.items() if tag}

    # The version in C is a hundred times faster.
    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        # Without dates, values (=) and merge keys (<<): an invalid one would make the whole file unreadable.
        yaml_implicit_resolvers = plain
        # Without what refuses unknown objects: they are what they are written as.
        yaml_constructors = made

    try:
        return yaml.load(data, Loader=Loader)  # noqa: S506  (it is the safe loader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        reason = clean_line(str(error), 200)
        raise MetadataError(f"{METADATA} is not the YAML that Gradescope writes: {reason}") from error


def _read_submission(fields: Mapping[Any, Any]) -> ExportedSubmission:
    listed, results = read_field(fields, "submitters"), read_field(fields, "results")
    submitters = listed if isinstance(listed, list) else []
    people = tuple(_read_person(submitter) for submitter in submitters if isinstance(submitter, dict))
    graded = results if isinstance(results, dict) else {}
    published = StoredResult({**graded, ":score": read_field(fields, "score")})
    return ExportedSubmission(people, None if published.total is None else published)


def _read_person(fields: Mapping[Any, Any]) -> Person:
    name, sid, email = (read_text(read_field(fields, key)) for key in ("name", "sid", "email"))
    return Person(name=name, sid=sid, email=email)
