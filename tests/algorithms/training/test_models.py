"""Gradients of classifiers: against finite differences, against symbols, and by factors against one by one."""

import numpy as np
import pytest
import sympy

from banditproof.algorithms.training import Network
from banditproof.algorithms.training.models import lengths, summed

WIDTHS = [(5, 3), (4, 6, 3), (3, 4, 2, 5)]


def example(widths, n=7):
    generator = np.random.default_rng(sum(widths))
    network = Network(widths)
    x, y = generator.standard_normal((n, widths[0])), generator.integers(widths[-1], size=n)
    return network, network.initial(generator) + 0.1 * generator.standard_normal(network.d), x, y


@pytest.mark.parametrize("widths", WIDTHS)
def test_gradients_are_slopes_of_the_losses(widths):
    network, theta, x, y = example(widths)
    h = 1e-5  # central differences err by h^2 and rounding / h
    steps = h * np.eye(network.d)
    slopes = [(network.losses(theta + e, x, y) - network.losses(theta - e, x, y)) / (2 * h) for e in steps]
    np.testing.assert_allclose(network.gradients(theta, x, y), np.transpose(slopes), atol=1e-9)


@pytest.mark.parametrize("widths", [(2, 3), (2, 2, 2)])
def test_gradients_are_those_of_the_printed_loss_in_symbols(widths):
    """The softmax loss written down entry by entry and differentiated by SymPy."""
    network, theta, x, y = example(widths, n=2)
    symbols = sympy.symbols(f"t0:{network.d}")
    for row, label, found in zip(x, y, network.gradients(theta, x, y), strict=True):
        signals, k = list(map(sympy.Float, row)), 0
        for depth, out in enumerate(widths[1:]):
            sums = []
            for _ in range(out):
                sums.append(sum(w * s for w, s in zip(symbols[k:], [*signals, 1], strict=False)))
                k += len(signals) + 1
            signals = sums if depth == len(widths) - 2 else list(map(sympy.tanh, sums))
        loss = -sympy.log(sympy.exp(signals[label]) / sum(map(sympy.exp, signals)))
        at = dict(zip(symbols, theta, strict=True))
        expected = [float(loss.diff(s).subs(at)) for s in symbols]
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("widths", WIDTHS)
def test_lengths_and_sums_by_factors_are_those_of_the_gradients(widths):
    network, theta, x, y = example(widths)
    gradients, weights = network.gradients(theta, x, y), np.arange(7.0)
    np.testing.assert_allclose(lengths(network.factors(theta, x, y)), np.linalg.norm(gradients, axis=1))
    np.testing.assert_allclose(summed(network.factors(theta, x, y), weights), weights @ gradients, atol=1e-12)


def test_large_logits_neither_overflow_nor_lose_the_loss():
    network, x = Network((1, 2)), np.array([[1.0]])
    theta = np.array([5000.0, 0, -5000, 0])
    assert network.losses(theta, x, np.array([0]))[0] == 0 and network.losses(theta, x, np.array([1]))[0] == 10_000
    np.testing.assert_array_equal(network.gradients(theta, x, np.array([1])), [[1, 1, -1, -1]])


def test_the_parameters_of_the_thesis_models_are_counted():
    assert Network((784, 10)).d == 7850 and Network((64, 16, 10)).parts[-1] == slice(1040, 1210)
