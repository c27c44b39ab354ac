r"""Couplings of finite laws, which two documents use."""
