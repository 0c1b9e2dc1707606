"""Given code; there is nothing to write in this folder."""
