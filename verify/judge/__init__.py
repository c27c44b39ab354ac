"""Settling a printed statement: reading it, deciding it, and the receipt that somebody else can check."""
