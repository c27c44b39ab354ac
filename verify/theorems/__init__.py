"""Theorems by subject, each proved in the kernel from its statement; documents name them."""
