"""Section V: privacy of a mechanism that is run on blocks of the data (Lemma 1); AdaC-GOPE's privacy and regret.

The first phase of AdaC-GOPE on the standard basis plays all of its actions whatever the rewards are, d - 1 of d at a
gap of 1, so that its regret is certain: it is what Theorem 4 fails on.
"""

from fractions import Fraction

from banditproof.claims.register import claim, item, restate, restate_parts
from banditproof.claims.sets import Inside, Positive, TwoOrMore
from banditproof.claims.steps import enumerated, fails_at
from banditproof.paper_checks.zcdp.facts import first_phase, private_plays
from banditproof.theory import log, minimum, sqrt, to_ball
from banditproof.theory.numbers.numeric import ratio

restate_parts(
    "ZCDP-L1",
    r"A mechanism that is $(\epsilon,\delta)$-DP, or $\rho$-zCDP, run on each block of a fixed partition of the data, "
    "is so as a whole.",
    {"approximate": "TH-L2.10/approximate", "zcdp": "TH-L2.10/zcdp"},
)

restate(
    "ZCDP-L1/indexes-up-to-t",
    "TH-L2.10/indexes-up-to-n",
    r"Lemma 1 takes $t_1,\dots,t_{\ell+1}$ from $[1,T]$ with $1=t_1<\dots<t_\ell<t_{\ell+1}-1=T$: there are such "
    "indexes ($n$ is $T$ and $k$ is $\\ell$).",
    role="hypotheses",
    notes="The last condition makes $t_{\\ell+1}$ equal to $T+1$, which is not in $[1,T]$. With $[1,T+1]$ all is well.",
    slip="One beyond a range: the mechanism and the proof of the lemma use the index T + 1 as it is meant.",
)
restate(
    "ZCDP-L1/indexes-up-to-t-plus-one",
    "TH-L2.10/indexes-up-to-n-plus-one",
    r"There are indexes in $[1,n+1]$ with $1=t_1<\dots<t_k<t_{k+1}-1=n$ for all $1\le k<n$ ($n$ is $T$, $k$ is "
    r"$\ell$).",
    repairs="ZCDP-L1/indexes-up-to-t",
)
restate(
    "ZCDP-L1/all-events",
    "TH-L2.10/approximate",
    r"The proof bounds products of events. The unchanged blocks have one law in both data sets, so over all events of "
    r"$\mathcal G$, products or not, the least $\delta$ is the largest one of a block.",
    role="step",
)

restate("ZCDP-AS1", of="ALG-D5.10")

item("ZCDP-T3", r"Under Assumption 1 AdaC-GOPE and AdaC-OFUL are $\rho$-Interactive zCDP.", twins=["ALG-T5.11"])
for name in ("cost", "rounding", "returned-design", "recorded-runs", "printed-noise-runs", "queried-action"):
    restate(f"ZCDP-T3/gope-{name}", of=f"ALG-T5.11/{name}")
for name in ("returned-design", "queried-action"):
    restate(f"ZCDP-T3/gope-{name}-repaired", of=f"ALG-T5.11/{name}-repaired", repairs=f"ZCDP-T3/gope-{name}")


@claim(
    "ZCDP-T3/hypotheses",
    enumerated([{}], rational=True),
    false=[{"second": 2}, {"parameter": "3/2"}],
    role="hypotheses",
)
def bounded_instance(second=Fraction(3, 5), parameter=Fraction(1, 2)):
    r"""Some linear bandit meets Assumption 1 and the model: actions $(1,0)$ and $(3/5,0)$, $\theta^\star=(1/2,0)$,
    rewards $1$ and $-1$ of mean $\langle\theta^\star,a\rangle$, whose noise lies in an interval of length $2$ and so is
    1-subgaussian.

    Counts the conditions that do not hold: norms of at most 1, and chances between 0 and 1 of the reward 1.
    """
    wrong = sum(abs(x) > 1 for x in (Fraction(1), second, parameter))
    chances = [(1 + parameter * x) / 2 for x in (1, second)]
    return wrong + sum(not 0 <= chance <= 1 for chance in chances), "==", 0


