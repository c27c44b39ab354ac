"""Section 3.6 of the thesis and Appendix A: what View privacy costs when Table privacy is wanted, and conversely."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY, kernel, shapes, table_as_private_as_view
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_definitions import EVERY_RATIO, delta_under, with_ratios
from banditproof.theory.numeric import to_ball
from banditproof.verify import output_laws
from banditproof.verify.domain import Domain
from banditproof.verify.enumeration import table_epsilon
from banditproof.verify.kernels import FiniteKernel
from banditproof.verify.policy_privacy import largest_delta, largest_divergence, largest_ratio
from banditproof.verify.separation import own_scale_kernel, secret_word_kernel

WORD = "last arm leaks if the rewards spell the arms"


def policy_of(T: int, K: int, policy: Any) -> FiniteKernel:
    """Random policy number ``policy``, or the policy that leaks when the rewards spell out the arms."""
    return secret_word_kernel(T, K, Fraction(1, 3)) if policy == WORD else kernel(T, K, policy)


parts_decide(
    "TH-P3.12",
    r"(a) $\varepsilon$-Table DP iff $\varepsilon$-View DP; (b), (c) Table implies View for $(\varepsilon,\delta)$ and "
    r"zCDP; (d) $(\varepsilon,\delta)$-View implies $(\varepsilon,K^T\delta)$-Table; (e) some policies are View and "
    r"not Table private.",
    domain=EVERY_POLICY,
    twins=["BDP-P2.4", "ZCDP-P1"],
)


@claim(
    "TH-P3.12/a",
    r"For <measure> privacy, the tightest $e^\varepsilon$ over tables is $<factor>$ times that over lists.",
    domain=EVERY_POLICY,
    constants={"measure": "pure", "factor": 1},
    mutations=[
        mutation("approximate instead of pure privacy", measure="approximate"),
        mutation("factor 1.01", factor="1.01"),
    ],
    twins=["BDP-P2.4"],
    strongest="enumeration",
)
def pure_table_and_view(check: Check) -> None:
    """Along one action sequence a table is a list, and single sequences are the worst events of pure privacy."""
    check.enumerate(
        table_as_private_as_view, shapes(check), rational=True, routes=("all pairs of tables", "all pairs of lists")
    )


def view_within_table(T: int, K: int, policy: int, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    return delta_under("view", pi, ratio), "<=", factor * delta_under("table", pi, ratio)


@claim(
    "TH-P3.12/b",
    r"$\delta_{\rm View}(\varepsilon) \le <factor>\,\delta_{\rm Table}(\varepsilon)$ for every $\varepsilon\ge0$ "
    r"(ratio is $e^\varepsilon$).",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def table_implies_view(check: Check) -> None:
    """A list is a table with equal columns."""
    check.enumerate(
        view_within_table, with_ratios(shapes(check)), rational=True, routes=("worst lists", "worst tables")
    )


def view_moment(T: int, K: int, policy: int, order: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    import flint

    pi = kernel(T, K, policy)
    view, table = (largest_divergence(pi, notion, order)[0] for notion in ("view", "table"))
    return view, "<=", to_ball(factor) * table + flint.arb(2) ** -40  # equal divergences are equal up to rounding


@claim(
    "TH-P3.12/c",
    r"$\max D_\alpha(\mathcal V_r\|\mathcal V_{r'}) \le <factor>\max D_\alpha(\mathcal M_{\mathbf x}\|\mathcal M_{"
    r"\mathbf x'})$ for every $\alpha>1$: $\rho$-Table zCDP implies $\rho$-View zCDP.",
    domain=EVERY_POLICY.restrict(order="(1, inf)"),
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def table_implies_view_for_zcdp(check: Check) -> None:
    """Rényi divergences in balls over all pairs of lists and of tables."""
    orders = (Fraction(11, 10), Fraction(2), Fraction(7))
    points = [{**p, "order": o} for p in shapes(check) if p["policy"] < 3 and p["policy"] % 3 != 2 for o in orders]
    check.enumerate(view_moment, points, rational=True, routes=("worst lists", "worst tables"))


def table_within_view(T: int, K: int, policy: Any, ratio: Fraction, spared: int) -> tuple[Any, str, Any]:
    pi = policy_of(T, K, policy)
    return delta_under("table", pi, ratio), "<=", Fraction(K) ** (T - spared) * delta_under("view", pi, ratio)


def policies_and_words(check: Check) -> list[dict[str, Any]]:
    words = [{"T": T, "K": K, "policy": WORD} for T, K in ((1, 2), (2, 2), (2, 3), (3, 2), (4, 2))]
    return with_ratios(shapes(check) + words)


@claim(
    "TH-P3.12/d",
    r"$\delta_{\rm Table}(\varepsilon) \le K^{T-<spared>}\,\delta_{\rm View}(\varepsilon)$.",
    domain=EVERY_RATIO,
    constants={"spared": 0},
    mutations=[mutation("exponent T - 2", spared=2)],
    strongest="enumeration",
)
def view_implies_table_with_loss(check: Check) -> None:
    """Random policies and the one that leaks when the rewards spell the arms."""
    check.enumerate(
        table_within_view, policies_and_words(check), rational=True, routes=("worst tables", "worst lists, scaled")
    )


@claim(
    "TH-P3.12/d-sharp",
    r"$\delta_{\rm Table}(\varepsilon) \le K^{T-<spared>}\,\delta_{\rm View}(\varepsilon)$, with equality for the "
    r"policy that leaks when the rewards spell the arms: sequences that agree up to step $T-1$ read the same list, so "
    r"the last action costs nothing.",
    role="remark",
    domain=EVERY_RATIO,
    constants={"spared": 1},
    mutations=[mutation("exponent T - 2", spared=2)],
    strongest="enumeration",
)
def sharp_loss(check: Check) -> None:
    """What the proof gives when sequences are summed prefix by prefix, also on the policies that attain it."""
    check.enumerate(
        table_within_view, policies_and_words(check), rational=True, routes=("worst tables", "worst lists, scaled")
    )


def loss_is_attained(T: int, K: int, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    pi = own_scale_kernel(K, Fraction(1, 2)) if T == 2 else secret_word_kernel(T, K, Fraction(1, 3))
    return delta_under("table", pi, ratio), "==", factor * K ** (T - 1) * delta_under("view", pi, ratio)


@claim(
    "TH-P3.12/d-attained",
    r"There are policies with $\delta_{\rm Table} = <factor>\,K^{T-1}\delta_{\rm View}$: at every $\varepsilon$ for "
    r"$T = 2$ with $2K$ rewards, and for longer horizons at $e^\varepsilon \ge 3/2$.",
    role="remark",
    domain=Domain.of(T="integer [2, inf)", K="integer [2, inf)", ratio="[1, inf)"),
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)
def loss_can_be_had(check: Check) -> None:
    """The best conversion from View to Table at the same epsilon is the factor K^(T-1)."""
    points = [{"T": 2, "K": 2, "ratio": r} for r in (Fraction(1), Fraction(5, 4), Fraction(9))]
    points += check.pick([], [{"T": 2, "K": 3, "ratio": r} for r in (Fraction(1), Fraction(5, 4), Fraction(9))])
    points += [{"T": T, "K": 2, "ratio": r} for T in (3, 4) for r in (Fraction(3, 2), Fraction(4))]
    check.enumerate(loss_is_attained, points, rational=True, routes=("worst tables", "worst lists, scaled"))


def view_but_not_table(K: int, ratio: Fraction, delta: Fraction, scale: Fraction) -> tuple[Any, str, Any]:
    """0 if delta lies below the Table delta and not below the View delta of a policy made for it, else 1 or 2."""
    pi = own_scale_kernel(K, min(2 * delta, (1 + delta) / 2) * scale)
    missing = int(delta_under("view", pi, ratio) > delta) + int(delta_under("table", pi, ratio) <= delta)
    return missing, "==", 0


@claim(
    "TH-P3.12/e",
    r"$\Pi_{\rm Table}^{(\varepsilon,\delta)} \subsetneq \Pi_{\rm View}^{(\varepsilon,\delta)}$ for every "
    r"$\varepsilon\ge0$, $\delta\in(0,1)$, $K\ge2$ and $T\ge2$ (further steps may be ignored): a policy with "
    r"$\delta_{\rm View} \le \delta < \delta_{\rm Table}$, its leak scaled by $<scale>$.",
    domain=Domain.of(K="integer [2, inf)", ratio="[1, inf)", delta="(0, 1)"),
    constants={"scale": 1},
    mutations=[mutation("half the leak", scale="1/2")],
    strongest="enumeration",
)
def strict_inclusion(check: Check) -> None:
    """The policy with two rewards per arm has delta at most leak/K over lists and leak over tables, at any epsilon."""
    check.enumerate(
        view_but_not_table,
        {
            "K": [2],
            "ratio": [Fraction(1), Fraction(3, 2), Fraction(20)],
            "delta": [Fraction(1, 1000), Fraction(1, 3), Fraction(2, 3), Fraction(999, 1000)],
        },
        rational=True,
        routes=("exact deltas of the policy", "the given delta"),
    )


def strict_for_one_arm(T: int, ratio: Fraction) -> tuple[Any, str, Any]:
    """With one arm there is one policy; the inclusion is strict only if its two deltas differ."""
    pi = FiniteKernel(T, 1, (0, 1), lambda history: (Fraction(1),))
    return delta_under("table", pi, ratio), ">", delta_under("view", pi, ratio)


@claim(
    "TH-P3.12/e-one-arm",
    r"(e) read for every number of arms: with $K = 1$ the inclusion is strict.",
    role="reading",
    domain=Domain.of(T="integer [1, inf)", ratio="[1, inf)"),
    strongest="enumeration",
)
def strict_inclusion_with_one_arm(check: Check) -> None:
    """The only policy outputs a constant. (At T = 1 nothing reaches a decision, at delta = 0 part (a) holds.)"""
    check.counterexample(strict_for_one_arm, {"T": 2, "ratio": Fraction(1)}, rational=True)


# -- the proofs in Appendix A ---------------------------------------------------------------------------------

parts_decide(
    "TH-S3.App-a",
    "The proofs of (a) to (d): lists as tables for (b) and (c), one sequence at a time for (a), a sum of at most $K^T$ "
    "of them for (d).",
    domain=EVERY_POLICY,
)


def excess_of_lists(T: int, K: int, policy: int, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    """The worst excess of the lists against that of their tables with equal columns."""
    pi = kernel(T, K, policy)
    witness = largest_delta(pi, "view", ratio)
    tables = [tuple((pair[side],) * K for pair in witness.inputs.steps) + ((pi.rewards[0],) * K,) for side in (0, 1)]
    left, right = (output_laws.table_law(pi, table) for table in tables)
    excess = sum((left[a] - ratio * right[a] for a in witness.event), Fraction(0))
    return witness.excess(ratio), "==", factor * excess


@claim(
    "TH-S3.App-a/lists",
    r"$\mathcal V_r(E) - e^\varepsilon\mathcal V_{r'}(E) = <factor>\,(\mathcal M_{x(r)}(E) - e^\varepsilon\mathcal "
    r"M_{x(r')}(E))$ (proof of (b)).",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)
def lists_in_the_proof(check: Check) -> None:
    """At the worst lists and event."""
    check.enumerate(excess_of_lists, with_ratios(shapes(check)), rational=True, routes=("view", "table"))


def pure_sequence(T: int, K: int, policy: int, factor: Fraction) -> tuple[Any, str, Any]:
    pi = kernel(T, K, policy)
    return table_epsilon(pi).ratio, "<=", factor * largest_ratio(pi, "view").ratio


@claim(
    "TH-S3.App-a/one-sequence",
    r"$\mathcal M_{\mathbf x}(\mathbf a) \le <factor>\,e^\varepsilon\mathcal M_{\mathbf x'}(\mathbf a)$ for one "
    r"sequence, $\varepsilon$ being that of the lists (proof of (a)).",
    domain=EVERY_POLICY,
    constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="enumeration",
)
def one_sequence_in_the_proof(check: Check) -> None:
    """The largest ratio of single sequences over all pairs of tables."""
    check.enumerate(pure_sequence, shapes(check), rational=True, routes=("all pairs of tables", "worst list"))


def sequence_excess(T: int, K: int, policy: Any, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    """Step (1) of (d) at the worst tables: the largest excess of one sequence against the View delta."""
    pi = policy_of(T, K, policy)
    left, right = largest_delta(pi, "table", ratio).inputs.laws(pi)
    return max(left[a] - ratio * right[a] for a in left), "<=", factor * delta_under("view", pi, ratio)


@claim(
    "TH-S3.App-a/sum",
    r"$\mathcal M_{\mathbf x}(\mathbf a) \le e^\varepsilon\mathcal M_{\mathbf x'}(\mathbf a) + <factor>\,\delta_{\rm "
    r"View}$ for each of the at most $K^T$ sequences (proof of (d)).",
    domain=EVERY_RATIO,
    constants={"factor": 1},
    mutations=[mutation("factor 0.3", factor="0.3")],
    strongest="enumeration",
)
def sum_in_the_proof(check: Check) -> None:
    """At the worst pair of tables."""
    check.enumerate(sequence_excess, policies_and_words(check), rational=True, routes=("one sequence", "View delta"))
