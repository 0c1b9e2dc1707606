root = 0.5
