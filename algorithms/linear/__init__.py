"""Policies and environments of linear bandits with a fixed finite set of actions."""