item(
    "ZCDP-T4",
    r"""With probability $1-\delta$ the regret of AdaC-GOPE is at most $A\sqrt{dT\log\frac{K\log T}\delta}+\frac{Bd}
    {\sqrt\rho}\sqrt{\log\frac{K\log T}\delta}\log T$, $A,B$ universal; with $\delta=\frac1T$, $\mathbb ER_T=\mathcal
    O(\sqrt{dT\log(KT)})+\mathcal O(\frac d{\sqrt\rho}\log^{3/2}(KT))$.""",
    twins=["ALG-T5.12"],
)


@claim(
    "ZCDP-T4/universal",
    fails_at(d=10**5, rho=Fraction(1, 10**5), delta=Fraction(1, 2)),
    strongest="enumeration",
    twins=["ALG-T5.12"],
)
def universal_constants(d: TwoOrMore, rho: Positive, delta: Inside, A=10, B=10):
    r"""With probability at least $1-\delta$, $R_T\le A\sqrt{dT\alpha_T}+\frac{Bd}{\sqrt\rho}\sqrt{\alpha_T}\log T$ for
    universal $A$ and $B$, $\alpha_T=\log\frac{K\log T}\delta$; here with $A=10$, $B=10$ for the actions $e_1,\dots,e_d$
    ($K=d$), $\theta^\star=e_1$ and $T$ at the end of the first phase (the difference of both sides).

    The first phase plays every action whatever the rewards are, and privacy makes it longer by a multiple of $d^{3/2}$,
    since $f(d,\delta_{K,1})$ is at least $d$. The proof bounds $f$ by a multiple of $\log\frac{K\log T}\delta$ and
    loses
    the $d$; for other $A$ and $B$ the bound fails at a larger $d$. With $d+\alpha_T$ in place of $\alpha_T$ under the
    second root, and the term $4d(d+1)$ that the proof drops, it is right.
    """
    length = first_phase(d, rho, delta)
    horizon, regret = length + d, (d - 1) * length / d
    alpha = log(d * log(horizon) / delta)
    return regret - A * sqrt(d * horizon * alpha) - B * d / sqrt(rho) * sqrt(alpha) * log(horizon), "<=", 0


@claim(
    "ZCDP-T4/universal-in-expectation",
    fails_at(d=10**6, rho=Fraction(1, 10**6), horizon=6 * 10**12),
    strongest="enumeration",
    cause="ZCDP-T4/universal",
)
def expected_regret(d: TwoOrMore, rho: Positive, horizon: TwoOrMore, A=10, B=10):
    r"""With $\delta=\frac1T$, $\mathbb ER_T\le A\sqrt{dT\log(KT)}+\frac{Bd}{\sqrt\rho}\log^{3/2}(KT)$ for some
    constants $A$, $B$; here with $A=10$, $B=10$ for $e_1,\dots,e_d$ ($K=d$) and $\theta^\star=e_1$ (the difference of
    both sides, $T$ is the horizon).

    For the same reason: $T$ rounds of the first phase lose nearly $T$, and its length grows like $d^{3/2}$.
    """
    length, T = first_phase(d, rho, ratio(1, horizon)), to_ball(horizon)
    regret = minimum(T - length / d - 1, (d - 1) * length / d)  # e_1 is played at most length/d + 1 times
    level = log(d * T)
    return regret - A * sqrt(d * T * level) - B * d / sqrt(to_ball(rho)) * level * sqrt(level), "<=", 0


