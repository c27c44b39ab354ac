r"""Section 9, page 167: contextual bandits under joint DP, with the tree mechanism on the design and the rewards."""

from fractions import Fraction

from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.claims.register import claim, item
from banditproof.claims.sets import Count, Inside, Positive, TwoOrMore
from banditproof.claims.steps import fails_at, symbolic
from banditproof.theory.numbers.numeric import log
from banditproof.verify.runs.contextual import contextual_violations

item(
    "MIA-S9.3",
    r"""LinUCB with $V_t$ and $u_t$ released by the tree mechanism is jointly private; its regret is
    $O(d\sqrt T\log(T)+d^{3/4}\sqrt{T\log(1/\delta)}/\sqrt\varepsilon)$, the lower bound
    $\Omega(\sqrt{dT\log K}+d/(\varepsilon+\delta))$""",
)


@claim(
    "MIA-S9.3/recorded-runs",
    recorded({"joint-dp-linucb": [["zcdp", "1/2"]]}, quick=2),
    false=BUGS,
    restricted="to zCDP, with Gaussian noise of Frobenius sensitivity $2\\sqrt2$ on the nodes",
)
def joint_dp_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"):
    r"""What other users are recommended depends on a user's contexts and reward through the releases only, which
    together cost the budget (planted bug: <bug>).

    The noisy design is kept positive by a multiple of the identity.
    """
    return contextual_violations(algorithm, budget, T, rewards, bug)


@claim("MIA-S9.3/sensitivity", symbolic(), false={"squared": "7.9"}, restricted="to the plane of the two vectors")
def frobenius_sensitivity(u: Inside, cosine: Inside, squared=8):
    r"""$\|xx^\top-yy^\top\|_F^2=|x|^4+|y|^4-2\langle x,y\rangle^2\le<squared>$ for $|x|^2,|y|^2\le2$, as for
    $x=(a,r)$ with $\|a\|,|r|\le1$ ($|x|^2=2$, $|y|^2=2u$)."""
    return 4 + 4 * u**2 - 2 * (4 * u * cosine**2), "<=", squared


@claim("MIA-S9.3/price", fails_at(T=10**100, d=1, epsilon=1, delta=Fraction(1, 10)), role="reading")
def price_of_joint_privacy(T: TwoOrMore, d: Count, epsilon: Positive, delta: Inside, share=Fraction(1, 100)):
    r"""'The price of JDP is non-negligible even asymptotically in $T$', for fixed $d,\varepsilon,\delta$: the private
    term of the printed bound is at least $<share>$ of the other (fourth powers, without $\sqrt T$).

    The other term has a factor log T that the private one lacks: the printed ratio tends to 0. What does not vanish
    is the ratio to sqrt(T).
    """
    private = d**3 * log(1 / delta) ** 2 / epsilon**2
    return private, ">=", (share * d * log(T)) ** 4
