"""Exact play of private adversarial bandits in short games, and checks of their learners."""
