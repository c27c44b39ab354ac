"""Policies whose privacy is known: texts (`collected`), and what they vary (`common`, `strangers`, `plain`)."""
