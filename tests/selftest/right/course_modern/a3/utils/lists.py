def without(items, index):
    """ a new list without the item at index (may be negative) """
    items = list(items)
    del items[index]
    return items
