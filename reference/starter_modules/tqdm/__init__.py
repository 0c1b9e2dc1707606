"""Progress bars that show nothing, for code that counts its iterations with tqdm."""


class tqdm:
    """The items of an iterable, one after another; every other method does nothing."""

    def __init__(self, iterable=None, *arguments, total=None, **options):
        self.iterable = iterable
        self.total = total if total is not None or not hasattr(iterable, "__len__") else len(iterable)
        self.n = 0

    def __iter__(self):
        for item in self.iterable:
            self.n += 1
            yield item

    def __len__(self):
        return self.total

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def update(self, n=1):
        """Count."""
        self.n += n

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **options: None

    @staticmethod
    def write(*arguments, **options):
        """Show nothing."""


def trange(*arguments, **options):
    """tqdm of a range."""
    return tqdm(range(*arguments), **options)


tqdm_notebook, tnrange = tqdm, trange
