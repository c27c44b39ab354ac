"""Receipts: what was found as a file that a Python without packages checks again."""
