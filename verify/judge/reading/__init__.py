"""Reading: a printed statement in text, in LaTeX or in fields becomes a sentence with the ranges of its variables."""
