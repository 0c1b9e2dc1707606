"""Results file: turns what was read from a results.json, anybody's, into `Results`, or refuses it.

The fields and their types are those of `gradescope_format`. Apart from it, because the check is slow to load and a run
that only writes a result does not need it.
"""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, RootModel

from autograder.gradescope.schema import Results


class _File(RootModel[Results]):
    model_config = ConfigDict(allow_inf_nan=False)  # at any depth of extra_data too, where the records' own does not go


def read_results(fields: Any) -> Results:
    """The results of these fields; ValidationError for unknown fields, wrong types and numbers that JSON has not."""
    return _File.model_validate(fields).root


def read_results_json(content: bytes | str) -> Results:
    """The results in a file's content; as `read_results`, and nothing is taken for what it is not, as "1" for 1."""
    return _File.model_validate_json(content, strict=True).root
