r"""The regret of AdaP-UCB and its proof: ALG-T5.3, EQC.11-13, TC.7, S5.2b, S5.2f.

Write L = log T, and n = 2^l for the length of an episode. The proof asks that the index, which exceeds the mean of
its samples by w = sqrt(beta L / (2n)) + beta L / (epsilon n), lies below mu* unless these samples are off by w as well,
which has probability (3/2) T^-beta. Being off by sqrt(L / (2n)) + L / (epsilon n) already has probability 3/(2T), which
is small enough: that is how the bound of Theorem 5.3 holds although (C.12) does not.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.episodic_runs import Case, mean_regret_at_most, study
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_adaptive_episodes import COMPOSED, EVERY_BLOCK, TERM_2_FACTS, TERM_2_JOINT, symbols
from banditproof.paper_checks.thesis_private_concentration import HOEFFDING, HOEFFDING_WIDTH, LAPLACE, UNION
from banditproof.theory.numeric import log, maximum, minimum, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
EVERY = Domain.of(
    means="all: every bandit with rewards in [0, 1]", epsilon="(0, inf)", beta="(3, inf)", horizon="integer [1, inf)"
)
CASES = [
    Case("AdaP-UCB", ("2/5", "9/10"), "1", 20_000),
    Case("AdaP-UCB", ("1/2", "3/4"), "1/4", 20_000, share=0.3),  # gap = epsilon
    Case("AdaP-UCB", ("1/2", "3/4"), "1/2", 20_000, share=0.3),  # 2 gap = epsilon
    Case("AdaP-UCB", ("0", "1"), "1/10", 20_000, "4", share=0.3),
    Case("AdaP-UCB", ("1/4", "3/8", "1/2", "5/8", "3/4"), "1", 20_000, share=0.1),
]
LONG = [Case("AdaP-UCB", ("1/2", "3/5"), "1", 1_000_000), Case("AdaP-UCB", ("0", "1"), "1/10", 1_000_000, share=0.3)]
RUNS = study("thesis-adap-ucb-regret", CASES, 100_000, 400_000)
LONG_RUNS = study("thesis-adap-ucb-long-runs", LONG, 100_000, 200_000)


def additive(case: Case, top: float) -> float:
    beta = float(Fraction(case.beta))
    return top * beta / (beta - 3)


def log_horizon(case: Case) -> float:
    return float(log(to_ball(case.horizon)))


# --------------------------------------------------------------------------------- how the bound of Theorem 5.3 follows


def told_apart(q: Any, first: Any = 16) -> Sides:
    """Both widths and both deviations at n = (first/4) beta L / (Delta m), m = min{Delta, epsilon}, over Delta.

    q = 1/sqrt(beta) < 1/sqrt(3) < 3/5; sqrt(Delta m) <= Delta and m <= epsilon give the largest value.
    """
    return (1 + q) * sqrt(2 / (to_ball(1) * first)) + (1 + q * q) * 4 / first, "<=", 1 + 0 * q


def all_of_it(excess: Any, top: Any) -> Sides:
    """3 + 3/(beta - 3), for misleading indices and for Term 2, against top beta/(beta - 3); beta = 3 + excess."""
    return 3 + 3 / excess, "<=", top * (3 + excess) / excess


def any_optimism(top: Any) -> SymbolicArgument:
    excess = symbols("b", positive=True)
    return SymbolicArgument({"excess": excess}, (top - 3) + 3 * (top - 1) / excess, "positive")


BLOCKS = (
    f"the sum of 2^(m+1) below T is at most 2T, and each index misleads with probability at most 3/(2T): {UNION}; l is "
    "the smallest with 2^l >= 4 beta L / (Delta min), which exceeds 1/2, so 2^(l+1) is at most four times that; gaps "
    "are at most 1; for T = 1 there is one pull"
)
FACTS = [
    fact(told_apart, Domain.of(q="[0, 3/5]")), fact(all_of_it, Domain.of(excess="(0, inf)"), any_optimism),
    LAPLACE, HOEFFDING, HOEFFDING_WIDTH, *TERM_2_FACTS,
]  # fmt: skip
EXPLICIT = derivation(FACTS, f"{EVERY_BLOCK}; {BLOCKS}; {TERM_2_JOINT}")


def bound_of_5_3(case: Case, first: float, top: float) -> float:
    least = (min(float(gap), float(Fraction(case.budget))) for gap in case.gaps if gap)
    beta = float(Fraction(case.beta))
    return sum(first * beta * log_horizon(case) / x + additive(case, top) for x in least)


@claim(
    "ALG-T5.3",
    r"rewards in $[0,1]$, $\beta>3$: $\mathrm{Reg}_T(\text{AdaP-UCB})\le\sum_{\Delta_a>0}\Big(\frac{<first>\beta\log T}"
    r"{\min\{\Delta_a,\varepsilon\}}+\frac{<top>\beta}{\beta-3}\Big)$",
    domain=EVERY, constants={"first": 16, "top": 3},
    mutations=[mutation("beta / 2 for 16 beta, nothing besides", first="1/2", top=0, gradual=False)],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def regret_of_adap_ucb(check: Check) -> None:
    """Not through (C.12): see ALG-EQC.11-13. The additive constant is stated without the gap, which is at most 1."""
    first, top = (float(check.constants[name]) for name in ("first", "top"))
    mean_regret_at_most(check, RUNS, CASES, lambda case: bound_of_5_3(case, first, top))
    if not check.refuted:
        check.certificate(facts_hold, EXPLICIT, routes=COMPOSED)


# -------------------------------------------------------------------------------------------------------- ALG-EQC.11-13

parts_decide(
    "ALG-EQC.11-13",
    r"$\gamma=\Delta_a-2\sqrt{\frac{\beta L}{2\cdot2^\ell}}-\frac{2\beta L}{\varepsilon2^\ell}$ is positive for "
    r"$\ell=\lceil\log_2\frac{4\beta L}{\Delta_a\min\{\varepsilon,2\Delta_a\}}\rceil$, by the implications (C.12); "
    r"hence (C.13): $\mathbb E[N_a(T)]\le\frac{16\beta L}{\Delta_a\min\{\varepsilon,2\Delta_a\}}+"
    r"\frac{3\beta}{\beta-3}$",
)


def rewritten(mean: Any, gap: Any, width: Any, twice: Any) -> Sides:
    """mean of the samples + w >= mu* is the same as mean - w >= mu_a + gamma."""
    best, gamma = mean + gap, gap - twice * width
    return best - width, "==", mean + gamma + width


def any_width(twice: Any) -> SymbolicArgument:
    mean, width = symbols("m w", real=True)
    return SymbolicArgument({"mean": mean, "gap": symbols("g", positive=True), "width": width}, 0 * width, "zero")


@claim(
    "ALG-EQC.11-13/event",
    r"$\mathbb P(G^c)=\mathbb P(\hat\mu+\mathrm{Lap}-w\ge\mu_a+\gamma)$ with $\gamma=\Delta_a-<twice>w$, $w$ the width "
    r"of the index at $T$",
    domain=Domain.of(mean="(-inf, inf)", gap="(0, inf)", width="(-inf, inf)"), constants={"twice": 2},
    mutations=[mutation("1.9", twice="1.9")], strongest="symbolic",
)  # fmt: skip
def complement_of_the_good_event(check: Check) -> None:
    if not check.search(rewritten, [{"mean": Fraction(0), "gap": Fraction(1), "width": Fraction(1)}]):
        check.symbolic(rewritten, any_width)


def gamma_from_the_root_on(gap: Any, half: Any, u: Any, excess: Any, four: Any) -> Sides:
    """n gamma at sqrt n = root + excess; half = sqrt(beta L / 2), u = sqrt(1 + four Delta/epsilon) > 1."""
    over_epsilon = (u * u - 1) / (four * gap)
    x = half / gap * (1 + u) + excess
    return gap * x * x - 2 * half * x - 4 * half * half * over_epsilon, ">=", 0


def any_excess(four: Any) -> SymbolicArgument:
    gap, half, v = symbols("g s v", positive=True)
    e = symbols("e", nonnegative=True)
    u = 1 + v
    certificate = 2 * half * u * e + gap * e * e
    return SymbolicArgument({"gap": gap, "half": half, "u": u, "excess": e}, certificate, "nonnegative")


@claim(
    "ALG-EQC.11-13/first-implication",
    r"$\gamma<0\Rightarrow\sqrt{2^\ell}<\sqrt{\frac{\beta L}{2\Delta_a^2}}\big(1+\sqrt{1+<four>\frac{\Delta_a}"
    r"\varepsilon}\big)$: from that value on $\gamma\ge0$",
    domain=Domain.of(gap="(0, inf)", half="(0, inf)", u="(1, inf)", excess="[0, inf)"), constants={"four": 4},
    mutations=[mutation("3.9", four="3.9")], strongest="symbolic",
)  # fmt: skip
def root_of_gamma(check: Check) -> None:
    point = {"gap": Fraction(1, 2), "half": Fraction(1), "u": Fraction(2), "excess": Fraction(0)}
    if not check.search(gamma_from_the_root_on, [point], rational=True):
        check.symbolic(gamma_from_the_root_on, any_excess, routes=("n gamma", "a quadratic beyond its larger root"))


def square_of_the_root(u: Any, eight: Any) -> Sides:
    """(1 + sqrt(1 + 4r))^2 against 4 + eight r, with u = sqrt(1 + 4r)."""
    return (1 + u) ** 2, "<=", 4 + eight * (u * u - 1) / 4


def any_ratio(eight: Any) -> SymbolicArgument:
    v = symbols("v", positive=True)
    return SymbolicArgument({"u": 1 + v}, v * v, "nonnegative")


@claim(
    "ALG-EQC.11-13/second-implication",
    r"$\big(1+\sqrt{1+\frac{4\Delta_a}\varepsilon}\big)^2\le4+\frac{<eight>\Delta_a}\varepsilon$",
    domain=Domain.of(u="(1, inf)"), constants={"eight": 8}, mutations=[mutation("7.9", eight="7.9")],
    strongest="symbolic",
)  # fmt: skip
def sum_of_two_terms(check: Check) -> None:
    if not check.search(square_of_the_root, [{"u": Fraction(101, 100)}], rational=True):
        check.symbolic(square_of_the_root, any_ratio)


def sum_against_maximum(gap: Any, epsilon: Any, factor: Any) -> Sides:
    """Both sides of the last implication over beta L."""
    return (4 + 8 * gap / epsilon) / (2 * gap**2), "<=", factor / (gap * minimum(epsilon, 2 * gap))


@claim(
    "ALG-EQC.11-13/third-implication",
    r"$\frac{\beta L}{2\Delta_a^2}\big(4+\frac{8\Delta_a}\varepsilon\big)\le\frac{<factor>\beta L}"
    r"{\Delta_a\min\{\varepsilon,2\Delta_a\}}$",
    domain=Domain.of(gap="(0, 1]", epsilon="(0, inf)"), constants={"factor": 4},
)  # fmt: skip
def maximum_of_two_terms(check: Check) -> None:
    """The left side is the sum of 2 beta L/Delta^2 and 4 beta L/(Delta epsilon), the right side their maximum."""
    check.counterexample(sum_against_maximum, {"gap": Fraction(1, 2), "epsilon": Fraction(1)}, rational=True)


def sum_against_noise(gap: Any, epsilon: Any, factor: Any) -> Sides:
    """The same for epsilon <= 2 Delta, and below for the other case."""
    return (4 + 8 * gap / epsilon) / (2 * gap**2), "<=", factor / (gap * epsilon)


def sum_against_rewards(gap: Any, epsilon: Any, factor: Any) -> Sides:
    return (4 + 8 * gap / epsilon) / (2 * gap**2), "<=", factor / (2 * gap**2)


@claim(
    "ALG-EQC.11-13/third-implication-repaired",
    r"$\frac{\beta L}{2\Delta_a^2}\big(4+\frac{8\Delta_a}\varepsilon\big)\le\frac{<factor>\beta L}"
    r"{\Delta_a\min\{\varepsilon,2\Delta_a\}}$",
    domain=Domain.of(gap="(0, 1]", epsilon="(0, inf)"), constants={"factor": 8},
    mutations=[mutation("7.9", factor="7.9")], role="repair", repairs="ALG-EQC.11-13/third-implication",
    strongest="symbolic",
)  # fmt: skip
def sum_is_at_most_twice_the_maximum(check: Check) -> None:
    if not check.search(sum_against_maximum, [{"gap": Fraction(1, 2), "epsilon": Fraction(1)}], rational=True):
        small = check.domain.restrict(where=["epsilon <= 2 * gap"])
        large = check.domain.restrict(where=["epsilon > 2 * gap"])
        check.symbolic(sum_against_noise, noise_decides, small)
        check.symbolic(sum_against_rewards, rewards_decide, large)


def _gap() -> Any:
    w = symbols("w", nonnegative=True)
    return 1 / (1 + w)


def noise_decides(factor: Any) -> SymbolicArgument:
    """epsilon <= 2 gap."""
    gap, y = _gap(), symbols("y", nonnegative=True)
    epsilon = 2 * gap / (1 + y)
    return SymbolicArgument({"gap": gap, "epsilon": epsilon}, 2 * y / gap**2, "nonnegative")


def rewards_decide(factor: Any) -> SymbolicArgument:
    gap, y = _gap(), symbols("y", positive=True)
    epsilon = 2 * gap * (1 + y)
    return SymbolicArgument({"gap": gap, "epsilon": epsilon}, 2 * y / (1 + y) / gap**2, "nonnegative")


def gamma_at_the_choice(gap: Any, epsilon: Any, beta: Any, horizon: int, factor: Any) -> Sides:
    """gamma at the smallest l with 2^l >= factor beta L / (Delta min{epsilon, 2 Delta})."""
    level = beta * log(to_ball(horizon))
    block = 1
    while not block >= factor * level / (gap * minimum(epsilon, 2 * gap)):
        block *= 2
    return gap - 2 * sqrt(level / (2 * block)) - 2 * level / (epsilon * block), ">=", 0


CHOICE = Domain.of(gap="(0, 1]", epsilon="(0, inf)", beta="(3, inf)", horizon="integer [2, inf)")


@claim(
    "ALG-EQC.11-13/choice",
    r"$\gamma\ge0$ at $\ell=\lceil\log_2\frac{<factor>\beta L}{\Delta_a\min\{\varepsilon,2\Delta_a\}}\rceil$",
    domain=CHOICE, constants={"factor": 4},
)  # fmt: skip
def gamma_is_positive(check: Check) -> None:
    """T = 54, beta = 4: 32 log T = 127.6 samples are asked for and 2^l = 128; the root of gamma lies at 238."""
    point = {"gap": Fraction(1, 2), "epsilon": Fraction(1), "beta": Fraction(4), "horizon": 54}
    check.counterexample(gamma_at_the_choice, point)


@claim(
    "ALG-EQC.11-13/choice-repaired",
    r"$\gamma\ge0$ at $\ell=\lceil\log_2\frac{<factor>\beta L}{\Delta_a\min\{\varepsilon,2\Delta_a\}}\rceil$, "
    r"$<factor>$ being above $4+2\sqrt3$",
    domain=CHOICE, constants={"factor": "7465/1000"}, mutations=[mutation("7.4", factor="7.4")],
    role="repair", repairs="ALG-EQC.11-13/choice", strongest="certificate",
)  # fmt: skip
def gamma_is_positive_later(check: Check) -> None:
    """The worst case is epsilon = 2 Delta, where (1 + sqrt 3)^2 / 2 . 2 is the root over beta L/Delta^2."""
    just_below_a_power = [(54, 4), (2981, 4), (4, 5), (1097, "8/1")]
    points = [
        {"gap": Fraction(gap), "epsilon": Fraction(e), "beta": Fraction(beta), "horizon": T}
        for gap, e in (("1/2", "1"), ("1/4", "1/2"), ("1", "1/3"), ("1/10", "5")) for T, beta in just_below_a_power
    ]  # fmt: skip
    if check.enumerate(gamma_at_the_choice, [*points, *TIGHT], routes=("gamma in balls", "0")):
        data = derivation(
            [fact(root_below, Domain.of(q="[0, 1]")), fact(root_below_too, Domain.of(q="[0, 1]"))],
            "gamma >= 0 from its root (beta L/(2 Delta^2)) (1 + sqrt(1 + 4r))^2 on; with r = q/2 <= 1/2 and r = 1/(2q) "
            ">= 1/2 it is at most factor beta L/(Delta min{epsilon, 2 Delta})",
        )
        check.certificate(facts_hold, data, routes=COMPOSED)


TIGHT = [{"gap": "1/2", "epsilon": "1", "beta": "16", "horizon": T} for T in (5, 9, 22, 74, 75, 5500)]


def root_below(q: Any, factor: Any = 8) -> Sides:
    """r = q/2: (1 + sqrt(1 + 2q))^2 / 2 against factor / 2."""
    return (1 + sqrt(1 + 2 * q)) ** 2, "<=", factor + 0 * q


def root_below_too(q: Any, factor: Any = 8) -> Sides:
    """r = 1/(2q): (1 + sqrt(1 + 2/q))^2 q against factor; multiplied out it has no division."""
    return (sqrt(q) + sqrt(q + 2)) ** 2, "<=", factor + 0 * q


def bound_of_c_13(case: Case, first: float, top: float) -> float:
    beta, epsilon = float(Fraction(case.beta)), float(Fraction(case.budget))
    gaps = (float(gap) for gap in case.gaps if gap)
    return sum(
        first * beta * log_horizon(case) / min(epsilon, 2 * gap) + gap * additive(case, top) for gap in gaps
    )  # fmt: skip


@claim(
    "ALG-EQC.11-13/pulls",
    r"(C.13), summed over the suboptimal arms with their gaps: $\sum_a\Delta_a\mathbb E[N_a(T)]\le\sum_a\Big("
    r"\frac{<first>\beta L}{\min\{\varepsilon,2\Delta_a\}}+\Delta_a\frac{<top>\beta}{\beta-3}\Big)$",
    domain=EVERY, constants={"first": 16, "top": 3},
    mutations=[mutation("beta / 2 for 16 beta, nothing besides", first="1/2", top=0, gradual=False)],
    strongest="certificate", studies=[RUNS],
)  # fmt: skip
def pulls_of_adap_ucb(check: Check) -> None:
    first, top = (float(check.constants[name]) for name in ("first", "top"))
    mean_regret_at_most(check, RUNS, CASES, lambda case: bound_of_c_13(case, first, top))
    if not check.refuted:
        data = derivation(
            [fact(told_apart_later, Domain.of(q="[0, 2/5]")), *FACTS[1:]],
            "for beta >= 25/4 as Theorem 5.3, at n = 4 beta L / (Delta min{epsilon, 2 Delta}): "
            f"{EVERY_BLOCK}; {BLOCKS}",
        )
        covers = check.domain.restrict(beta="[25/4, inf)")
        check.certificate(facts_hold, data, covers, routes=COMPOSED)


def told_apart_later(q: Any) -> Sides:
    """As `told_apart` at n = 4 beta L / (Delta m), m = min{epsilon, 2 Delta}: Delta/m >= 1/2, epsilon/m >= 1."""
    return (1 + q) / 2 + (1 + q * q) / 4, "<=", 1 + 0 * q


# --------------------------------------------------------------------------------------------------- gap-free: ALG-TC.7


def split_at_a_gap(horizon: Any, arms: Any, level: Any, four: Any, root: Any) -> Sides:
    """(T Delta + 16 K beta L / Delta)^2 at Delta = four sqrt(beta K L / T) against (root sqrt(beta K T L))^2."""
    square = four**2 * arms * level / horizon  # of Delta
    return (horizon * square + 16 * arms * level) ** 2, "<=", root**2 * arms * horizon * level * square


def any_split(four: Any, root: Any) -> SymbolicArgument:
    T, K, level = symbols("T K L", positive=True)
    certificate = (root**2 * four**2 - (four**2 + 16) ** 2) * (K * level) ** 2
    return SymbolicArgument({"horizon": T, "arms": K, "level": level}, certificate, "nonnegative")


SPLIT = Domain.of(horizon="(0, inf)", arms="(0, inf)", level="(0, inf)")


@claim(
    "ALG-TC.7/split",
    r"$T\Delta+\frac{16\beta KL}\Delta\le<root>\sqrt{\beta KTL}$ at $\Delta=<four>\sqrt{\beta KL/T}$ (squared)",
    domain=SPLIT, constants={"four": 4, "root": 8}, mutations=[mutation("7.9", root="7.9"), mutation("5", four=5)],
    strongest="symbolic",
)  # fmt: skip
def split_of_the_arms(check: Check) -> None:
    if not check.search(split_at_a_gap, [{"horizon": Fraction(1), "arms": Fraction(1), "level": Fraction(1)}]):
        check.symbolic(split_at_a_gap, any_split, routes=("both summands", "the rate"))


def two_prices(gap: Any, epsilon: Any, factor: Any) -> Sides:
    """1/min{Delta, epsilon} against 1/Delta + factor/epsilon, times both."""
    return maximum(gap, epsilon), "<=", epsilon + factor * gap


def bound_of_c_7(case: Case, root: float, first: float, top: float) -> float:
    beta, K, L = float(Fraction(case.beta)), len(case.means), log_horizon(case)
    rate = root * (beta * K * case.horizon * L) ** 0.5
    return rate + first * beta * K * L / float(Fraction(case.budget)) + additive(case, top) * float(sum(case.gaps))


@claim(
    "ALG-TC.7",
    r"rewards in $[0,1]$ ($\beta>3$): $\mathrm{Reg}_T(\text{AdaP-UCB})\le\frac{<top>\beta}{\beta-3}\sum_a\Delta_a+"
    r"<root>\sqrt{\beta KTL}+\frac{<first>\beta KL}\varepsilon$",
    domain=EVERY, constants={"root": 8, "first": 16, "top": 3, "four": 4},
    mutations=[mutation("a hundredth", root="2/100", first="1/100", top=0, gradual=False)],
    strongest="certificate", studies=[LONG_RUNS],
)  # fmt: skip
def gap_free_regret(check: Check) -> None:
    root, first, top = (float(check.constants[name]) for name in ("root", "first", "top"))
    mean_regret_at_most(check, LONG_RUNS, LONG, lambda case: bound_of_c_7(case, root, first, top))
    if not check.refuted:
        data = derivation([*FACTS, fact(split_at_a_gap, SPLIT, any_split)], f"{SPLIT_JOINT}; {EVERY_BLOCK}; {BLOCKS}")
        check.certificate(gap_free_facts, data, routes=COMPOSED)


SPLIT_JOINT = (
    "arms with gaps up to Delta cost at most T Delta, the others what Theorem 5.3 says of their pulls, where 1/min is "
    "at most 1/Delta_a + 1/epsilon"
)


def gap_free_facts(data: Any, top: Any, root: Any, four: Any) -> Any:
    return facts_hold(data, top=top, root=root, four=four)


def first_pull(means: list[str], epsilon: Any, beta: Any, horizon: int) -> Sides:
    """Horizon 1: arm 1 is pulled, and log T = 0."""
    exact = [Fraction(mean) for mean in means]
    gaps = [max(exact) - mean for mean in exact]
    return gaps[0], "<=", 3 * Fraction(beta) / (Fraction(beta) - 3) * sum(gaps)


@claim(
    "ALG-TC.7/every-optimism",
    r"the bound for $0<\beta<3$, which the statement of Theorem C.7 does not exclude",
    domain=Domain.of(means="all: every bandit with rewards in [0, 1]", epsilon="(0, inf)", beta="(0, 3)",
                     horizon="integer [1, inf)"),
    role="reading",
)  # fmt: skip
def gap_free_for_small_optimism(check: Check) -> None:
    """At T = 1 it is a negative number."""
    point = {"means": ["0", "1"], "epsilon": Fraction(1), "beta": Fraction(1), "horizon": 1}
    check.counterexample(first_pull, point, rational=True)
