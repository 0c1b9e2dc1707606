"""Worker: loads one student's source and answers the grader's requests about it.

Run beside student code, with next to no rights; nothing on the trusted side imports it.
"""
