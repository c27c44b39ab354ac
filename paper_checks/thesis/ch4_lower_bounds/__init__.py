"""Chapter 4: lower bounds."""
