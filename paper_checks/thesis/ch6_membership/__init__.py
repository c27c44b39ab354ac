"""Chapter 6: membership of a fixed target in what the empirical mean is computed from."""
