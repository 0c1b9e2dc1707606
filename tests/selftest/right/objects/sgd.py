import itertools


class Schedule:
    """Step sizes: halved after every 20000."""

    def __init__(self, step, every=20000):
        self.step, self.every = step, every

    def __iter__(self):
        for n in itertools.count():
            yield self.step * 0.5 ** (n // self.every)


class SGD:
    def __call__(self, f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
        identity = lambda x: x
        post = postprocessing or identity
        x = x0
        for size in itertools.islice(Schedule(step), iterations):
            x = post(x=x - size * f(x=x)[1]) if post is not identity else x - size * f(x=x)[1]
        return x


sgd = SGD()
