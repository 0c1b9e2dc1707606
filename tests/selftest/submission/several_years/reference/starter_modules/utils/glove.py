"""A module that an older starter code had."""
