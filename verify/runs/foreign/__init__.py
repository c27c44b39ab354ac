"""Policies of others as they are: their draws are recorded, replayed and solved for."""
