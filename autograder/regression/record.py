"""Record: the base of what a class's summary is made of: frozen fields of known names and types, checked when made."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Unknown fields, wrong types and numbers that JSON has not are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
