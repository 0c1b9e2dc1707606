"""Questions: turns right solutions and signatures into the files of a question, and right solutions into a verdict.

A check that the right solution fails is wrong; nothing is built or graded for students before it is corrected. Exports
nothing: a command loads the modules that it needs.
"""
