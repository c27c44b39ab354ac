"""The privacy regimes of d_epsilon in odds, where all is rational up to logarithms: symbolic proofs regime by regime.

With x = a/(1+a) and e^epsilon = 1+s the closed square falls into pieces on each of which d_epsilon is one formula and
every order of x, y, the minimiser z* and epsilon_0 is a matter of positive symbols:

    low         x < y, epsilon >= epsilon_0: odds a and a(1+s), e^epsilon = (1+s)(1+r), z* = x
    high        x < y, epsilon < epsilon_0: odds a and a(1+s)(1+t), e^epsilon = 1+s, z* has odds a(1+t)
    first_is_0  x = 0 < y < 1: always the high regime
    second_is_1 x < y = 1: z* = 1, the divergence is epsilon (1-x)
    tie         x = y inside (0, 1);  both_are_1  the corner

and, with `_mirrored`, the same seen through (x, y) -> (1-x, 1-y). A claim about d_epsilon is proved by giving one
certificate in terms of x, y, epsilon, z* and the slack (epsilon - epsilon_0)^+; it is checked on each piece.

Inequalities between logarithms rest on one fact, q - p + p log(p/q) >= 0: see `relative_entropy`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from banditproof.theory.numbers.numeric import SYMBOL, exp, system
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.symbolic import SymbolicArgument
from banditproof.verify.proof.symbols import abs_of, factored, split_log

STRICTLY_BELOW = ("low", "high", "first_is_0", "second_is_1")
BELOW = (*STRICTLY_BELOW, "tie", "both_are_1", "both_are_1_mirrored")
SQUARE = (*BELOW, *(f"{name}_mirrored" for name in STRICTLY_BELOW))


@dataclass(frozen=True)
class Regime:
    """A piece of the closed square with its parametrisation."""

    x: Any
    y: Any
    epsilon: Any
    minimiser: Any
    slack: Any = 0

    @property
    def gap(self) -> Any:
        """|x - y|."""
        return factored(abs_of(self.y - self.x))

    @property
    def paid(self) -> Any:
        """|z* - x|, what privacy is paid for."""
        return factored(abs_of(self.minimiser - self.x))

    def mirrored(self) -> Regime:
        x, y, z = (factored(1 - v) for v in (self.x, self.y, self.minimiser))
        return Regime(x, y, self.epsilon, z, self.slack)


_LOW, _HIGH = (f"{{epsilon}} {relation} privacy_threshold({{x}}, {{y}})" for relation in (">=", "<"))
_SINGLED_OUT: dict[str, tuple[tuple[str, ...], str, str]] = {  # by constraints, and the sets of x and y
    "low": (("{x} < {y}", _LOW), "(0, 1)", "(0, 1)"),
    "high": (("{x} < {y}", _HIGH), "(0, 1)", "(0, 1)"),
    "first_is_0": ((), "[0, 0]", "(0, 1)"),
    "second_is_1": ((), "[0, 1)", "[1, 1]"),
    "tie": (("{x} == {y}",), "(0, 1)", "(0, 1)"),
    "both_are_1": ((), "[1, 1]", "[1, 1]"),
}


def _singled_out(name: str) -> tuple[tuple[str, ...], str, str]:
    """What singles a regime out: known without SymPy, as claims are registered with it."""
    if not name.endswith("_mirrored"):
        return _SINGLED_OUT[name]
    where, *sets = _SINGLED_OUT[name.removesuffix("_mirrored")]
    swap = {"[0, 0]": "[1, 1]", "[1, 1]": "[0, 0]", "[0, 1)": "(0, 1]"}
    x_set, y_set = (swap.get(s, s) for s in sets)
    return tuple(c.replace("{x} < {y}", "{x} > {y}") for c in where), x_set, y_set


@cache
def regime(name: str) -> Regime:
    """The regime of this name."""
    import sympy
    from sympy import log

    if name.endswith("_mirrored"):
        return regime(name.removesuffix("_mirrored")).mirrored()
    a, t, b, s, e = sympy.symbols("a t b s e", positive=True)
    r, w = sympy.symbols("r w", nonnegative=True)
    pieces = {
        "low": lambda: Regime(mean(a), mean(a * (1 + s)), log(1 + s) + log(1 + r), mean(a), log(1 + r)),
        "high": lambda: Regime(mean(a), mean(a * (1 + e) * (1 + t)), log(1 + e), mean(a * (1 + t))),
        "first_is_0": lambda: Regime(sympy.S(0), mean(b * (1 + e)), log(1 + e), mean(b)),
        "second_is_1": lambda: Regime(mean(w), sympy.S(1), log(1 + e), sympy.S(1)),
        "tie": lambda: Regime(mean(a), mean(a), log(1 + e), mean(a), log(1 + e)),
        "both_are_1": lambda: Regime(sympy.S(1), sympy.S(1), log(1 + e), sympy.S(1)),
    }
    return pieces[name]()


def mean(odds: Any) -> Any:
    """The probability with these odds."""
    return odds / (1 + odds)


# ------------------------------------------------------------------------------------------- expressions in a regime


def comparable(left: Any, operator: str, right: Any) -> tuple[Any, str, Any]:
    """Both sides, or where the right one is infinite exp(-side) in reverse order: an infinite cost as exp(-inf) = 0."""
    if system(left, right) == SYMBOL and right.is_infinite:
        return exp(-right), operator, exp(-left)
    return left, operator, right


@cache
def entropy_class() -> Any:
    """The SymPy function E(p, q) = p log(p/q) - p + q, nonnegative for p >= 0 < q and zero only at p = q.

    It is what log u <= u - 1 says at u = q/p. `expand` writes it out, so a certificate that contains it is compared
    with the difference it certifies through its logarithms.
    """
    import sympy

    class E(sympy.Function):
        nargs = 2

        @classmethod
        def eval(cls, p: Any, q: Any) -> Any:
            return sympy.S(0) if p == q else q if p == 0 else None

        def _pair(self) -> tuple[Any, ...]:
            return self.args

        def _eval_is_real(self) -> bool | None:
            return self._eval_is_nonnegative()

        def _eval_is_nonnegative(self) -> bool | None:
            p, q = self._pair()
            return True if p.is_positive and q.is_positive else None

        def _eval_is_positive(self) -> bool | None:
            p, q = self._pair()
            apart = factored(p - q).is_nonzero
            return True if p.is_positive and q.is_positive and apart else None

        def _eval_expand_log(self, **hints: Any) -> Any:
            p, q = self._pair()
            return p * split_log(p / q) - p + q

        def _eval_evalf(self, prec: int) -> Any:
            p, q = self._pair()
            return (p * sympy.log(p / q) - p + q)._eval_evalf(prec)

    return E


def relative_entropy(p: Any, q: Any) -> Any:
    """kl(p, q) as a sum of two terms E >= 0, for certificates."""
    E = entropy_class()
    return E(factored(p), factored(q)) + E(factored(1 - p), factored(1 - q))


def log_growth(growth: Any) -> Any:
    """log(1 + growth) in the form whose sign can be read off."""
    import sympy

    return sympy.log(1 + factored(growth))


# ---------------------------------------------------------------------------------------------- proofs regime by regime


@dataclass(frozen=True)
class Case:
    """Further variables as functions of the regime, and the sets that single the case out."""

    variables: Callable[[Regime], Mapping[str, Any]] = lambda here: {}
    sets: Mapping[str, str] = field(default_factory=dict)


def by_regime(
    names: Iterable[str],
    sign: str = "nonnegative",
    variables: Sequence[str] = ("mu", "mu_prime", "epsilon"),
    cases: Mapping[str, Case] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Turn a certificate, a function of the regime, into one symbolic argument per regime (and case).

    The arguments join the certificate's module as `<certificate>__<regime>`, so that evidence can name them. The
    certificate gets the regime and, as keywords, the case's variables.
    """

    def register(certificate: Callable[..., Any]) -> Callable[..., Any]:
        pieces = []
        for name in names:
            for label, case in (cases or {"": Case()}).items():
                argument = _argument(certificate, name, case, sign, variables)
                argument.__name__ = f"{certificate.__name__}__{name}{'_' if label else ''}{label}"
                argument.__module__, argument.__qualname__ = certificate.__module__, argument.__name__
                certificate.__globals__[argument.__name__] = argument
                pieces.append((argument, name, case))
        certificate.pieces, certificate.variables = tuple(pieces), tuple(variables)  # type: ignore[attr-defined]
        return certificate

    return register


def _argument(certificate: Callable[..., Any], name: str, case: Case, sign: str, variables: Sequence[str]) -> Any:
    @cache
    def argument() -> SymbolicArgument:
        here = regime(name)
        more = case.variables(here)
        values = dict(zip(variables, (here.x, here.y, here.epsilon), strict=True)) | dict(more)
        return SymbolicArgument(values, certificate(here, **more), sign)

    return argument


def region(domain: Domain, name: str, variables: Sequence[str], **sets: str) -> Domain:
    """The part of a claim's domain that a regime (and a case) is about."""
    (where, x_set, y_set), (x, y, epsilon) = _singled_out(name), variables
    constraints = (c.format(x=x, y=y, epsilon=epsilon) for c in where)
    return domain.restrict(where=constraints, **{x: x_set, y: y_set}, **sets)
