"""Loaders of a language model's data; the grader has none, so every name of theirs fails when it is used."""
