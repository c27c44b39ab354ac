"""Ways to settle a comparison: points that refute it, and simpler comparisons that together imply it."""
