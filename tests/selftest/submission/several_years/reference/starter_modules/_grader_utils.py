"""Functions that starter code had."""


def scaleRows(x):
    """Return x."""
    return x


def soften(x):
    """Return x."""
    return x


def bend(x):
    """Return x."""
    return x
