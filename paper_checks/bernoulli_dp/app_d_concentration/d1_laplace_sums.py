r"""Appendix D: concentration of Laplace sums (BDP-LD.1) and of noisy Bernoulli sums (BDP-LD.3, BDP-DF6).

S is the sum of n Bernoulli(mu) and m Laplace(1/epsilon) variables, all independent. Exact tails (finite sums of
closed forms) are compared with the printed bounds on grids; the derivations cover the whole domains.
"""

from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, Inside, Natural, Positive, Real
from banditproof.claims.steps import in_kernel
from banditproof.verify.kernel import meanings
from banditproof.verify.kernel.divergences import at_most_private_divergence
from banditproof.verify.kernel.meanings import chance, formula, when
from banditproof.verify.kernel.variables import noisy_sum, of_power, on_interval
from banditproof.verify.theorems import noisy_sums as noisy_sum_proofs


@claim("BDP-LD.3/upper", in_kernel(noisy_sum_proofs.private_chernoff_above))
def private_chernoff_above(
    expected: Inside, epsilon: Positive, n: Count, m: Natural, end: Real, decay: Real, largest: Real
):
    r"""$\Pr[\tilde S_{n,m}\ge x]\le A_\epsilon e^{-nd_\epsilon(x/n,\mu)}$ for $x\ge n\mu$ with
    $A_\epsilon=(x-n\mu)\max_{y\in[\mu,x/n]}\{e(1+m\epsilon(x-yn))^m\log\frac1\mu\}+e(1+m\epsilon(x-n\mu))^m+1$: so it
    is for every number of at most $d_\epsilon$ and every number of at least the maximum in their places.

    The names: `expected` is mu, `end` is x, `decay` is the number in place of the divergence, `largest` that in place
    of the maximum.
    """
    at_most = on_interval(
        expected,
        end / n,
        lambda y: of_power(
            1 + m * epsilon * (end - y * n),
            m,
            lambda power: (meanings.exp(1) * power * meanings.log(1 / expected), "<=", largest),
        ),
    )
    tail = chance(lambda s: (end, s), noisy_sum(expected, n, 1 / epsilon, m))
    deviation, factor = end - n * expected, meanings.exp(-n * decay)
    then = of_power(
        1 + m * epsilon * deviation,
        m,
        lambda power: (tail, "<=", (deviation * largest + meanings.exp(1) * power + 1) * factor),
    )
    decays = at_most_private_divergence(decay, end / n, expected, epsilon)
    return when(formula((n * expected, "<=", end)), decays, at_most, then=then)


@claim("BDP-LD.3/lower", in_kernel(noisy_sum_proofs.private_chernoff_below))
def private_chernoff_below(
    expected: Inside, unexpected: Inside, epsilon: Positive, n: Count, m: Natural, end: Real, decay: Real, largest: Real
):
    r"""$\Pr[\tilde S_{n,m}\le x]\le A_\epsilon e^{-nd_\epsilon(x/n,\mu)}$ for $x\le n\mu$ with
    $A_\epsilon=(n\mu-x)\max_{y\in[x/n,\mu]}\{e(1+m\epsilon(yn-x))^m\log\frac1{1-\mu}\}+e(1+m\epsilon(n\mu-x))^m+1$:
    so it is for every number of at most $d_\epsilon$ and every number of at least the maximum in their places.

    The names are those of the upper tail; `unexpected` is 1 - mu.
    """
    at_most = on_interval(
        end / n,
        expected,
        lambda y: of_power(
            1 + m * epsilon * (y * n - end),
            m,
            lambda power: (meanings.exp(1) * power * meanings.log(1 / unexpected), "<=", largest),
        ),
    )
    tail = chance(lambda s: (s, end), noisy_sum(expected, n, 1 / epsilon, m))
    deviation, factor = n * expected - end, meanings.exp(-n * decay)
    then = of_power(
        1 + m * epsilon * deviation,
        m,
        lambda power: (tail, "<=", (deviation * largest + meanings.exp(1) * power + 1) * factor),
    )
    decays = at_most_private_divergence(decay, end / n, expected, epsilon)
    both = formula((expected + unexpected, "==", 1)), formula((end, "<=", n * expected))
    return when(*both, decays, at_most, then=then)


def at_least_the_maximum(ratio: Any, deviation: Any, epsilon: Any, m: Any) -> tuple[Any, Any]:
    """The ratio is at least max(1, epsilon D/m)."""
    return formula((1, "<=", ratio)), formula((epsilon * deviation, "<=", m * ratio))


