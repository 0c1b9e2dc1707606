"""Gradescope metadata: reads submission_metadata.json, which tells who submitted what to which assignment.

Gradescope writes the file. A broken one costs nothing but what it would have told, so it gives a warning and no error.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

_FILE_BYTES = 64 * 2**20  # previous submissions come with their results


class _Entry(BaseModel):
    # Gradescope adds fields from time to time; those it documents are here, and all may be absent.
    model_config = ConfigDict(frozen=True, extra="ignore")


class AssignmentMetadata(_Entry):
    """The assignment as it is set up on Gradescope. `total_points`: of the outline; Gradescope sends it as a string."""

    id: int | None = None
    course_id: int | None = None
    title: str | None = None
    total_points: float | None = None
    release_date: datetime | None = None
    due_date: datetime | None = None
    late_due_date: datetime | None = None
    group_submission: bool | None = None
    group_size: int | None = None


class User(_Entry):
    """One member of the group that submitted; `assignment` holds the dates of an extension."""

    email: str | None = None
    id: int | None = None
    name: str | None = None
    assignment: AssignmentMetadata | None = None


class PreviousSubmission(_Entry):
    """An earlier submission of the same group; only the latest has its `results`."""

    submission_time: datetime | None = None
    score: float | None = None
    autograder_error: bool | None = None
    results: dict[str, JsonValue] | None = None


class Metadata(_Entry):
    """The whole file."""

    id: int | None = None
    created_at: datetime | None = None
    assignment: AssignmentMetadata | None = None
    submission_method: str | None = None
    users: tuple[User, ...] = ()
    previous_submissions: tuple[PreviousSubmission, ...] = ()


def read_metadata(path: Path) -> tuple[Metadata | None, str]:
    """The metadata at `path`, or None and a warning for staff that says why there is none."""
    try:
        if path.stat().st_size > _FILE_BYTES:
            return None, f"{path.name} is larger than {_FILE_BYTES >> 20} MiB; going on without it"
        return Metadata.model_validate_json(path.read_bytes()), ""
    except OSError as error:
        return None, f"{path.name} cannot be read ({error.strerror}); going on without it"
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        return None, f"{path.name} is not as Gradescope documents it ({place}: {first['msg']}); going on without it"
