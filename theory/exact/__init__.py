"""Exact minimax values of private bandits: linear programs with rational certificates, and their checker."""
