"""What transcripts of pseudo code compute with: relative entropy as it is printed, and an index by bisection."""

from math import inf, log


def kl(p, q):
    return sum(0.0 if a == 0 else inf if b == 0 else a * log(a / b) for a, b in ((p, q), (1 - p, 1 - q)))


def largest_mean(within, mean, steps=60):
    """The largest number from a mean to 1 that is `within` what an index allows."""
    low, high = mean, 1.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) else (low, middle)
    return low
