"""Appendix D: the HTINF conversion, the moment of a noisy loss and the constant 208."""

from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AtLeastOne, Positive, Probability
from banditproof.claims.steps import symbolic, tried_at
from banditproof.verify import SymbolicArgument, nonnegative

Small = Annotated[Any, "(0, 1]"]


@claim("ADV-SD.1", tried_at(shift=[0, 1], lam=["1/100", 1]), symbolic(), false=[{"free": "0.99"}, {"noise": "1.99"}])
def second_moment(shift: Probability, lam: Positive, free=2, noise=4):
    r"""$\ell+Z$ has $\mathbb E(\ell+Z)^2=\ell^2+2\lambda^2\le<free>+<noise>\lambda^2$.

    Half of the bound would do: 1 + 2 lambda^2, attained at a loss of 1. The variants are caught below that.
    """
    return shift**2 + 2 * lam**2, "<=", free + noise * lam**2


@claim(
    "ADV-SD.1/sharp",
    tried_at(shift=[0, 1], lam=["1/100", 1]),
    symbolic(),
    false=[{"free": "0.99"}, {"noise": "1.99"}],
    role="remark",
)
def sharp_second_moment(shift: Probability, lam: Positive, free=1, noise=2):
    r"""$\ell+Z$ is even $(2,\sqrt{<free>+<noise>\lambda^2})$-heavy-tailed, so that HTINF may run with
    $\sigma=\sqrt3$ in place of $\sqrt6$ at $\lambda=1$."""
    return shift**2 + 2 * lam**2, "<=", free + noise * lam**2


def long_enough() -> SymbolicArgument:
    """T = (1 + s)/epsilon."""
    k, s, r = nonnegative("k s r")
    K, epsilon = 1 + k, 1 / (1 + r)
    slack = K / epsilon**2 * (64 + 21664 * s)
    return SymbolicArgument({"K": K, "T": (1 + s) / epsilon, "epsilon": epsilon}, slack, "nonnegative")


@claim(
    "ADV-EQD.3",
    tried_at(K=1, T=[1, 10**6], epsilon=[1, "1/1000000"]),
    symbolic(long_enough),
    false=[{"constant": 207}, {"one": 2}],
    where=["epsilon*T >= 1"],
)
def constant_of_htinf(K: AtLeastOne, T: AtLeastOne, epsilon: Small, constant=208, one=1):
    r"""$\frac2\varepsilon\cdot30\sqrt{6K(\varepsilon T+<one>)}\le<constant>\sqrt{\frac{TK}\varepsilon}$ for
    $\varepsilon T\ge1$, compared as squares."""
    return 4 * 900 * 6 * K * (epsilon * T + one) / epsilon**2, "<=", constant**2 * T * K / epsilon
