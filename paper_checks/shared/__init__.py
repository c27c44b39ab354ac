"""What sections of two documents share; it holds no claims."""
