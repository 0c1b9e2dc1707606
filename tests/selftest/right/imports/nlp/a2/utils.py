"""A file of the name of the course's folder utils."""


def as_floats(vector):
    return [float(v) for v in vector]
