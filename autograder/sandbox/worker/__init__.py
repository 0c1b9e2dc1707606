"""Worker: loads one student's source and answers the grader's requests about it.

Run next to student code, with almost no rights. Trusts nothing, and no module on the trusted side imports it.
"""
