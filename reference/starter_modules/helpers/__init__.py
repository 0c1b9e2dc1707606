"""The folder `helpers` of a starter code that spells names with underscores."""
