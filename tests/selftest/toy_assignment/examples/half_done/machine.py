class Machine:
    def __init__(self, words):
        self.words = words
        self.stack = []
        self.queue = list(words)
        self.joined = []

    def step(self, operation):
        if operation == "push":
            self.stack.append(self.queue.pop(0))
        else:
            self.joined.append((self.stack[-2], self.stack.pop()))

    def run(self, operations):
        pass


def run_all(texts, choose):
    return []
