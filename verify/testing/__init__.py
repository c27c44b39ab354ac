"""banditproof inside a test suite: assertions and their pytest plugin, adapters, Hypothesis strategies."""
