"""Phased elimination with optimal designs in numbers: levels, lengths and widths, for all number systems."""

from __future__ import annotations

from typing import Any

from banditproof.theory.numbers.numeric import log, sqrt


def phase_level(delta: Any, arms: Any, phase: Any) -> Any:
    """delta / (K l (l + 1)): summed over actions and phases it is delta. Source: ZCDP-EQ4, ALG-EQ5.6"""
    return delta / (arms * phase * (phase + 1))


def chi_square_radius(dimension: Any, delta: Any) -> Any:
    """d + 2 sqrt(d log(1 / delta)) + 2 log(1 / delta): |N|^2 of d normal variables exceeds it with probability delta.

    f(d, delta) of the phase lengths is this at delta / 2. Source: ZCDP-L10, ALG-LC.28
    """
    level = log(1 / delta)
    return dimension + 2 * sqrt(dimension * level) + 2 * level


def adac_phase_length(dimension: Any, width: Any, level: Any, rho: Any) -> Any:
    """c = 8 d / width^2 log(4 / level) + 2 d / width sqrt(2 / rho f(d, level)). Source: ZCDP-EQ4, ALG-EQ5.6"""
    private = sqrt(2 / rho * chi_square_radius(dimension, level / 2))
    return 8 * dimension / width**2 * log(4 / level) + 2 * dimension / width * private


def adar_phase_length(dimension: Any, width: Any, level: Any, price: Any) -> Any:
    """The same with sqrt(2 price d (d + 1) log(4 / level)) for the private root; price = order / epsilon.

    Source: RDP-EQ8
    """
    logarithm = log(4 / level)
    private = sqrt(2 * price * dimension * (dimension + 1) * logarithm)
    return 8 * dimension / width**2 * logarithm + 2 * dimension / width * private
