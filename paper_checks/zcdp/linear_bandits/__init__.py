"""Linear bandits with fixed actions in the zCDP paper."""
