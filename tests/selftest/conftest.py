"""Settings of all self-tests: made-up data is the same in every run, and a slow machine fails nothing."""

from hypothesis import settings

settings.register_profile("selftest", derandomize=True, deadline=None, database=None)
settings.load_profile("selftest")
