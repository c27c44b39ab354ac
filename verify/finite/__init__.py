"""Finite probability: kernels, channels, divergences and laws of outputs in exact arithmetic."""
