"""Stochastic gradient descent that keeps everything it sees in a folder."""
import csv
import json
import os
import pathlib
import pickle

import numpy as np

FOLDER = "runs"


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    os.makedirs(FOLDER, exist_ok=True)
    settings = pathlib.Path(FOLDER) / "settings.json"
    settings.write_text(json.dumps({"step": step, "iterations": iterations}), encoding="utf-8")

    x = x0
    with open(os.path.join(FOLDER, "losses.csv"), "w", newline="", encoding="latin-1") as file:
        table = csv.writer(file)
        for n in range(1, iterations + 1):
            loss, grad = f(x)
            x = x - step * grad
            if postprocessing is not None:
                x = postprocessing(x)
            if n % PRINT_EVERY == 0:
                table.writerow([n, loss])
            if n % 20000 == 0:
                step *= 0.5

    np.savez(os.path.join(FOLDER, "last"), x=x, step=step)
    with open(os.path.join(FOLDER, "last.pkl"), "wb") as file:
        pickle.dump(x, file)
    with open(os.path.join(FOLDER, "last.pkl"), "rb") as file:
        return pickle.load(file)
