"""Numbers: one formula for four number systems, enclosures, exact and ball arithmetic."""
