"""Protocol: what the grader, the zygote and the workers say to each other, as bytes and as records.

Used at both ends. Trusts no byte that it decodes.
"""
