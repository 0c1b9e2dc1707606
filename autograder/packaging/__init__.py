"""Packaging: turns an assignment into autograder.zip, for Gradescope, handout.zip, for students, and an image.

Only this package decides which files leave the staff's folders. Exports nothing, as some of it is slow to load.
"""
