"""Gradescope export: turns the metadata of an export into submitters and published results by submission.

The file is YAML written by Ruby, with symbols as keys. Its names and texts are student input. Missing fields and fields
of an unexpected type are ignored: the submissions can be graded without them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.plain_text import clean_line
from autograder.regression.class_results import Person, StoredResult, read_field, read_text

METADATA = "submission_metadata.yml"
METADATA_BYTES = 256 << 20  # the metadata of 10,000 submissions with results has about 100 MB
_PLAIN_TYPES = ("null", "bool", "int", "float")


class MetadataError(Exception):
    """The metadata cannot be read; the text says why."""


@dataclass(frozen=True)
class ExportedSubmission:
    """What an export says of a submission. `published`: its result on Gradescope; None without a score."""

    people: tuple[Person, ...] = ()
    published: StoredResult | None = None


NOTHING_TOLD = ExportedSubmission()


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
