"""The folder `helpers` of an older starter code."""