def at_most_a_power(tail: Any, grown: Any, spare: Any, n: Any, m: Any, decay: Any) -> Any:
    """The tail is at most e^spare (e^grown)^m e^(-n decay)."""
    return tail, "<=", meanings.exp(m * grown) * meanings.exp(spare) * meanings.exp(-n * decay)


@claim("BDP-DF6/sharp-upper", in_kernel(noisy_sum_proofs.sharp_above))
def sharp_above(
    expected: Inside, epsilon: Positive, n: Count, m: Count, end: Real, decay: Real, grown: Real, ratio: Real
):
    r"""$\Pr[\tilde S_{n,m}\ge x]\le(e\max\{1,\epsilon D/m\})^me^{-nd_\epsilon(x/n,\mu)}$ for $x\ge n\mu$,
    $D=x-n\mu$: so it is for every number of at most $d_\epsilon$ and every number of at least the maximum in their
    places."""
    tail = chance(lambda s: (end, s), noisy_sum(expected, n, 1 / epsilon, m))
    decays = at_most_private_divergence(decay, end / n, expected, epsilon)
    large = at_least_the_maximum(ratio, end - n * expected, epsilon, m)
    base = formula((meanings.exp(grown), "==", ratio))
    then = at_most_a_power(tail, grown, m, n, m, decay)
    return when(formula((n * expected, "<=", end)), decays, *large, base, then=then)


@claim("BDP-DF6/sharp-lower", in_kernel(noisy_sum_proofs.sharp_below))
def sharp_below(
    expected: Inside, epsilon: Positive, n: Count, m: Count, end: Real, decay: Real, grown: Real, ratio: Real
):
    r"""$\Pr[\tilde S_{n,m}\le x]\le(e\max\{1,\epsilon D/m\})^me^{-nd_\epsilon(x/n,\mu)}$ for $x\le n\mu$,
    $D=n\mu-x$: so it is for every number of at most $d_\epsilon$ and every number of at least the maximum in their
    places."""
    tail = chance(lambda s: (s, end), noisy_sum(expected, n, 1 / epsilon, m))
    decays = at_most_private_divergence(decay, end / n, expected, epsilon)
    large = at_least_the_maximum(ratio, n * expected - end, epsilon, m)
    base = formula((meanings.exp(grown), "==", ratio))
    then = at_most_a_power(tail, grown, m, n, m, decay)
    return when(formula((end, "<=", n * expected)), decays, *large, base, then=then)


@claim("BDP-DF6/simple-upper", in_kernel(noisy_sum_proofs.simple_above))
def simple_above(expected: Inside, epsilon: Positive, n: Count, m: Count, end: Real, decay: Real, grown: Real):
    r"""$\Pr[\tilde S_{n,m}\ge x]\le e(1+m\epsilon D)^me^{-nd_\epsilon(x/n,\mu)}$ for $x\ge n\mu$, $D=x-n\mu$: so it
    is for every number of at most $d_\epsilon$ in its place."""
    tail = chance(lambda s: (end, s), noisy_sum(expected, n, 1 / epsilon, m))
    decays = at_most_private_divergence(decay, end / n, expected, epsilon)
    base = formula((meanings.exp(grown), "==", 1 + m * epsilon * (end - n * expected)))
    then = at_most_a_power(tail, grown, 1, n, m, decay)
    return when(formula((n * expected, "<=", end)), decays, base, then=then)


@claim("BDP-DF6/simple-lower", in_kernel(noisy_sum_proofs.simple_below))
def simple_below(expected: Inside, epsilon: Positive, n: Count, m: Count, end: Real, decay: Real, grown: Real):
    r"""$\Pr[\tilde S_{n,m}\le x]\le e(1+m\epsilon D)^me^{-nd_\epsilon(x/n,\mu)}$ for $x\le n\mu$, $D=n\mu-x$: so it
    is for every number of at most $d_\epsilon$ in its place."""
    tail = chance(lambda s: (s, end), noisy_sum(expected, n, 1 / epsilon, m))
    decays = at_most_private_divergence(decay, end / n, expected, epsilon)
    base = formula((meanings.exp(grown), "==", 1 + m * epsilon * (n * expected - end)))
    then = at_most_a_power(tail, grown, 1, n, m, decay)
    return when(formula((end, "<=", n * expected)), decays, base, then=then)
