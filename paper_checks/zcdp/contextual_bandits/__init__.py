"""Linear contextual bandits: Sections IV-B, V-B2 and VII, Appendices F and I."""
