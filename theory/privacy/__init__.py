"""Privacy: budgets, conversions, composition, noise, trade-off curves, couplings of private mechanisms."""
