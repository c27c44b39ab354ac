"""A helper module of ok_helper_module.py: no policy."""
import numpy as np


def private_sum(noise, values, budget, start, stop):
    total = np.array([float(sum(min(max(v, 0.0), 1.0) for v in values))])
    return float(noise.laplace(total, sensitivity=1.0, budget=budget, records=(start, stop))[0])
