"""Privacy-Utility Trade-offs in Sequential Decision-Making under Uncertainty, by chapter and section."""
