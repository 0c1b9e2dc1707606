"""Results file: turns the content of any results.json into `Results`, or raises a ValidationError.

The fields and their types are those of `schema`. A module of its own, because validation is slow to load and a run
that only writes a result does not need it.
"""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, RootModel

from autograder.gradescope.schema import Results


class _File(RootModel[Results]):
    model_config = ConfigDict(allow_inf_nan=False)  # also inside extra_data, which the records' own setting skips


def read_results(fields: Any) -> Results:
    """Build results from fields; ValidationError for unknown fields, wrong types, NaN and infinity."""
    return _File.model_validate(fields).root


def read_results_json(content: bytes | str) -> Results:
    """Parse results from a file's content, like `read_results` but without type coercion such as "1" to 1."""
    return _File.model_validate_json(content, strict=True).root
