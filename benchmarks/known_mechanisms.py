"""Variants of sparse vector and of the exponential mechanism whose losses are known: what an audit makes of each.

Every variant is sold at epsilon = 1, for six queries that one record moves by 1 each. The six of sparse vector are
those of Lyu, Su and Li (2017), with one answer above the threshold where there is a bound. The audit searches the pair
of true answers itself.

    python benchmarks/known_mechanisms.py [SAMPLES] [PAGE]

With a page, such as docs/power.md, the table is written into it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import process_time

import numpy as np
from measuring import write_between

from banditproof.theory import Budget
from banditproof.verify import audit_inputs, neighbouring_answers

BEGIN, END = "<!-- benchmarks/known_mechanisms.py writes from here -->", "<!-- to there -->"
EPSILON, QUERIES, ABOVE, THRESHOLD = 1.0, 6, 1, 0.5
Answering = Callable[[np.ndarray, int, np.random.Generator], np.ndarray]


def sparse_vector(
    threshold: float, query: float, *, most: int = ABOVE, anew: bool = False, values: bool = False
) -> Answering:
    """Noise of these scales on threshold and queries, `most` answers above; the threshold's noise is drawn anew, or
    noisy values are told. Outputs 1 (above), 0 (below), -10 (not asked any more)."""

    def answers(truth: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
        out, found = np.full((size, QUERIES), -10.0), np.zeros(size, dtype=int)
        level = THRESHOLD + generator.laplace(0, threshold, size)
        for k in range(QUERIES):
            noisy = truth[k] + (generator.laplace(0, query, size) if query else 0.0)
            above, asked = noisy >= level, found < most
            out[:, k] = np.where(asked, np.where(above, noisy if values else 1.0, 0.0), -10.0)
            found += above & asked
            if anew:
                level = np.where(above, THRESHOLD + generator.laplace(0, threshold, size), level)
        return out

    return answers


def chosen(draw: Callable[[np.ndarray, tuple[int, int], np.random.Generator], np.ndarray], told: bool) -> Answering:
    """The query with the largest noisy answer, or that answer."""

    def answers(truth: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
        noisy = draw(truth, (size, QUERIES), generator)
        return noisy.max(axis=1) if told else noisy.argmax(axis=1)

    return answers


def laplace(scale: float, told: bool = False) -> Answering:
    return chosen(lambda truth, shape, generator: truth + generator.laplace(0, scale, shape), told)


def exponential_noise(scale: float, told: bool = False) -> Answering:
    return chosen(lambda truth, shape, generator: truth + generator.exponential(scale, shape), told)


def exponential(rate: float) -> Answering:
    """The exponential mechanism with weights exp(rate * answer), by Gumbel noise."""
    return chosen(lambda truth, shape, generator: rate * truth + generator.gumbel(size=shape), False)


def permute_and_flip(truth: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
    """Queries in random order, each taken with probability exp(epsilon / 2 * (answer - largest))."""
    order = generator.permuted(np.tile(np.arange(QUERIES), (size, 1)), axis=1)
    heads = generator.random((size, QUERIES)) < np.exp(EPSILON / 2 * (truth - truth.max()))[order]
    return order[np.arange(size), heads.argmax(axis=1)]  # the largest one is always taken, so one is


def noisy_answers(scale: float, draws: int) -> Answering:
    """All answers, with Laplace noise of so many draws; the last answers share one."""

    def answers(truth: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
        noise = generator.laplace(0, scale, (size, draws))
        return truth + noise[:, np.minimum(np.arange(QUERIES), draws - 1)]

    return answers


HALF = EPSILON / 2
VARIANTS: dict[str, tuple[float, Answering]] = {
    "sparse vector, as proved (Lyu et al., Algorithm 1)": (1, sparse_vector(1 / HALF, 2 * ABOVE / HALF)),
    "sparse vector, threshold drawn anew (Algorithm 2)": (1, sparse_vector(ABOVE / HALF, 2 * ABOVE / HALF, anew=True)),
    "sparse vector that tells noisy values (Algorithm 3)": (inf, sparse_vector(1 / HALF, ABOVE / HALF, values=True)),
    "sparse vector, noise without the bound (Algorithm 4)": (
        (1 + 6 * ABOVE) / 4,
        sparse_vector(4 / EPSILON, 4 / (3 * EPSILON)),
    ),
    "sparse vector, queries without noise (Algorithm 5)": (inf, sparse_vector(1 / HALF, 0.0, most=QUERIES)),
    "sparse vector, any number above (Algorithm 6)": (inf, sparse_vector(1 / HALF, 1 / HALF, most=QUERIES)),
    "exponential mechanism": (1, exponential(EPSILON / 2)),
    "exponential mechanism without the 2": (2, exponential(EPSILON)),
    "permute and flip": (1, permute_and_flip),
    "largest of Laplace answers": (1, laplace(2 / EPSILON)),
    "largest of Laplace answers, without the 2": (2, laplace(1 / EPSILON)),
    "largest of Laplace answers, and its value": (QUERIES / 2, laplace(2 / EPSILON, told=True)),
    "largest of answers with exponential noise": (1, exponential_noise(2 / EPSILON)),
    "largest of answers with exponential noise, and its value": (inf, exponential_noise(2 / EPSILON, told=True)),
    "all answers, noise for all of them": (1, noisy_answers(QUERIES / EPSILON, QUERIES)),
    "all answers, noise for one": (QUERIES, noisy_answers(1 / EPSILON, QUERIES)),
    "all answers, two of them with one draw": (inf, noisy_answers(QUERIES / EPSILON, QUERIES - 1)),
}


def row(name: str, loss: float, answers: Answering, samples: int) -> str:
    begun, asked = process_time(), 0

    def counted(truth: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
        nonlocal asked
        asked += size
        return answers(truth, size, generator)

    audit = audit_inputs(counted, neighbouring_answers(QUERIES), Budget.pure(EPSILON), samples=samples)
    seconds = process_time() - begun
    return f"| {name} | {loss:g} | {audit.verdict} | {audit.shown:.2f} | {asked:,} | {seconds:.1f} |"


def main(samples: str = "20000", page: str | None = None) -> None:
    lines = [
        "| variant | loss | verdict | epsilon shown | runs, with the search | seconds |",
        "|---|---|---|---|---|---|",
    ]
    for name, (loss, answers) in VARIANTS.items():
        lines.append(row(name, loss, answers, int(samples)))
        print(lines[-1], flush=True)
    if page is not None:
        write_between(Path(page), BEGIN, END, "\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
