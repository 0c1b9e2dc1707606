"""Matrix: which hidden test catches which known mistake, found out by grading the whole bank of mistakes."""
