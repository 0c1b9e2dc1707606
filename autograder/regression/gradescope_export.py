"""Gradescope export: turns the metadata of an export into submitters and published scores by submission.

The file is YAML written by Ruby, with symbols as keys. Its names and texts are student input. Missing fields and fields
of an unexpected type are ignored: the submissions can be graded without them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from autograder.plain_text import clean_line
from autograder.regression.scores import Scores, read_field, read_scores, read_text

METADATA = "submission_metadata.yml"
METADATA_BYTES = 256 << 20  # the metadata of 10,000 submissions with results has about 100 MB
_NAME_CHARACTERS = 100
_TIME = re.compile(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)")
_PLAIN_TYPES = ("null", "bool", "int", "float")


class MetadataError(Exception):
    """The metadata cannot be read; the text says why."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """One submitter of the export; fields that it does not have are empty."""

    name: str
    sid: str
    email: str


@dataclass(frozen=True)
class ExportedSubmission:
    """What an export tells of a submission. `published`: its scores on Gradescope; `attempts`: count of earlier ones.

    `submitted`: its time, with a zone; None if the export has none that can be read.
    """

    people: tuple[Person, ...] = ()
    published: Scores | None = None
    attempts: int = 0
    submitted: datetime | None = None


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

    # The version in C is a hundred times faster.
    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        # Without dates, values (=) and merge keys (<<): an invalid one would make the whole file unreadable.
        yaml_implicit_resolvers = {  # noqa: RUF012  (PyYAML declares it so)
            first: [(tag, pattern) for tag, pattern in resolvers if tag.rpartition(":")[2] in _PLAIN_TYPES]
            for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }
        # Without what refuses unknown objects: they are what they are written as.
        yaml_constructors = {tag: make for tag, make in yaml.SafeLoader.yaml_constructors.items() if tag}  # noqa: RUF012

    try:
        return yaml.load(data, Loader=Loader)  # noqa: S506  (it is the safe loader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        reason = clean_line(str(error), 200)
        raise MetadataError(f"{METADATA} is not the YAML that Gradescope writes: {reason}") from error


def _read_submission(fields: Mapping[Any, Any]) -> ExportedSubmission:
    people = tuple(_read_person(each) for each in _read_list(fields, "submitters") if isinstance(each, dict))
    results = read_field(fields, "results")
    published = read_scores(results if isinstance(results, dict) else {}, total=read_field(fields, "score"))
    submitted = _read_time(read_field(fields, "created_at"))
    return ExportedSubmission(people, published, len(_read_list(fields, "history")), submitted)


def _read_person(fields: Mapping[Any, Any]) -> Person:
    return Person(**{name: read_text(read_field(fields, name), _NAME_CHARACTERS) for name in ("name", "sid", "email")})


def _read_list(fields: Mapping[Any, Any], name: str) -> list[Any]:
    value = read_field(fields, name)
    return value if isinstance(value, list) else []


def _read_time(value: object) -> datetime | None:
    """Read a time as Ruby writes it, such as `2026-10-05 21:58:12.123456000 Z`, or in ISO 8601."""
    found = _TIME.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return None
    moment, zone = found.groups()
    try:
        sign = f"{zone[:3]}:{zone[-2:]}" if zone[0] in "+-" else "+00:00"
        return datetime.fromisoformat(f"{moment.replace(' ', 'T')}{sign}")
    except ValueError:  # such as the 30th of February
        return None
