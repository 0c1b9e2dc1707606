"""Matrix: turns the known mistakes into a table that shows which hidden test catches which mistake.

It also turns the references into mutants, to find those that no hidden test catches; a new question has its first known
mistakes from the same edits. For course staff, who change tests and mistakes together.
"""
