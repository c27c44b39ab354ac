"""Running checks: one record per claim, the pool of workers, mutations, results."""