restate(
    "ZCDP-T4/no-constants",
    of="ALG-T5.12/no-constants",
    statement=r"For every $C$ the bound of Theorem 4 with $A=B=C$ is exceeded on $e_1,\dots,e_d$ at the end of the "
    r"first phase: at $d=10^4C^{4}$, $\rho=d^{-3}$, $\delta=\frac12$.",
)
restate(
    "ZCDP-T4/short-horizon",
    of="ALG-T5.12/short-horizon",
    statement=r"The bound is a number for every $K,T\ge1$ and $\delta\in(0,1)$: $\log\frac{K\log T}\delta\ge0$ "
    "(arms is $K$, horizon is $T$).",
    notes=r"It asks for $K\log T\ge\delta$, which one arm and two rounds do not meet; from $T=3$ on it holds.",
)
restate(
    "ZCDP-T4/universal-repaired",
    of="ALG-T5.12/universal-repaired",
    statement=r"With what the proof drops, $d$ under the root of $f$ and $\frac{d(d+1)}2$ for rounding up: with "
    r"probability at least $1-\delta$, $R_T\le\min_m\bigl(\sum_{\ell\le "
    r"m}8\beta_\ell(\tfrac{d(d+1)}2+c_\ell)+4\beta_mT\bigr)$ ($\delta=\frac14$, rewards $\pm1$).",
    repairs="ZCDP-T4/universal",
)
restate(
    "ZCDP-T4/universal-in-expectation-repaired",
    of="ALG-PC.3.2/expectation-repaired",
    statement=r"With $\delta=\frac1T$, $\mathbb ER_T\le\min_m\bigl(\sum_{\ell\le "
    r"m}8\beta_\ell(\tfrac{d(d+1)}2+c_\ell)+4\beta_mT\bigr)+2$: a run outside of the good event loses at most $2T$.",
    repairs="ZCDP-T4/universal-in-expectation",
    rests_on=["ZCDP-T4/universal-repaired"],
)
restate(
    "ZCDP-T4/short-horizon-repaired",
    of="ALG-T5.12/short-horizon-repaired",
    statement=r"From $T\ge3$ on, where $\log T\ge1$: $K\log T\ge\delta$.",
    repairs="ZCDP-T4/short-horizon",
)
restate(
    "ZCDP-T4/hypotheses",
    of="ZCDP-T3/hypotheses",
    notes="The assumptions of Theorem 4 are those of Theorem 3 and a number $\\delta$ in $(0,1)$.",
)


@claim(
    "ZCDP-S10",
    fails_at(d=10**5, rho=Fraction(1, 10**5), delta=Fraction(1, 2)),
    strongest="enumeration",
    displayed=True,
    cause="ZCDP-T4/universal",
    twins=["ALG-S5.3b"],
)
def price_of_privacy_in_the_dimension(d: TwoOrMore, rho: Positive, delta: Inside, B=10):
    r"""AdaC-GOPE's private term is linear in $d$, which matches the lower bound $\Omega(d/\sqrt\rho)$ up to logarithms:
    the plays that privacy adds to the first phase on $e_1,\dots,e_d$ (with $\theta^\star=e_1$) lose at most $10\frac
    d{\sqrt\rho}\sqrt{\log\frac{8d}\delta}\log T$, $T$ at the end of the phase (the difference of both sides).

    The plays grow like $d^{3/2}$, since $f(d,\frac\delta{2d})$ is at least $d$, and all but one in $d$ have a gap of
    1; no
    other constant helps. This is so until $\log K$ is of the order of $d$.
    """
    horizon, lost = first_phase(d, rho, delta) + d, private_plays(d, rho, delta) * (d - 1) / d
    return lost - B * d / sqrt(rho) * sqrt(log(8 * d / delta)) * log(horizon), "<=", 0


restate(
    "ZCDP-S10/repaired",
    of="ALG-S5.3b/repaired",
    statement=r"They lose at most $4d\sqrt{\frac2\rho(2d+3\log\frac{4d}\delta)}$: $d^{3/2}$ until $\log K$ is of the "
    r"order of $d$ (root is $\sqrt d$, level the root of $\log\frac{4d}\delta$).",
    repairs="ZCDP-S10",
)
