r"""Tables 4.1 and 4.2, and the definitions and remarks around the minimax bounds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.coupled_environment import policy_named
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.paper_checks.thesis_minimax import VIEW, variation_over_gap
from banditproof.paper_checks.thesis_two_environments import Sides
from banditproof.paper_checks.two_environments import histories, means, positive, regret
from banditproof.theory.minimax import minimax_lower_bound
from banditproof.theory.numeric import exp, minimum, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

not_checkable(
    "TH-R4.22",
    "Lower bounds under zCDP are given for Interactive zCDP only; for View and Table zCDP they are an open question.",
    "no statement",
    "a bound, or the claim that there is none",
)


# -------------------------------------------------------------------------------------------------- the two tables

parts_decide("TH-S4.Tab1", "Table 4.1 collects Theorems 4.15 to 4.18.")


def as_in_the_theorem(gap: Any, price: Any, half: Any) -> Sides:
    """Delta/2 min(Delta, price), price = epsilon rho, of the table against min(Delta^2/2, price Delta/2)."""
    return half * gap * minimum(gap, price), "==", minimum(gap * gap / 2, price * gap / 2)


@claim(
    "TH-S4.Tab1/linear-constraint", r"$<half>\,\Delta_a\min(\Delta_a,\varepsilon\rho)=\min\{\frac12\Delta_a^2,\frac12"
    r"\varepsilon\rho\Delta_a\}$: the constraint of the table is that of Theorem 4.18.",
    domain=Domain.of(gap="(0, inf)", price="(0, inf)"), constants={"half": "1/2"},
    mutations=[mutation("0.49", half="0.49")], strongest="symbolic",
)  # fmt: skip
def constraint_of_the_table(check: Check) -> None:
    if not check.search(as_in_the_theorem, [{"gap": Fraction(1), "price": Fraction(2)}]):
        check.symbolic(as_in_the_theorem, small_gap, check.domain.restrict(where=["gap <= price"]))
        check.symbolic(as_in_the_theorem, small_price, check.domain.restrict(where=["gap >= price"]))


def small_gap(half: Any) -> SymbolicArgument:
    import sympy

    x, y = positive("x"), sympy.Symbol("y", nonnegative=True)
    return SymbolicArgument({"gap": x, "price": x + y}, sympy.S.Zero, "zero")


def small_price(half: Any) -> SymbolicArgument:
    import sympy

    x, y = positive("x"), sympy.Symbol("y", nonnegative=True)
    return SymbolicArgument({"gap": x + y, "price": x}, sympy.S.Zero, "zero")


def table_entry(model: str, size: int, horizon: int, budget: Any, name: str, shift: Any) -> Sides:
    """The entry of the table, written out, against the bound of `minimax_lower_bound`."""
    key = {"view": "epsilon", "zcdp": "rho"}[name]
    bound = minimax_lower_bound(**{model: size}, horizon=horizon, **{key: budget})[name]  # type: ignore[arg-type]
    price = to_ball(budget) if name == "view" else to_ball(budget).sqrt()
    if model == "arms":
        free, private = to_ball(horizon * (size - 1)).sqrt() / 27, to_ball(size - 1) / 22
        private = private if name == "view" else to_ball(size - 1).sqrt() / 124
    else:
        power = -1 if name == "view" else Fraction(-9, 4)
        free, private = exp(to_ball(-2)) / 8 * size * to_ball(horizon).sqrt(), exp(to_ball(power)) / 4 * size
    entry = free.max(private / price) * to_ball(shift)
    return bool(entry.overlaps(bound.value.ball())), "==", True


ENTRIES = Domain.of(model="all: arms and dimension", name="all: the column", size="integer [2, inf)",
                    horizon="integer [1, inf)", budget="(0, inf)")  # fmt: skip
ENTRY: dict[str, Any] = {"domain": ENTRIES, "constants": {"shift": 1}, "mutations": [mutation("0.999", shift="0.999")],
                         "strongest": "enumeration"}  # fmt: skip


@claim("TH-S4.Tab1/minimax", "The minimax column of Table 4.1 is what Theorems 4.15 and 4.17 state (computed bounds).",
       **ENTRY)  # fmt: skip
def minimax_column_under_view(check: Check) -> None:
    enumerate_entries(check, "view")


@claim("TH-S4.Tab2", "Table 4.2: the maxima of Theorems 4.20 and 4.21 (computed bounds).", **ENTRY)
def minimax_column_under_zcdp(check: Check) -> None:
    enumerate_entries(check, "zcdp")


def enumerate_entries(check: Check, name: str) -> None:
    over = [
        {"model": model, "name": name, "size": size, "horizon": T, "budget": Fraction(budget)}
        for model in ("arms", "dimension") for size in (2, 7) for T in (6, 1000) for budget in ("1/1000", "1/10", "1")
    ]  # fmt: skip
    check.enumerate(table_entry, over, rational=True, routes=("the table, written out", "computed bound"))


# -------------------------------------------------------------------------------------------------- remarks

NOTIONS = ("interactive", "table", "view")


@cache
def _ratios(name: tuple[Any, ...]) -> tuple[Any, ...]:
    from banditproof.verify.policy_privacy import largest_ratio

    return tuple(largest_ratio(policy_named(name), notion).ratio for notion in NOTIONS)


def ordered(policy: Any, order: Any) -> Sides:
    """e^epsilon of the tightest epsilon under the three definitions, in the stated order of strength."""
    ratios = dict(zip(NOTIONS, _ratios(tuple(policy)), strict=True))
    chain = [ratios[notion] for notion in (NOTIONS if order == 1 else NOTIONS[::-1])]
    return chain[0] >= chain[1] >= chain[2], "==", True


@claim(
    "TH-R4.19",
    r"$\Pi^{\mathrm{Interactive}}\subset\Pi^{\mathrm{Table}}\subset\Pi^{\mathrm{View}}$ at the same $\varepsilon$, so "
    r"lower bounds for View DP hold for the other two (order <order>: in this direction).",
    domain=Domain.of(policy="all: every policy"), constants={"order": 1}, mutations=[mutation("reversed", order=-1)],
    strongest="enumeration",
)  # fmt: skip
def transfer_to_stronger_definitions(check: Check) -> None:
    """Table DP is Interactive DP against the adversary that asks what was played; lists are tables of equal columns."""
    policies = [["random", seed, 3, 2] for seed in range(check.pick(3, 12))] + [["response", Fraction(9), 3, 2]]
    over = [{"policy": policy} for policy in policies]
    check.enumerate(ordered, over, rational=True, routes=("tightest epsilon of each definition", "order of strength"))


def worst_regret(policy: Any, gap: Any, part: Any) -> Sides:
    """Worst of two exact regrets against the Bayes regret of a fair coin between the environments."""
    arms, horizon = policy[3], policy[2]
    pair = means(arms, gap, False), means(arms, gap, True)
    worst = max(regret(histories(policy, values), values) for values in pair)
    return worst, ">=", part * bayes_regret(pair, horizon, (Fraction(1, 2), Fraction(1, 2)))


def bayes_regret(pair: tuple[tuple[Fraction, ...], ...], horizon: int, weights: tuple[Fraction, ...]) -> Fraction:
    """The least expected regret under unnormalised weights of two Bernoulli bandits, by dynamic programming."""
    if not horizon:
        return Fraction(0)
    return min(
        sum((w * (max(m) - m[arm]) for w, m in zip(weights, pair, strict=True)), Fraction(0))
        + sum(
            (bayes_regret(pair, horizon - 1, tuple(w * (m[arm] if reward else 1 - m[arm])
                                                   for w, m in zip(weights, pair, strict=True)))
             for reward in (0, 1)), Fraction(0))
        for arm in range(len(pair[0]))
    )  # fmt: skip


ON_PAIRS = Domain.of(policy="all: every policy", gap="(0, 1/2)")
SUPREMUM = (
    r"$\sup_\nu\mathrm{Reg}_T(\pi,\nu)\ge<part>\inf_{\pi'}\frac12\sum\mathrm{Reg}_T(\pi',\cdot)$ over two instances"
)
PAIRS: dict[str, Any] = {"constants": {"part": 1}, "mutations": [mutation("10 times", part="10")],
                         "strongest": "enumeration"}  # fmt: skip


@claim("TH-D2.27", "Worst-case and minimax regret: " + SUPREMUM + ", for every policy.", domain=ON_PAIRS, **PAIRS)
@claim("TH-D4.3", r"The infimum over $\varepsilon$-View DP policies only: " + SUPREMUM + ", for each of them.",
       domain=ON_PAIRS.restrict(policy=VIEW), **PAIRS)  # fmt: skip
def worst_case_regret(check: Check) -> None:
    policies: list[list[Any]] = [["random", seed, 3, 2] for seed in range(3)]
    policies += [["response", Fraction(9), 3, arms] for arms in (2, 3)]
    over = [{"policy": p, "gap": Fraction(gap)} for p in policies for gap in ("1/10", "1/4", "2/5")]
    check.enumerate(worst_regret, over, rational=True, routes=("exact regrets", "dynamic programming"))


parts_decide(
    "TH-S4.5",
    r"TV governs high privacy as the value of the Hamming transport problem, and regimes change at "
    r"$\varepsilon\approx\Delta$ ($(\varepsilon,\delta)$-DP is left open).",
)


def disagreement(both: Any, first: Any, second: Any, factor: Any) -> Sides:
    """A coupling of Bernoulli laws with P(1, 1) = both, P(1, 0) = first, P(0, 1) = first + second."""
    return factor * second, "<=", first + first + second


def more_than_the_variation(factor: Any) -> SymbolicArgument:
    import sympy

    w, a, b = sympy.symbols("w a b", nonnegative=True)
    return SymbolicArgument({"both": w, "first": a, "second": b}, 2 * a, "nonnegative")


@claim(
    "TH-S4.5/transport", r"$<factor>\,\mathrm{TV}(P,Q)\le\mathbb E[\mathbb 1_{X\ne Y}]$ for every coupling of two "
    r"Bernoulli laws, with $P(1)\le Q(1)$ (first is $\mathbb P(X=1,Y=0)$, second is $\mathrm{TV}$).",
    domain=Domain.of(both="[0, inf)", first="[0, inf)", second="[0, inf)"), constants={"factor": 1},
    mutations=[mutation("1.01", factor="1.01")], strongest="symbolic",
)  # fmt: skip
def transport_value(check: Check) -> None:
    if not check.search(disagreement, [{"both": Fraction(0), "first": Fraction(0), "second": Fraction(1)}]):
        check.symbolic(disagreement, more_than_the_variation)


def disagreement_of_the_best(both: Any, second: Any, factor: Any) -> Sides:
    """The coupling with P(1, 0) = 0."""
    return disagreement(both, 0 * both, second, factor)[2], "==", factor * second


def nothing_more(factor: Any) -> SymbolicArgument:
    import sympy

    w, b = sympy.symbols("w b", nonnegative=True)
    return SymbolicArgument({"both": w, "second": b}, sympy.S.Zero, "zero")


@claim(
    "TH-S4.5/attained", r"$\mathbb E[\mathbb 1_{X\ne Y}]=<factor>\,\mathrm{TV}(P,Q)$ for the coupling with "
    r"$\mathbb P(X=1,Y=0)=0$.",
    domain=Domain.of(both="[0, inf)", second="[0, inf)"), constants={"factor": 1},
    mutations=[mutation("0.99", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def attained_transport(check: Check) -> None:
    if not check.search(disagreement_of_the_best, [{"both": Fraction(0), "second": Fraction(1)}]):
        check.symbolic(disagreement_of_the_best, nothing_more)


def regime_over_gap(gap: Any, least: Any, most: Any) -> Sides:
    """KL/TV over Delta for unit-variance Gaussian arms at distance Delta = 2 gap: gap/TV = 1/variation_over_gap."""
    slope = variation_over_gap(gap, 1)[0]
    return (1 / slope - (most + least) / 2) ** 2, "<=", ((most - least) / 2) ** 2


@claim(
    "TH-S4.5/order-of-the-gap",
    r"Gaussian arms, $\Delta\le1$: $\varepsilon_0=\mathrm{KL}/\mathrm{TV}$ satisfies $<least>\,\Delta\le"
    r"\varepsilon_0\le<most>\,\Delta$ (gap is $\Delta/2$).",
    domain=Domain.of(gap="[0, 1/2]"), constants={"least": "5/4", "most": "4/3"},
    mutations=[mutation("at most 1.3", most="1.3"), mutation("at least 1.26", least="1.26")], strongest="interval",
)  # fmt: skip
def order_of_the_gap(check: Check) -> None:
    check.interval(regime_over_gap)
