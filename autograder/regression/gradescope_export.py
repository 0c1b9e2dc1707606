"""People: turns the metadata of a Gradescope export into who handed in what, and what Gradescope published for it.

The file is YAML as Ruby writes it, with symbols as keys. Names and texts in it are students'. Whatever is missing or of
another type than expected is taken as not there: the submissions can be graded without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from autograder.plain_text import clean_line
from autograder.regression.scores import Scores, read_field, read_scores

METADATA = "submission_metadata.yml"
METADATA_BYTES = 256 << 20  # 10,000 submissions with their results have about 100 MB
_NAME_CHARACTERS = 100
_PLAIN_TYPES = ("null", "bool", "int", "float")


class MetadataError(Exception):
    """The metadata cannot be read; the text says why."""


@dataclass(frozen=True)
class Person:
    """One submitter; empty texts where the export does not say."""

    name: str
    sid: str
    email: str


@dataclass(frozen=True)
class ExportedSubmission:
    """One submission of the export. `published`: what Gradescope has as its result; `attempts`: earlier ones."""

    people: tuple[Person, ...]
    published: Scores | None
    attempts: int


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # the one in C is a hundred times faster
    """The safe loader, which takes Ruby's objects as the plain mappings, lists and texts that they are written as."""

    # Without dates, which may be wrong, and without signs for values and merging: each would void the whole file.
    yaml_implicit_resolvers = {  # noqa: RUF012  (PyYAML declares it so)
        first: [(tag, pattern) for tag, pattern in resolvers if tag.rpartition(":")[2] in _PLAIN_TYPES]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def _convert_node(loader: Any, suffix: str, node: yaml.Node) -> object:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


_Loader.add_multi_constructor("!", _convert_node)


def read_export_metadata(data: bytes) -> dict[str, ExportedSubmission]:
    """By the name of its folder what the metadata says of each submission; MetadataError where it is no YAML."""
    try:
        found = yaml.load(data, Loader=_Loader)  # noqa: S506  (it is the safe loader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        reason = clean_line(str(error), 200)
        raise MetadataError(f"{METADATA} is not the YAML that Gradescope writes: {reason}") from error
    if not isinstance(found, dict):
        raise MetadataError(f"{METADATA} is not the YAML that Gradescope writes: it holds no submissions")
    return {str(name): _read_submission(fields) for name, fields in found.items() if isinstance(fields, dict)}


def _read_submission(fields: Mapping[Any, Any]) -> ExportedSubmission:
    people = tuple(_read_person(each) for each in _read_list(fields, "submitters") if isinstance(each, dict))
    results = read_field(fields, "results")
    published = read_scores(results if isinstance(results, dict) else {}, total=read_field(fields, "score"))
    return ExportedSubmission(people, published, len(_read_list(fields, "history")))


def _read_person(fields: Mapping[Any, Any]) -> Person:
    return Person(*(_clean_text(read_field(fields, name)) for name in ("name", "sid", "email")))


def _read_list(fields: Mapping[Any, Any], name: str) -> list[Any]:
    value = read_field(fields, name)
    return value if isinstance(value, list) else []


def _clean_text(value: object) -> str:
    return clean_line(str(value), _NAME_CHARACTERS) if isinstance(value, (str, int, float)) else ""
