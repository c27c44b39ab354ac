"""Chapter 3: definitions of privacy for bandits."""
