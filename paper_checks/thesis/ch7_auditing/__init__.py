"""Chapter 7: auditing gradient descents by membership inference on averages of gradients."""
