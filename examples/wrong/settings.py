# constants that several questions use
REGULARISATION = 0.01
EPSILON = 1e-8
DEBUG = True


def debug(*values):
    if DEBUG:
        print("[debug]", *values)
