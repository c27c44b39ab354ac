"""Recorded runs: ledger, alignment, sensitivity, planted bugs, source mutants, regret."""
