"""Classifiers whose gradients are known record by record: softmax regression, and networks of dense layers.

In every layer the gradient of a record is an outer product, of the loss' slope in what the layer puts out and of what
came in. Averages, lengths and clipped sums of the gradients of many records need these two factors only.

Source: MIA-D7.1.1, MIA-E7.4
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from banditproof.theory.errors import InvalidInput

Factors = list[tuple[np.ndarray, np.ndarray]]
"""For each layer the slopes [n, outputs] and what came in, with a 1 behind it [n, inputs + 1]."""


@dataclass(frozen=True)
class Network:
    """Dense layers of these widths, tanh between them and the cross-entropy of a softmax at the end.

    `Network((784, 10))` is softmax regression, `Network((784, 32, 10))` has one hidden layer. Parameters are one vector
    [d]: layer by layer a matrix [outputs, inputs + 1] row by row, biases in its last column. Records are x [n, inputs]
    and labels y [n] of 0, ..., classes - 1. Raises InvalidInput unless there are two widths at least, all positive; the
    methods raise it for other shapes and labels.
    """

    widths: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.widths) < 2 or min(self.widths) < 1:
            raise InvalidInput("widths", self.widths, "at least two positive integers")

    @cached_property
    def parts(self) -> list[slice]:
        """Where the layers' parameters are in the vector; the last part is the last layer."""
        sizes = [out * (into + 1) for into, out in zip(self.widths, self.widths[1:], strict=False)]
        ends = np.cumsum([0, *sizes])
        return [slice(int(a), int(b)) for a, b in zip(ends, ends[1:], strict=False)]

    @property
    def d(self) -> int:
        """The number of parameters."""
        return self.parts[-1].stop

    def initial(self, generator: np.random.Generator) -> np.ndarray:
        """Parameters [d], normal with variance 1 / inputs in every layer; biases 0."""
        layers = []
        for into, out in zip(self.widths, self.widths[1:], strict=False):
            weights = generator.standard_normal((out, into)) / np.sqrt(into)
            layers.append(np.column_stack([weights, np.zeros(out)]).ravel())
        return np.concatenate(layers)

    def losses(self, theta: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """-log of the probability given to each label [n]."""
        logits = self._inputs(theta, x, y)[-1][:, :-1]
        top = logits.max(axis=1)
        return top + np.log(np.exp(logits - top[:, None]).sum(axis=1)) - logits[np.arange(len(y)), y]

    def factors(self, theta: np.ndarray, x: np.ndarray, y: np.ndarray) -> Factors:
        """What the gradients of the records are outer products of, layer by layer."""
        inputs = self._inputs(theta, x, y)
        logits = inputs.pop()[:, :-1]
        slopes = np.exp(logits - logits.max(axis=1, keepdims=True))
        slopes /= slopes.sum(axis=1, keepdims=True)
        slopes[np.arange(len(y)), y] -= 1
        pairs = [(slopes, inputs[-1])]
        for weights, after, before in zip(self._weights(theta)[:0:-1], inputs[:0:-1], inputs[-2::-1], strict=True):
            slopes = slopes @ weights[:, :-1] * (1 - after[:, :-1] ** 2)
            pairs.insert(0, (slopes, before))
        return pairs

    def gradients(self, theta: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The gradient of every record's loss [n, d]."""
        factors = self.factors(theta, x, y)
        return np.concatenate([np.einsum("no,ni->noi", s, a).reshape(len(y), -1) for s, a in factors], axis=1)

    def _weights(self, theta: np.ndarray) -> list[np.ndarray]:
        if np.shape(theta) != (self.d,):
            raise InvalidInput("theta", np.shape(theta), f"a vector of {self.d} parameters")
        return [theta[part].reshape(out, -1) for part, out in zip(self.parts, self.widths[1:], strict=True)]

    def _inputs(self, theta: np.ndarray, x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        """What comes into each layer, with a 1 behind it, and at last the logits with a 1 that is not used."""
        if np.ndim(x) != 2 or np.shape(x)[1] != self.widths[0]:
            raise InvalidInput("x", np.shape(x), f"records with {self.widths[0]} features, shape [n, features]")
        if np.shape(y) != (len(x),) or not np.isin(y, np.arange(self.widths[-1])).all():
            raise InvalidInput("y", y, f"a label of 0, ..., {self.widths[-1] - 1} for each of {len(x)} records")
        inputs, ones = [np.column_stack([x, np.ones(len(x))])], np.ones(len(x))
        layers = self._weights(theta)
        for k, weights in enumerate(layers):
            out = inputs[-1] @ weights.T
            inputs.append(np.column_stack([out if k == len(layers) - 1 else np.tanh(out), ones]))
        return inputs


def lengths(factors: Factors) -> np.ndarray:
    """The l2 norms [n] of the gradients with these factors: an outer product is as long as the product of lengths."""
    squares = ((s**2).sum(axis=1) * (a**2).sum(axis=1) for s, a in factors)
    return np.sqrt(np.sum(list(squares), axis=0))


def summed(factors: Factors, weights: np.ndarray) -> np.ndarray:
    """The sum [d] of the gradients with these factors times `weights` [n]."""
    return np.concatenate([((weights[:, None] * s).T @ a).ravel() for s, a in factors])
