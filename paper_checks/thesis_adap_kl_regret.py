r"""The regret of AdaP-KLUCB and its gap-free form: ALG-T5.4, RC.8.

L = log T, n = 2^l is the length of an episode, Delta the gap of an arm with mean a below the best mean y, d = kl.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.episodic_runs import Case, mean_regret_at_most, study
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_adap_regret import (
    BLOCKS,
    EVERY_BLOCK,
    FACTS,
    SPLIT,
    SPLIT_JOINT,
    additive,
    any_split,
    bound_of_c_7,
    gap_free_facts,
    log_horizon,
    split_at_a_gap,
)
from banditproof.paper_checks.thesis_adaptive_episodes import COMPOSED
from banditproof.paper_checks.thesis_regimes import PINSKER, entropy_at_least
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.numeric import exp, log, log1p, to_ball
from banditproof.verify.domain import Domain

Sides = tuple[Any, str, Any]
BERNOULLI = Domain.of(
    means="all: every Bernoulli bandit", epsilon="(0, inf)", beta="(3, inf)", horizon="integer [1, inf)"
)
PINSKER_JOINT = (
    "by Pinsker's inequality kl(x, mu*) = beta L/n puts x within sqrt(beta L/(2n)) of mu*, and kl(w, mu_a) >= L/n as "
    "soon as w - mu_a >= sqrt(L/(2n)): the index of AdaP-KLUCB is below mu* where that of AdaP-UCB is shown to be; "
    "where the best mean is 1, an index is below it unless the clipped mean is 1"
)
CASES = [
    Case("AdaP-KLUCB", ("2/5", "9/10"), "1", 20_000, share=0.5),
    Case("AdaP-KLUCB", ("1/100", "1/10"), "1/2", 20_000, "4", share=0.05),
    Case("AdaP-KLUCB", ("0", "1/2"), "1/4", 20_000, share=0.2),
]
CERTAIN = [
    Case("AdaP-KLUCB", ("1/2", "1"), "1000", 500, "10", share=0.5),
    Case("AdaP-KLUCB", ("99/100", "1"), "1000", 20_000, "10", share=0.5),
    Case("AdaP-KLUCB", ("1/2", "1"), "1", 20_000, share=0.5),
]
CORNER = [
    Case("AdaP-KLUCB", ("1/2", "999/1000"), "10", 20_000, "10", share=0.3),
    Case("AdaP-KLUCB", ("9/10", "9999/10000"), "100", 20_000, "10", share=0.3),
    Case("AdaP-KLUCB", ("1/1000", "1/20"), "100", 20_000, "10", share=0.02),
]
LONG = [Case("AdaP-KLUCB", ("1/2", "3/5"), "1", 1_000_000, share=0.05)]
RUNS = study("thesis-adap-klucb-regret", [*CASES, *CERTAIN, *CORNER, *LONG], 40_000, 400_000)

# ---------------------------------------------------------------------------------------------------------------- T5.4


def bound_of_5_4(case: Case, first: float, second: float, top: float, pairwise: bool) -> float:
    """With C_1 = first beta and C_2 = second, both times d/Delta^2 if `pairwise`; d(mu_a, 1) is infinite."""
    best, epsilon, beta = max(case.exact), float(Fraction(case.budget)), float(Fraction(case.beta))
    total = 0.0
    for mean, gap in ((float(m), float(best - m)) for m in case.exact if m < best):
        divergence = float("inf") if best == 1 else float(kl_bernoulli(mean, float(best)))
        ratio = divergence / gap**2 if pairwise else 1.0
        least = min(divergence, ratio * second * epsilon * gap)
        total += first * beta * ratio * gap * log_horizon(case) / least + additive(case, top)
    return total


parts_decide(
    "ALG-T5.4",
    r"Bernoulli rewards, $\beta>3$, 'constants $C_1(\beta),C_2>0$': $\mathrm{Reg}_T(\text{AdaP-KLUCB})\le"
    r"\sum_{\Delta_a>0}\Big(\frac{C_1(\beta)\Delta_a\log T}{\min\{d(\mu_a,\mu^\star),C_2\varepsilon\Delta_a\}}+"
    r"\frac{3\beta}{\beta-3}\Big)$",
)


@claim(
    "ALG-T5.4/constants-of-the-pair",
    r"$\mu^\star<1$: the bound with $C_1=<first>\beta\,\frac{d(\mu_a,\mu^\star)}{\Delta_a^2}$ and "
    r"$C_2=\frac{d(\mu_a,\mu^\star)}{\Delta_a^2}$, which depend on the two means; the last summand is "
    r"$\frac{<top>\beta}{\beta-3}$",
    domain=BERNOULLI, constants={"first": 16, "top": 3},
    mutations=[mutation("a quarter of beta, nothing besides", first="1/4", top=0, gradual=False)],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def regret_of_adap_klucb(check: Check) -> None:
    first, top = (float(check.constants[name]) for name in ("first", "top"))
    mean_regret_at_most(check, RUNS, CASES, lambda case: bound_of_5_4(case, first, 1.0, top, True))
    if not check.refuted:
        data = derivation(FACTS, f"{PINSKER_JOINT}; then as for Theorem 5.3: {EVERY_BLOCK}; {BLOCKS}")
        check.certificate(facts_hold, data, routes=COMPOSED)


@claim(
    "ALG-T5.4/edge-best-mean-one",
    r"$\mu^\star=1$, where $d(\mu_a,1)=\infty$ and the bound is $\frac{C_1\log T}{C_2\varepsilon}+\frac{<top>\beta}"
    r"{\beta-3}$, with $C_1=<first>\beta$ and $C_2=1$; with a large budget nothing but the last summand is left",
    domain=BERNOULLI, constants={"first": 16, "top": 3},
    mutations=[mutation("nothing besides a hundredth", first="1/100", top=0, gradual=False)],
    role="edge", strongest="certificate", studies=[RUNS],
)  # fmt: skip
def regret_against_a_certain_arm(check: Check) -> None:
    """The optimism (C.9) fails there with <=, see ALG-EQC.9; with < the argument goes through."""
    first, top = (float(check.constants[name]) for name in ("first", "top"))
    check.could_not("certificate", "the argument gives a summand log(T)/d(mu_a + Delta/2, mu_a) that does not fall in "
                    "the budget")  # fmt: skip
    mean_regret_at_most(check, RUNS, CERTAIN, lambda case: bound_of_5_4(case, first, 1.0, top, False))


@claim(
    "ALG-T5.4/one-constant-for-all",
    r"with $C_1=<first>\beta$, $C_2=1$ for every pair of means: at means near 0 and 1, where $d(\mu_a,\mu^\star)$ is "
    r"many times $\Delta_a^2$",
    domain=BERNOULLI, constants={"first": 16, "top": 3},
    mutations=[mutation("nothing besides a hundredth", first="1/100", top=0, gradual=False)],
    role="reading", strongest="certificate", studies=[RUNS],
)  # fmt: skip
def constants_for_every_pair(check: Check) -> None:
    first, top = (float(check.constants[name]) for name in ("first", "top"))
    check.could_not("certificate", "for mu* near 1 the argument needs log(T)/d(mu*, mu_a) samples, see "
                    "ALG-T5.4/constants-of-the-proof")  # fmt: skip
    mean_regret_at_most(check, RUNS, CORNER, lambda case: bound_of_5_4(case, first, 1.0, top, False))


def samples_for_a_deviation(logit: Any, constant: Any) -> Sides:
    """a = 1/2, y = e^h/(1 + e^h): kl(a, y) = log cosh(h/2) against (C_1/4) kl(1, 1/2)."""
    divergence = logit / 2 + log1p(exp(-logit)) - log(to_ball(2))
    return divergence, "<=", constant / 4 * log(to_ball(2))


@claim(
    "ALG-T5.4/constants-of-the-proof",
    r"'$C_1(\beta)$' depends on $\beta$ alone (here $C_1=<constant>$), as the infimum that defines it in the proof: "
    r"$\gamma_{\ell,T}\le1$ asks for $2^\ell\ge\frac{\log T}{d(\mu^\star,\mu_a)}$, so $d(\mu_a,\mu^\star)\le\frac{C_1}4"
    r"d(\mu^\star,\mu_a)$ whenever $C_2\varepsilon\Delta_a\ge d(\mu_a,\mu^\star)$; at $\mu_a=\frac12$, "
    r"$\mu^\star=\frac{e^h}{1+e^h}$",
    domain=Domain.of(logit="(0, inf)"), constants={"constant": 10**6}, role="reading",
)  # fmt: skip
def constants_of_the_infimum(check: Check) -> None:
    """d(1/2, y) grows without bound as y tends to 1, d(y, 1/2) stays below log 2: no constant will do."""
    check.counterexample(samples_for_a_deviation, {"logit": Fraction(10**7)})


# ------------------------------------------------------------------------------------------------------------- ALG-RC.8


@claim("ALG-RC.8/pinsker", **PINSKER)
def divergence_and_gap(check: Check) -> None:
    entropy_at_least(check)


@claim(
    "ALG-RC.8",
    r"AdaP-KLUCB has the gap-free bound of AdaP-UCB, with the same constants: $\mathrm{Reg}_T\le<root>\sqrt{\beta KTL}+"
    r"\frac{<first>\beta KL}\varepsilon+\frac{<top>\beta}{\beta-3}\sum_a\Delta_a$",
    domain=BERNOULLI, constants={"root": 8, "first": 16, "top": 3, "four": 4},
    mutations=[mutation("a hundredth", root="1/100", first="1/100", top=0, gradual=False)],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def gap_free_regret_of_adap_klucb(check: Check) -> None:
    """Not through Theorem 5.4, whose constants depend on the means: the proof of Theorem 5.3 works for this index."""
    root, first, top = (float(check.constants[name]) for name in ("root", "first", "top"))
    mean_regret_at_most(check, RUNS, LONG, lambda case: bound_of_c_7(case, root, first, top))
    if not check.refuted:
        facts = [*FACTS, fact(split_at_a_gap, SPLIT, any_split)]
        data = derivation(facts, f"{PINSKER_JOINT}; {SPLIT_JOINT}; {EVERY_BLOCK}; {BLOCKS}")
        check.certificate(gap_free_facts, data, routes=COMPOSED)
