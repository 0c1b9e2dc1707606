"""Toy shapes: the right solution of the toy question; later functions use earlier ones."""


class Pile:
    items: list
    height: int

    def __init__(self, items):
        self.items = list(items)
        self.height = 0

    def push(self, item):
        self.items.append(item)
        self.height = self.height + 1

    def push_all(self, items):
        for item in items:
            self.push(item)
        return self.items


def double(x):
    return 2 * x


def area(width, height):
    return width * height


def volume(width, height, depth):
    return area(width, height) * depth


def doubled_volume(width, height, depth):
    return volume(double(width), height, depth=depth)
