"""Given code for the assignment; there is nothing to write in this folder."""
