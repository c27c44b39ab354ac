r"""The regret of AdaC-UCB and its proof: ALG-T5.6, PC.2.6, PC.2.6c, S5.3a.

L = log T, n = 2^l the length of an episode, b^2 = (1/(2n) + 1/(rho n^2)) beta L the squared width of the index.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.episodic_runs import Case, mean_regret_at_most, study
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_adap_regret import SPLIT, additive, log_horizon, symbols
from banditproof.paper_checks.thesis_adaptive_episodes import COMPOSED, EVERY_BLOCK, TERM_2_FACTS, TERM_2_JOINT
from banditproof.paper_checks.thesis_private_concentration import any_proxies, variance_proxies_add_up
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
EVERY = Domain.of(
    means="all: every bandit with rewards in [0, 1]", rho="(0, inf)", beta="(3, inf)", horizon="integer [1, inf)"
)
CASES = [
    Case("AdaC-UCB", ("2/5", "9/10"), "1/2", 20_000),
    Case("AdaC-UCB", ("1/2", "3/4"), "1/1000", 20_000, "4", share=0.3),
    Case("AdaC-UCB", ("0", "1"), "1/10000", 20_000, share=0.3),
    Case("AdaC-UCB", ("1/4", "3/8", "1/2", "5/8", "3/4"), "1", 20_000, share=0.1),
]
LONG = [
    Case("AdaC-UCB", ("1/2", "3/5"), "1/2", 1_000_000),
    Case("AdaC-UCB", ("0", "1"), "1/10000", 1_000_000, share=0.3),
]
RUNS = study("thesis-adac-ucb-regret", CASES, 100_000, 400_000)
LONG_RUNS = study("thesis-adac-ucb-long-runs", LONG, 100_000, 200_000)

# ----------------------------------------------------------------------------------------------------------- ALG-PC.2.6

parts_decide(
    "ALG-PC.2.6",
    r"(C.19) the generic bound; (C.20) $\Delta_a<2b_{\ell,T}\Rightarrow2^\ell<\frac{2\beta L}{\Delta_a^2}+2\sqrt{"
    r"\frac{\beta L}{\rho\Delta_a^2}}$; (C.21) $\mathbb E[N_a(T)]\le\frac{8\beta L}{\Delta_a^2}+8\sqrt{\frac{\beta L}"
    r"{\rho\Delta_a^2}}+\frac{2\beta}{\beta-3}$",
)


def generic_additive(excess: Any, tail: Any, top: Any) -> Sides:
    """top T P(G^c) + 3/(beta-3) for every longer episode, without an initial pull, against (C.19), tail = T^(1-beta).

    The repaired generic bound has the sum of 2^(m+1) below T, at most 2T, times the probability tail/T to mislead.
    """
    return top * tail + 3 / excess, "<=", tail + (3 + excess) / excess


def any_tail(top: Any) -> SymbolicArgument:
    excess, w = symbols("b", positive=True), symbols("w", nonnegative=True)
    return SymbolicArgument({"excess": excess, "tail": 1 / (1 + w)}, w / (1 + w), "nonnegative")


@claim(
    "ALG-PC.2.6/generic",
    r"(C.19) at the chosen $\ell$: what every longer episode adds, $<top>T\,T^{-\beta}+\frac3{\beta-3}$, is at most "
    r"the $T\,T^{-\beta}+\frac\beta{\beta-3}$ of (C.19), the initial pull being counted once",
    domain=Domain.of(excess="(0, inf)", tail="(0, 1]"), constants={"top": 2}, mutations=[mutation("2.1", top="2.1")],
    strongest="symbolic",
)  # fmt: skip
def generic_bound_at_the_choice(check: Check) -> None:
    """The generic bound itself, ALG-TC.4, needs the episodes after the chosen one; here they fit."""
    if not check.search(generic_additive, [{"excess": Fraction(1), "tail": Fraction(1)}], rational=True):
        check.symbolic(generic_additive, any_tail)


def width_from_the_choice_on(gap: Any, level: Any, p: Any, excess: Any, two: Any) -> Sides:
    """n^2 (Delta^2 - 4 b^2) at n = two (level/Delta^2 + p/Delta) + excess; level = beta L, p^2 = level/rho."""
    n = two * (level / gap**2 + p / gap) + excess
    return gap**2 * n**2, ">=", 2 * level * n + 4 * p**2


def any_choice(two: Any) -> SymbolicArgument:
    gap, level, p = symbols("g l p", positive=True)
    e = symbols("e", nonnegative=True)
    certificate = 4 * p * level / gap + e * (2 * level + 4 * p * gap) + gap**2 * e**2
    return SymbolicArgument({"gap": gap, "level": level, "p": p, "excess": e}, certificate, "positive")


@claim(
    "ALG-PC.2.6/choice",
    r"(C.20): $\Delta_a\ge2b_{\ell,T}$ from $2^\ell=<two>\Big(\frac{\beta L}{\Delta_a^2}+\sqrt{\frac{\beta L}"
    r"{\rho\Delta_a^2}}\Big)$ on",
    domain=Domain.of(gap="(0, inf)", level="(0, inf)", p="(0, inf)", excess="[0, inf)"), constants={"two": 2},
    mutations=[mutation("1.9", two="1.9")], strongest="symbolic",
)  # fmt: skip
def width_is_half_a_gap(check: Check) -> None:
    """The exact root is (beta L/Delta^2) (1 + sqrt(1 + 4 Delta^2/(rho beta L))), below this sum."""
    point = {"gap": Fraction(1), "level": Fraction(100), "p": Fraction(1, 100), "excess": Fraction(0)}
    if not check.search(width_from_the_choice_on, [point], rational=True):
        check.symbolic(width_from_the_choice_on, any_choice)


def pulls_from_the_choice(gap: Any, level: Any, p: Any, excess: Any, four: Any, top: Any) -> Sides:
    """four times the choice and 1 + beta/(beta-3) against (C.21); beta = 3 + excess."""
    left = four * (2 * level / gap**2 + 2 * p / gap) + 1 + (3 + excess) / excess
    return left, "<=", 8 * level / gap**2 + 8 * p / gap + top * (3 + excess) / excess


def any_pulls(four: Any, top: Any) -> SymbolicArgument:
    gap, level, p, b = symbols("g l p b", positive=True)
    certificate = (top - 1) * (3 + b) / b - 1
    import sympy

    return SymbolicArgument(
        {"gap": gap, "level": level, "p": p, "excess": b}, sympy.simplify(certificate), "nonnegative"
    )  # fmt: skip


@claim(
    "ALG-PC.2.6/pulls",
    r"(C.21): $2^{\ell+1}\le<four>\Big(\frac{2\beta L}{\Delta_a^2}+2\sqrt{\frac{\beta L}{\rho\Delta_a^2}}\Big)$ and "
    r"$T^{1-\beta}+\frac\beta{\beta-3}\le\frac{<top>\beta}{\beta-3}$",
    domain=Domain.of(gap="(0, inf)", level="(0, inf)", p="(0, inf)", excess="(0, inf)"),
    constants={"four": 4, "top": 2}, mutations=[mutation("4.1", four="4.1"), mutation("1.9", top="1.9")],
    strongest="symbolic",
)  # fmt: skip
def pulls_of_adac_ucb(check: Check) -> None:
    points = [
        {"gap": Fraction(1), "level": Fraction(level), "p": Fraction(1), "excess": Fraction(excess)}
        for level, excess in ((1000, 1), (1, 100))
    ]
    if not check.search(pulls_from_the_choice, points, rational=True):
        check.symbolic(pulls_from_the_choice, any_pulls)


# ------------------------------------------------------------------------------------------------------------- ALG-T5.6

CHOICE = fact(
    width_from_the_choice_on, Domain.of(gap="(0, inf)", level="(0, inf)", p="(0, inf)", excess="[0, inf)"), any_choice
)
PROXIES = fact(
    variance_proxies_add_up, Domain.of(n="(0, inf)", rho="(0, inf)", level="(0, inf)"), any_proxies
)  # fmt: skip
GENERIC = fact(generic_additive, Domain.of(excess="(0, inf)", tail="(0, 1]"), any_tail)
FACTS = [CHOICE, PROXIES, GENERIC, *TERM_2_FACTS]
FIXED = {"two": Fraction(2), "share": Fraction(1)}
JOINT = (
    f"{EVERY_BLOCK}; from the chosen l on an index exceeds mu* with probability at most T^-beta (ALG-LC.9); 2^(l+1) is "
    "at most four times the choice, which exceeds 1/2 for T >= 2, and T = 1 has one pull; gaps are at most 1; "
    f"{TERM_2_JOINT}"
)


def proof_holds(data: Any, **constants: Any) -> tuple[int, str, int]:
    """The facts with the constants of the argument; `top` is their own there."""
    return facts_hold(data, **{**constants, **FIXED, "top": Fraction(2)})


def bound_of_5_6(case: Case, first: float, second: float, top: float) -> float:
    beta, rho, L = float(Fraction(case.beta)), float(Fraction(case.budget)), log_horizon(case)
    gaps = (float(gap) for gap in case.gaps if gap)
    return sum(first * beta * L / gap + second * (beta * L / rho) ** 0.5 + additive(case, top) for gap in gaps)


parts_decide(
    "ALG-T5.6",
    r"AdaC-UCB, rewards in $[0,1]$, $\beta>3$: $\mathrm{Reg}_T\le\sum_{\Delta_a>0}\Big(\frac{8\beta\log T}{\Delta_a}+"
    r"8\sqrt{\frac{\beta\log T}\rho}+\frac{2\beta}{\beta-3}\Big)$, and $\mathrm{Reg}_T=\mathcal O(\sqrt{KT\log T})+"
    r"\mathcal O(K\sqrt{\log(T)/\rho})$",
)


@claim(
    "ALG-T5.6/gap-dependent",
    r"$\mathrm{Reg}_T\le\sum_{\Delta_a>0}\Big(\frac{<first>\beta\log T}{\Delta_a}+<second>\sqrt{\frac{\beta\log T}"
    r"\rho}+\frac{<top>\beta}{\beta-3}\Big)$",
    domain=EVERY, constants={"first": 8, "second": 8, "top": 2},
    mutations=[mutation("a twentieth, nothing besides", first="2/5", second="2/5", top=0, gradual=False)],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def regret_of_adac_ucb(check: Check) -> None:
    first, second, top = (float(check.constants[name]) for name in ("first", "second", "top"))
    mean_regret_at_most(check, RUNS, CASES, lambda case: bound_of_5_6(case, first, second, top))
    if not check.refuted:
        check.certificate(proof_holds, derivation(FACTS, JOINT), routes=COMPOSED)


def bound_of_c_21(case: Case, first: float, second: float, top: float) -> float:
    """Theorem 5.6 with the gap in front of the additive constant."""
    whole = bound_of_5_6(case, first, second, 0)
    return whole + additive(case, top) * float(sum(case.gaps))


@claim(
    "ALG-PC.2.6/expected-pulls",
    r"(C.21), summed over the suboptimal arms with their gaps: $\sum_a\Delta_a\mathbb E[N_a(T)]\le"
    r"\sum_{\Delta_a>0}\Big(\frac{<first>\beta L}{\Delta_a}+<second>\sqrt{\frac{\beta L}\rho}+"
    r"\Delta_a\frac{<top>\beta}{\beta-3}\Big)$",
    domain=EVERY, constants={"first": 8, "second": 8, "top": 2},
    mutations=[mutation("a twentieth, nothing besides", first="2/5", second="2/5", top=0, gradual=False)],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def expected_pulls_of_adac_ucb(check: Check) -> None:
    first, second, top = (float(check.constants[name]) for name in ("first", "second", "top"))
    mean_regret_at_most(check, RUNS, CASES, lambda case: bound_of_c_21(case, first, second, top))
    if not check.refuted:
        check.certificate(proof_holds, derivation(FACTS, JOINT), routes=COMPOSED)


def additive_is_of_the_order(arms: Any, more: Any, level: Any, two: Any) -> Sides:
    """(sum of gaps)^2 <= K^2 against two K T L, T = K + more, L >= 1/2."""
    return arms**2, "<=", two * arms * (arms + more) * level


def any_horizon(two: Any) -> SymbolicArgument:
    k, more, extra = symbols("k m e", nonnegative=True)
    arms = 2 + k
    certificate = arms * more + arms * (arms + more) * extra
    return SymbolicArgument({"arms": arms, "more": more, "level": (1 + extra) / 2}, certificate, "nonnegative")


@claim(
    "ALG-T5.6/order",
    r"the gap-free bound has the stated order: for $T\ge K$ the summand that it does not show has "
    r"$(\sum_a\Delta_a)^2\le K^2\le<two>\,KT\log T$; for $T<K$ the regret is at most $T\le\sqrt{KT}$",
    domain=Domain.of(arms="[2, inf)", more="[0, inf)", level="[1/2, inf)"), constants={"two": 2},
    mutations=[mutation("1.9", two="1.9")], strongest="symbolic",
)  # fmt: skip
def order_of_the_gap_free_bound(check: Check) -> None:
    """The explicit bound is ALG-PC.2.6c."""
    if not check.search(additive_is_of_the_order, [{"arms": 2, "more": 0, "level": Fraction(1, 2)}]):
        check.symbolic(additive_is_of_the_order, any_horizon)


# ---------------------------------------------------------------------------------------------------------- ALG-PC.2.6c


def split_at_a_gap(horizon: Any, arms: Any, level: Any, eight: Any, root: Any) -> Sides:
    """(T Delta + 8 K beta L / Delta)^2 at Delta^2 = eight beta K L / T against root^2 2 beta K T L."""
    square = eight * arms * level / horizon  # of Delta
    return (horizon * square + 8 * arms * level) ** 2, "<=", root**2 * 2 * arms * horizon * level * square


def any_split(eight: Any, root: Any) -> SymbolicArgument:
    T, K, level = symbols("T K L", positive=True)
    certificate = (2 * root**2 * eight - (eight + 8) ** 2) * (K * level) ** 2
    return SymbolicArgument({"horizon": T, "arms": K, "level": level}, certificate, "nonnegative")


@claim(
    "ALG-PC.2.6c/split",
    r"$T\Delta+\frac{8\beta KL}\Delta\le<root>\sqrt{2\beta KTL}$ at $\Delta=\sqrt{<eight>\beta KL/T}$ (squared), the "
    r"smallest value of the sum",
    domain=SPLIT, constants={"eight": 8, "root": 4}, mutations=[mutation("3.9", root="3.9"), mutation("9", eight=9)],
    strongest="symbolic",
)  # fmt: skip
def split_of_the_arms(check: Check) -> None:
    if not check.search(split_at_a_gap, [{"horizon": Fraction(1), "arms": Fraction(1), "level": Fraction(1)}]):
        check.symbolic(split_at_a_gap, any_split, routes=("both summands", "the rate"))


def bound_of_c_2_6(case: Case, root: float, second: float, top: float) -> float:
    beta, rho, L, K = float(Fraction(case.beta)), float(Fraction(case.budget)), log_horizon(case), len(case.means)
    rate = root * (2 * beta * K * case.horizon * L) ** 0.5 + second * K * (beta * L / rho) ** 0.5
    return rate + additive(case, top) * float(sum(case.gaps))


GAP_FREE: dict[str, Any] = {"domain": EVERY, "strongest": "certificate", "studies": [LONG_RUNS]}
SHRUNK = mutation("a hundredth", root="1/100", second="1/100", top=0, gradual=False)
GAP_FREE_BOUND = (
    r"$\mathrm{Reg}_T\le<root>\sqrt{2\beta KTL}+<second>K\sqrt{\frac{\beta L}\rho}+\frac{<top>\beta}{\beta-3}"
    r"\sum_a\Delta_a$"
)


def gap_free(check: Check) -> None:
    root, second, top = (float(check.constants[name]) for name in ("root", "second", "top"))
    mean_regret_at_most(check, LONG_RUNS, LONG, lambda case: bound_of_c_2_6(case, root, second, top))
    if not check.refuted:
        facts = [*FACTS, fact(split_at_a_gap, SPLIT, any_split)]
        joint = f"arms with gaps up to Delta cost at most T Delta, the others what (C.21) says of their pulls; {JOINT}"
        check.certificate(gap_free_proof_holds, derivation(facts, joint), routes=COMPOSED)


def gap_free_proof_holds(data: Any, **constants: Any) -> tuple[int, str, int]:
    return proof_holds(data, eight=Fraction(8), **constants)


@claim("ALG-PC.2.6c", GAP_FREE_BOUND, constants={"root": 4, "second": 8, "top": 3}, mutations=[SHRUNK], **GAP_FREE)
def gap_free_regret(check: Check) -> None:
    """(C.21) has 2 beta/(beta - 3) per arm; the last two lines of the proof have 3, which is more."""
    gap_free(check)


@claim(
    "ALG-PC.2.6c/smaller-additive-constant", GAP_FREE_BOUND + ", with the additive constant of Theorem 5.6",
    constants={"root": 4, "second": 8, "top": 2}, mutations=[SHRUNK], role="implication", **GAP_FREE,
)  # fmt: skip
def gap_free_regret_with_two(check: Check) -> None:
    gap_free(check)


# ------------------------------------------------------------------------------------------------------------ ALG-S5.3a


def ratio_of_private_terms(arms: Any, level: Any, rho: Any, power: Any) -> Sides:
    """K sqrt(L/rho) against sqrt(K^power L) sqrt(K/rho), squared."""
    return arms**2 * level / rho, "==", arms**power * level * arms / rho


def any_problem(power: Any) -> SymbolicArgument:
    K, L, rho = symbols("K L rho", positive=True)
    return SymbolicArgument({"arms": K, "level": L, "rho": rho}, 0 * K, "zero")


PRIVATE_TERMS = Domain.of(arms="(0, inf)", level="(0, inf)", rho="(0, inf)")
parts_decide(
    "ALG-S5.3a",
    r"the gap-free bound matches Theorem 4.20, $\Omega(\max\{\sqrt{KT},\sqrt{K/\rho}\})$, up to $\sqrt{\log T}$ and a "
    r"factor $\sqrt K$ in the private term",
)


@claim(
    "ALG-S5.3a/private-term",
    r"$K\sqrt{\log(T)/\rho}=\sqrt{K^{<power>}\log T}\cdot\sqrt{K/\rho}$",
    domain=PRIVATE_TERMS, constants={"power": 1}, mutations=[mutation("no factor of K", power=0)], strongest="symbolic",
)  # fmt: skip
def private_terms(check: Check) -> None:
    if not check.search(ratio_of_private_terms, [{"arms": Fraction(2), "level": Fraction(1), "rho": Fraction(1)}]):
        check.symbolic(ratio_of_private_terms, any_problem)


def ratio_of_other_terms(arms: Any, horizon: Any, level: Any, two: Any) -> Sides:
    """(sqrt(K T L))^2 against two L T (K - 1)."""
    return arms * horizon * level, "<=", two * level * horizon * (arms - 1)


def any_other_problem(two: Any) -> SymbolicArgument:
    T, L = symbols("T L", positive=True)
    k = symbols("k", nonnegative=True)
    return SymbolicArgument({"arms": 2 + k, "horizon": T, "level": L}, k * T * L, "nonnegative")


@claim(
    "ALG-S5.3a/other-term",
    r"$\sqrt{KT\log T}\le\sqrt{<two>\log T}\,\sqrt{(K-1)T}$ for $K\ge2$",
    domain=Domain.of(arms="[2, inf)", horizon="(0, inf)", level="(0, inf)"), constants={"two": 2},
    mutations=[mutation("1.9", two="1.9")], strongest="symbolic",
)  # fmt: skip
def other_terms(check: Check) -> None:
    point = {"arms": Fraction(2), "horizon": Fraction(1), "level": Fraction(1)}
    if not check.search(ratio_of_other_terms, [point], rational=True):
        check.symbolic(ratio_of_other_terms, any_other_problem)
