from fractions import Fraction

import numpy as np


class Dropout:
    def __init__(self, p_drop):
        self.p_drop = p_drop

    @property
    def scale(self):
        return float(1 / (1 - Fraction(self.p_drop)))

    def draw(self, shape, rng):
        # a unit is kept when its number is among the upper 1 - p_drop
        return 1.0 - (rng.uniform(size=shape) < self.p_drop)

    def forward(self, h, training, rng):
        if not training:
            return np.array(h), np.ones_like(h)
        mask = self.draw(np.shape(h), rng)
        return np.where(mask, h * self.scale, 0.0), mask

    def backward(self, grad, mask):
        return np.where(mask, grad * self.scale, 0.0)


dropout_scale = lambda p_drop: Dropout(p_drop).scale
dropout_forward = lambda h, p_drop, training, rng: Dropout(p_drop).forward(h, training, rng)
dropout_backward = lambda grad_h_drop, mask, p_drop: Dropout(p_drop).backward(grad_h_drop, mask)
