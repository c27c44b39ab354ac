"""Appendix I of the zCDP paper, as far as finite arms use it: post-processing, Gaussian noise, tails, divergences."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks import (
    thesis_composition,
    thesis_couplings,
    thesis_gaussian_mechanism,
    thesis_regimes,
    thesis_subgaussian,
    thesis_two_environments,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.twins import restate, restate_parts
from banditproof.theory.numeric import to_ball
from banditproof.verify.channels import total_variation
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law
from banditproof.verify.kl_decompositions import relative_entropy
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
# the modules whose claims are restated here
RESTATED = (
    thesis_composition,
    thesis_couplings,
    thesis_gaussian_mechanism,
    thesis_regimes,
    thesis_subgaussian,
    thesis_two_environments,
)

restate_parts(
    "ZCDP-L3", r"Post-processing keeps $(\epsilon,\delta)$-DP and $\rho$-zCDP.",
    {"approximate": "TH-P2.7/approximate", "zcdp": "TH-P2.7/zcdp"},
)  # fmt: skip
restate(
    "ZCDP-L4", "TH-P2.7/zcdp",
    r"$D_\alpha(f(P)\|f(Q))\le D_\alpha(P\|Q)$ for randomised $f$: $\mathbb E_Q[(dP/dQ)^\alpha]-1$ grows by at most "
    "$<factor>$.",
)  # fmt: skip
restate("ZCDP-T19", "TH-T4.3")

# ----------------------------------------------------------------------------------------------------- Gaussian noise

parts_decide(
    "ZCDP-T18",
    r"The Gaussian mechanism with variance $b\,s(f)^2$: $b=\frac2{\epsilon^2}\log\frac{1.25}\delta$ for "
    r"$(\epsilon,\delta)$-DP, $\frac\alpha{2\epsilon}$ for $(\alpha,\epsilon)$-RDP, $\frac1{2\rho}$ for $\rho$-zCDP "
    r"(no "
    r"range of $\epsilon$ is printed).",
    twins=["TH-T2.14"],
)
restate(
    "ZCDP-T18/approximate", "TH-T2.14/approximate",
    r"Noise of variance $s_2^2\,\frac2{\epsilon^2}\log\frac{<inside>}{\delta}$ gives $(\epsilon,\delta)$-DP, for every "
    r"$\epsilon>0$ and $\delta\in(0,1)$: the paper prints no range.",
    role="part",
)  # fmt: skip
restate(
    "ZCDP-T18/budgets-up-to-three", "TH-T2.14/budgets-up-to-three",
    r"Noise of variance $s_2^2\,\frac2{\epsilon^2}\log\frac{<inside>}{\delta}$ gives $(\epsilon,\delta)$-DP for "
    r"$0<\epsilon\le3$ and every $\delta\in(0,1)$.",
    repairs="ZCDP-T18/approximate",
)  # fmt: skip
restate("ZCDP-T18/zcdp", "TH-T2.14/zcdp", role="part")


def renyi_of_gaussian_noise(epsilon: Any, alpha: Any, factor: Any) -> Sides:
    """D_alpha = alpha s^2/(2 b s^2) (ZCDP-D1/renyi) with b = alpha/(2 epsilon), centres one sensitivity apart."""
    return alpha / (2 * (alpha / (2 * epsilon))), "<=", factor * epsilon


def renyi_argument(factor: Any) -> SymbolicArgument:
    import sympy

    epsilon, more = sympy.symbols("epsilon more", positive=True)
    return SymbolicArgument({"epsilon": epsilon, "alpha": 1 + more}, (factor - 1) * epsilon, "nonnegative")


@claim(
    "ZCDP-T18/rdp", r"$b=\frac\alpha{2\epsilon}$ gives $D_\alpha\le<factor>\epsilon$.",
    domain=Domain.of(epsilon="(0, inf)", alpha="(1, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def noise_for_renyi_privacy(check: Check) -> None:
    check.symbolic(renyi_of_gaussian_noise, renyi_argument, routes=("closed form of the divergence", "budget"))


# --------------------------------------------------------------------------------------------- tails and divergences


def markov(law: int, level: Fraction, factor: Any) -> Sides:
    """P(|X| >= level) for a random rational law on -3..3, against factor E|X| / level."""
    masses = dict(zip(range(-3, 4), random_law(law, "x", 7, 0, 9), strict=True)) if law >= 0 else {level: Fraction(1)}
    tail = sum((p for x, p in masses.items() if abs(x) >= level), Fraction(0))
    return tail, "<=", factor * sum((abs(x) * p for x, p in masses.items()), Fraction(0)) / level


@claim(
    "ZCDP-L5", r"Markov: $\mathbb P(|X|\ge\varepsilon)\le<factor>\,\mathbb E|X|/\varepsilon$ for $\varepsilon>0$.",
    domain=Domain.of(law="all: every random variable", level="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def markov_inequality(check: Check) -> None:
    """Random laws, and the constant variable, which attains it."""
    levels = [Fraction(n, 2) for n in (1, 2, 3, 5, 6)]
    points = [{"law": seed, "level": level} for seed in range(-1, check.pick(30, 300)) for level in levels]
    check.enumerate(markov, points, rational=True, routes=("exact tail", "exact expectation"))


parts_decide(
    "ZCDP-L6",
    r"Bretagnolle-Huber: $\mathbb P(A)+\mathbb Q(A^c)\ge\frac12e^{-\mathrm{KL}(\mathbb P\|\mathbb Q)}$ for every "
    r"event.",
    twins=["TH-S4.1b"],
)
restate("ZCDP-L6/two-outcomes", "TH-S4.1b/bretagnolle-huber", role="part")
restate("ZCDP-L6/certain-events", "TH-S4.1b/bretagnolle-huber-certain-events", role="part")

parts_decide("ZCDP-L7", r"Pinsker: $\mathrm{KL}(\mathbb P\|\mathbb Q)\ge2\,\mathrm{TV}(\mathbb P\|\mathbb Q)^2$.")
restate(
    "ZCDP-L7/two-outcomes", "TH-S4.16b/kl-at-least",
    r"For two outcomes of probability $\mu_a$ and $\mu^*$: $\mathrm{kl}(\mu_a,\mu^*)\ge<factor>(\mu^*-\mu_a)^2$; in "
    "general by data processing to the event where one law is larger.",
    role="part",
)  # fmt: skip


def entropy_and_variation(law: int, factor: Any) -> Sides:
    """Random pairs of laws on four outcomes; number -1 are two coins close to each other."""
    p, q = (dict(enumerate(random_law(law, side, 4))) for side in "pq")
    if law < 0:
        p, q = ({0: share, 1: 1 - share} for share in (Fraction(1, 2), Fraction(501, 1000)))
    return relative_entropy(p, q), ">=", to_ball(factor * 2 * total_variation(p, q) ** 2)


@claim(
    "ZCDP-L7/finite-laws",
    r"$\mathrm{KL}\ge<factor>\cdot2\,\mathrm{TV}^2$ for laws on four outcomes.",
    domain=Domain.of(law="all: every pair of laws"), constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def pinsker_for_finite_laws(check: Check) -> None:
    points = [{"law": seed} for seed in range(-1, check.pick(60, 600))]
    check.enumerate(entropy_and_variation, points, rational=True, routes=("relative entropy", "total variation"))


restate_parts(
    "ZCDP-D11", r"$X$ is $\sigma$-subgaussian if $\mathbb E e^{\lambda X}\le e^{\lambda^2\sigma^2/2}$ for all real "
    r"$\lambda$.",
    {"mean-zero": "TH-D2.20/mean-zero", "gaussian": "TH-D2.20/gaussian"},
)  # fmt: skip
restate("ZCDP-L8", "TH-L2.21")
parts_decide(
    "ZCDP-L9",
    r"(1) $cX$ is $|c|\sigma$-subgaussian; (2) independent sums are $\sqrt{\sigma_1^2+\sigma_2^2}$-subgaussian; (3) "
    r"$X\in[a,b]$ of mean zero is $\frac{b-a}2$-subgaussian.",
    twins=["TH-L2.22"],
)
for part in ("scaling", "sum", "bounded"):
    restate(f"ZCDP-L9/{part}", f"TH-L2.22/{part}")
