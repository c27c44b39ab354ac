"""What three documents assume of contexts, and why no law meets it in several dimensions."""

AVERAGE = """a bound on the variance: the largest variance of the squared inner product over unit z is at least its
average over the sphere, 2 (1 - tr S^2) / (d (d + 2)) with S the second moment of A, and tr S^2 is at most 1 - (d - 1)
lambda_0, where lambda_0 is at most 1/d"""
