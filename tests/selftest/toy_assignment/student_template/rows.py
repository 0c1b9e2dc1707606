"""Question rows."""

import numpy as np  # noqa: F401  (for your code)


def unit_rows(x):
    """Divide each row by its length; a row of zeros stays as it is."""
    ### YOUR CODE HERE
    raise NotImplementedError("rows.unit_rows is not written yet")
    ### END YOUR CODE


if __name__ == "__main__":  # `python rows.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("rows.py"))
