"""Faster Rates for Private Adversarial Bandits."""
