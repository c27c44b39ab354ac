"""Policies for finitely many arms."""
