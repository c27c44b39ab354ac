"""Appendix B: Lemma 12 and the proof of Theorem 5.

AdaR-UCB at (alpha, epsilon) is AdaC-UCB at rho = epsilon/alpha (RDP-A2/index, /releases): where the zCDP paper states
the same, its claims are restated with that rho. L stands for log T.
"""

from banditproof.claims.register import claim, restate
from banditproof.claims.sets import AboveOne, AboveZero, Count, EveryVariable, Nonnegative, Positive, Real
from banditproof.claims.steps import in_kernel
from banditproof.paper_checks.rdp.facts import DICTIONARY
from banditproof.verify.kernel import meanings
from banditproof.verify.kernel.meanings import chance, when
from banditproof.verify.kernel.variables import gaussian, in_interval, mean_of, sum_of_independent
from banditproof.verify.theorems import tails as tail_proofs


@claim("RDP-L12/upper", in_kernel(tail_proofs.gaussian_mean_above_of_order))
def gaussian_mean_above(
    X: EveryVariable, n: Count, centre: Real, alpha: AboveOne, epsilon: Positive, delta: AboveZero, width: Nonnegative
):
    r"""$\mathbb P(\hat\mu_n+Z_n-w\ge\mu)\le\delta$ for all i.i.d. $X_i\in[0,1]$ of mean $\mu$: for every $w$ whose
    square is at least what stands under the root (11)."""
    noisy = sum_of_independent(mean_of(X, n), gaussian(alpha / (2 * epsilon * n * n)))
    square = (1 / (2 * n) + alpha / (epsilon * n * n)) * meanings.log(1 / delta)
    above = chance(lambda x: (centre, x - width), noisy)
    wide = meanings.formula((square, "<=", width * width))
    return when(in_interval(X, 0, 1, centre), wide, then=(above, "<=", delta))


@claim("RDP-L12/lower", in_kernel(tail_proofs.gaussian_mean_below_of_order))
def gaussian_mean_below(
    X: EveryVariable, n: Count, centre: Real, alpha: AboveOne, epsilon: Positive, delta: AboveZero, width: Nonnegative
):
    r"""$\mathbb P(\hat\mu_n+Z_n+w\le\mu)\le\delta$ (12), likewise."""
    noisy = sum_of_independent(mean_of(X, n), gaussian(alpha / (2 * epsilon * n * n)))
    square = (1 / (2 * n) + alpha / (epsilon * n * n)) * meanings.log(1 / delta)
    below = chance(lambda x: (x + width, centre), noisy)
    wide = meanings.formula((square, "<=", width * width))
    return when(in_interval(X, 0, 1, centre), wide, then=(below, "<=", delta))


restate(
    "RDP-PF2/blocks",
    "ZCDP-PF5",
    r"A negative slack implies $2^\ell<\frac{2\beta}{\Delta_a^2}\log T+2\sqrt{\frac{\beta\alpha}{\epsilon"
    rf"\Delta_a^2}}}}\sqrt{{\log T}}$ ({DICTIONARY}).",
)


restate(
    "RDP-PF2/regret",
    "ZCDP-PF6/regret",
    r"Step 2: $\Delta_a\cdot4x=\frac{8\beta}{\Delta_a}\log T+8\sqrt{\frac{\beta\alpha}\epsilon}"
    rf"\sqrt{{\log T}}$ for the $x$ of $\ell=\lceil\log_2x\rceil$ ({DICTIONARY}).",
    notes="4 x is the bound on 2^(l+1) in the bound on the number of plays.",
)
