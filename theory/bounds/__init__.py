"""Bounds on regret and on sample complexity, lower and upper, each with its source."""
