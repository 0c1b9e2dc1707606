"""Protocol: defines the messages between grader, zygote and workers, and turns values into bytes and back.

Run by both sides, with the rights of each. Trusts no byte that it decodes.
"""
