"""Operators: names the ways in which mutants are made, by which an adequacy run counts those that are wrong."""

from __future__ import annotations

from enum import Enum


class Operator(str, Enum):
    """What a mutant gets wrong; the values are column headings."""

    EDIT = "edit"  # of the text
    ARGUMENT = "argument"  # where an argument has a property
    CHANGE = "change"  # an argument is changed
    CACHE = "cache"  # values of earlier calls are returned
    DTYPE = "dtype"  # for one type of entries
    LAYOUT = "layout"  # for one order of entries in memory
    LABEL = "label"  # where a label occurs twice, or a class never
    SIZE = "size"  # for one size of 1 to 8, or beyond 32, 64 or 100
    ALIAS = "alias"  # where two arguments are the same
    CALL = "call"  # in the second call
    CONSTANT = "constant"  # where a number is at an end of its range
