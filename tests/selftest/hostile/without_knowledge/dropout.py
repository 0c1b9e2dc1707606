import numpy as np
def dropout_scale(p_drop): return 1.0
def dropout_forward(h, p_drop, training, rng): return h.copy(), np.ones_like(h)
def dropout_backward(grad_h_drop, mask, p_drop): return grad_h_drop.copy()
