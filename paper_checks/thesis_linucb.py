"""Checks of LinUCB (Section 2.2.7 of the thesis): its index, its confidence set, and how its regret grows."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Study
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import event_test
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# ------------------------------------------------------------------- the index, V = [[p, q], [q, r]] positive definite


def inverse_form(p: Any, q: Any, r: Any, x: Any, y: Any) -> Any:
    """|a|^2 in the norm of V^-1, a = (x, y)."""
    return (r * x**2 - 2 * q * x * y + p * y**2) / (p * r - q**2)


def form(p: Any, q: Any, r: Any, x: Any, y: Any) -> Any:
    """|a|^2 in the norm of V."""
    return p * x**2 + 2 * q * x * y + r * y**2


def support_function(p: Any, q: Any, r: Any, x: Any, y: Any, u: Any, v: Any, factor: Any) -> Sides:
    """<theta - theta_hat, a>^2 against |theta - theta_hat|_V^2 |a|_{V^-1}^2, with theta - theta_hat = (u, v)."""
    return (x * u + y * v) ** 2, "<=", factor * form(p, q, r, u, v) * inverse_form(p, q, r, x, y)


def attained(p: Any, q: Any, r: Any, x: Any, y: Any, factor: Any) -> Sides:
    """<theta - theta_hat, a> at theta - theta_hat = V^-1 a, whose norm is |a|_{V^-1}."""
    u, v = (r * x - q * y) / (p * r - q**2), (p * y - q * x) / (p * r - q**2)
    return (x * u + y * v) ** 2, "==", factor * form(p, q, r, u, v) * inverse_form(p, q, r, x, y)


def _matrix() -> tuple[Any, Any, Any]:
    import sympy

    p, determinant = sympy.symbols("p determinant", positive=True)
    q = sympy.Symbol("q", real=True)
    return p, q, (q**2 + determinant) / p


def cauchy_schwarz() -> SymbolicArgument:
    import sympy

    p, q, r = _matrix()
    x, y, u, v = sympy.symbols("x y u v", real=True)
    crossed = (p * u + q * v) * y - (q * u + r * v) * x
    variables = {"p": p, "q": q, "r": r, "x": x, "y": y, "u": u, "v": v}
    return SymbolicArgument(variables, crossed**2 / sympy.simplify(p * r - q**2), "nonnegative")


def any_matrix_and_action() -> SymbolicArgument:
    import sympy

    p, q, r = _matrix()
    x, y = sympy.symbols("x y", real=True)
    return SymbolicArgument({"p": p, "q": q, "r": r, "x": x, "y": y}, 0, "zero")


REALS = "(-inf, inf)"
DEFINITE = Domain.of(p="(0, inf)", q=REALS, r="(0, inf)", x=REALS, y=REALS, where=["q * q < p * r"])
A_POINT = {"p": Fraction(2), "q": Fraction(1), "r": Fraction(3), "x": Fraction(1), "y": Fraction(1)}


@claim("TH-A2.LinUCB/index-bound",
       r"With the set $\|\theta-\hat\theta_t\|_{V_t}\le\beta_t$, the index is at most "
       r"$\langle\hat\theta_t,a\rangle+\beta_t\|a\|_{V_t^{-1}}$: $\langle\theta-\hat\theta_t,a\rangle^2\le<factor>"
       r"\|\theta-\hat\theta_t\|^2_{V_t}\|a\|^2_{V_t^{-1}}$ ($d=2$).",
       domain=Domain.of(p="(0, inf)", q=REALS, r="(0, inf)", x=REALS, y=REALS, u=REALS, v=REALS,
                        where=["q * q < p * r"]),
       constants={"factor": 1}, mutations=[mutation("0.9", factor="9/10")], strongest="symbolic")  # fmt: skip
def index_is_at_most(check: Check) -> None:
    steepest = {"u": Fraction(2, 5), "v": Fraction(1, 5)}  # V^-1 a at the hint
    if not check.search(support_function, [A_POINT | steepest]):
        check.symbolic(support_function, cauchy_schwarz, points=8, routes=("square", "difference of products"))


@claim(
    "TH-A2.LinUCB/index-attained",
    r"The bound is attained at $\theta-\hat\theta_t\propto V_t^{-1}a$, so the index is "
    r"$\langle\hat\theta_t,a\rangle+\beta_t\|a\|_{V_t^{-1}}$ (factor <factor>, $d=2$).",
    domain=DEFINITE,
    constants={"factor": 1},
    mutations=[mutation("1.1", factor="11/10")],
    strongest="symbolic",
)
def index_is_attained(check: Check) -> None:  # fmt: skip
    if not check.search(attained, [A_POINT]):
        check.symbolic(attained, any_matrix_and_action, points=8, routes=("value at the maximiser", "closed form"))


def after_a_pull(p: Any, q: Any, r: Any, x: Any, y: Any, reading: str, factor: Any) -> Sides:
    """The squared bonus of an action after it was pulled once more, V + a a^T, against the one before."""
    bonus = inverse_form if reading == "inverse" else form
    before = bonus(p, q, r, x, y)
    return bonus(p + x**2, q + x * y, r + y**2, x, y), "<=", factor * before


def sherman_morrison() -> SymbolicArgument:
    import sympy

    p, q, r = _matrix()
    x, y = sympy.symbols("x y", real=True)
    width = p * (y - q * x / p) ** 2 / sympy.simplify(p * r - q**2) + x**2 / p  # |a|^2 as a sum of squares
    return SymbolicArgument({"p": p, "q": q, "r": r, "x": x, "y": y}, width**2 / (1 + width), "nonnegative")


SHRINKS = (r"The confidence set narrows where data come in: pulling $a$ does not raise the bonus of $a$, "
           r"$\|a\|^2_{(V+aa^\top)^{<sign>}}\le<factor>\|a\|^2_{V^{<sign>}}$ (fixed $\beta$, $d=2$), ")  # fmt: skip
NARROWING = {"domain": DEFINITE, "constants": {"reading": "inverse", "factor": 1},
             "mutations": [mutation("the other norm", reading="plain", factor=1),
                           mutation("half", reading="inverse", factor="1/2")], "strongest": "symbolic"}  # fmt: skip


@claim("TH-A2.LinUCB/narrowing-with-v", SHRINKS.replace("<sign>", "-1") + r"with the norm of $V_t$ in (2.19).",
       role="repair", repairs="TH-A2.LinUCB/norm-as-printed", **NARROWING)  # fmt: skip
@claim("TH-A2.LinUCB/narrowing", SHRINKS.replace("<sign>", "-1") + r"with the norm of $V_t$ in (2.19).", **NARROWING)
def bonus_falls(check: Check) -> None:
    if not check.search(after_a_pull, [A_POINT, A_POINT | {"x": Fraction(1, 8)}]):
        check.symbolic(after_a_pull, sherman_morrison, points=8, routes=("bonus after a pull", "Sherman-Morrison"))


@claim("TH-A2.LinUCB/norm-as-printed", SHRINKS.replace("^{<sign>}", "") + r"which is the index for the norm of "
       r"$V_t^{-1}$ printed in (2.19).",
       domain=DEFINITE, role="reading", constants={"reading": "plain", "factor": 1}, strongest="symbolic")  # fmt: skip
def bonus_with_the_printed_norm(check: Check) -> None:
    # the dual norm of V^-1 is that of V: what has been pulled most looks most uncertain
    point = {"p": Fraction(1), "q": Fraction(0), "r": Fraction(1), "x": Fraction(1), "y": Fraction(0)}
    check.counterexample(after_a_pull, point)


# ------------------------------------------------------------------------------------------------ runs of the algorithm

RIDGE, CONFIDENCE = 1.0, 0.1


def play(generator: np.random.Generator, actions: np.ndarray, theta: np.ndarray, horizon: int, runs: int,
         widths: tuple[float, ...]) -> dict[str, np.ndarray]:  # fmt: skip
    """LinUCB with beta_t = sqrt(ridge) |theta| + sqrt(2 log(1/delta) + log(det V_t / ridge^d)), unit Gaussian noise.

    Returns per run the regret, and for each width whether theta stayed within width beta_t at every t.
    """
    count, size = actions.shape
    v = np.tile(RIDGE * np.eye(size), (runs, 1, 1))
    inverse = np.tile(np.eye(size) / RIDGE, (runs, 1, 1))
    sums, regret = np.zeros((runs, size)), np.zeros(runs)
    log_det = np.zeros(runs)
    held = np.ones((len(widths), runs), dtype=bool)
    means = actions @ theta
    lines = np.arange(runs)
    for _ in range(horizon):
        estimate = np.einsum("rij,rj->ri", inverse, sums)
        radius = math.sqrt(RIDGE) * np.linalg.norm(theta) + np.sqrt(2 * math.log(1 / CONFIDENCE) + log_det)
        off = estimate - theta
        distance = np.sqrt(np.einsum("ri,rij,rj->r", off, v, off))
        held &= distance <= np.outer(widths, radius)
        bonus = np.sqrt(np.maximum(np.einsum("ki,rij,kj->rk", actions, inverse, actions), 0))
        arm = (estimate @ actions.T + radius[:, None] * bonus).argmax(axis=1)
        chosen = actions[arm]
        regret += means.max() - means[arm]
        sums += chosen * (means[arm] + generator.standard_normal(runs))[:, None]
        direction = np.einsum("rij,rj->ri", inverse, chosen)
        log_det += np.log1p(bonus[lines, arm] ** 2)
        inverse -= np.einsum("ri,rj->rij", direction, direction) / (1 + bonus[lines, arm] ** 2)[:, None, None]
        v += np.einsum("ri,rj->rij", chosen, chosen)
    return {"regret": regret, "held": held}


WIDTHS = (1.0, 0.25)


def run_linucb(seed: np.random.SeedSequence, horizon: int, runs: int) -> dict[str, np.ndarray]:
    """Corners of a square, and a parameter of length 1/sqrt(T): as hard to tell apart as T rounds allow."""
    generator = np.random.default_rng(seed)
    actions = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]) / math.sqrt(2)
    theta = np.array([0.8, 0.6]) * (4 / math.sqrt(horizon))
    return play(generator, actions, theta, horizon, runs, WIDTHS) | {"horizon": np.array(horizon)}


RUNS = Study("thesis-linucb", run_linucb, {"horizon": 400, "runs": 400}, {"horizon": 4000, "runs": 1000})


@claim("TH-A2.LinUCB/coverage",
       r"With $\beta_t=\sqrt\lambda\|\theta^*\|+\sqrt{2\log\frac1\delta+\log\frac{\det V_t}{\lambda^d}}$ (cited), "
       r"$\theta^*$ is within $<width>\,\beta_t$ of $\hat\theta_t$ in the norm of $V_t$ at every $t$ with probability "
       r"at least $1-\delta$, $\delta=\frac1{10}$.",
       domain=Domain.of(instance="all: every linear bandit with bounded parameter"), constants={"width": 1},
       mutations=[mutation("a quarter", width="1/4", gradual=False)], studies=[RUNS])  # fmt: skip
def coverage(check: Check) -> None:
    which = WIDTHS.index(float(check.constants["width"]))

    def tests(stream: str) -> list[dict[str, Any]]:
        held = check.study(RUNS, stream)["held"][which]
        return [event_test("the parameter stays in the set", held, ">=", Fraction(9, 10))]

    check.statistics(tests, covers=check.domain.restrict(instance="all: one instance in the plane"))


parts_decide("TH-A2.LinUCB",
             r"LinUCB: ridge estimate $\hat\theta_t=V_t^{-1}\sum_{s<t}a_sr_s$, ellipsoid of radius $\beta_t$ around it "
             r"(read in the norm of $V_t$), index $\max_{\theta\in\mathcal C_t}\langle\theta,a\rangle$.")  # fmt: skip


@claim("TH-S2.2g",
       r"$R_T\le C\,d\sqrt T\log T$: with probability at least $\frac9{10}$ the regret of a run on a hard instance "
       r"is at most $<constant>\,d\sqrt T\log T$.",
       domain=Domain.of(instance="all: every bounded linear bandit"), constants={"constant": 1},
       mutations=[mutation("1/100", constant="1/100")], studies=[RUNS])  # fmt: skip
def regret_rate(check: Check) -> None:
    def tests(stream: str) -> list[dict[str, Any]]:
        found = check.study(RUNS, stream)
        horizon = float(found["horizon"])
        bound = float(check.constants["constant"]) * 2 * math.sqrt(horizon) * math.log(horizon)
        return [event_test("regret within the bound", found["regret"] <= bound, ">=", Fraction(9, 10))]

    check.statistics(tests, covers=check.domain.restrict(instance="all: one instance in the plane"))
