"""Section 6: contextual bandits, AdaR-OFUL, its privacy, and its update on unit vectors beside doubling."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.recorded_runs import BUGS, EVERY_RUN, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.claims.register import claim, item, not_checkable, restate, restate_parts
from banditproof.claims.sets import AboveOne, AboveZero, Count, Natural, Positive
from banditproof.claims.steps import enumerated, fails_at, pick, symbolic
from banditproof.verify.runs.contextual import contextual_violations


def determinant(counts: Any, ridge: Fraction) -> Fraction:
    """det(ridge I + diag(counts))."""
    product = Fraction(1)
    for count in counts:
        product *= ridge + int(count)
    return product


item(
    "RDP-R2", r"For $C=1$ and $\mathcal A_t=\{e_1,\dots,e_d\}$ line 6 of Algorithm 4 reduces to arm-dependent doubling."
)


@claim(
    "RDP-R2/condition",
    enumerated(
        counts=[[0, 0], [1, 4], [3, 2, 7], [0, 5, 1]],
        arm=[0, 1],
        ridge=["1/10", "1", "5/2"],
        rational=True,
        routes=("determinants", "counts of the arm"),
    ),
    false={"shift": 1},
)
def update_of_one_arm(
    counts: Annotated[Any, "all: pull counts of the arms"], arm: Natural, ridge: Positive, growth=2, shift=0
):
    r"""While arm $i$ is played, $\det V>(1+C)\det V_\tau$ at $C=1$ iff $\lambda+N_i>2(\lambda+N_i(\tau))$ (the
    determinant with $<shift>$ pulls more).

    Pull counts of one arm, up to three times the old one, at which the two conditions differ.
    """
    old, lam, wrong = int(counts[arm]), Fraction(ridge), 0
    for pulls in range(old, 3 * old + 8):
        now = [pulls + shift if i == arm else count for i, count in enumerate(counts)]
        updates = determinant(now, lam) > growth * determinant(counts, lam)
        wrong += updates != (lam + pulls > growth * (lam + old))
    return wrong, "==", 0


def pulls_at_the_update(old: int, ridge: Any) -> int:
    """The first N with lambda + N > 2 (lambda + old), pull by pull."""
    pulls = old
    while not ridge + pulls > 2 * (ridge + old):
        pulls += 1
    return pulls


def pull_by_pull(other: str) -> enumerated:
    counts = [0, 1, 2, 3, 10]
    return enumerated(
        old=pick([*counts, 50], [*counts, 500]),
        ridge=["1/10", "1/2", "1", "7/2"],
        rational=True,
        routes=("pull by pull", other),
    )


@claim("RDP-R2/nearly-doubled", pull_by_pull("twice the count"), false={"more": 0})
def counts_nearly_double(old: Natural, ridge: Positive, more=1):
    r"""An episode of arm $i$ ends at most $\lambda+<more>$ pulls after $2N_i(\tau)$ (and not before): doubling, up to
    $\lambda$."""
    return pulls_at_the_update(old, ridge), "<=", 2 * old + ridge + more


@claim("RDP-R2/exactly-doubled", fails_at(old=1, ridge=1, rational=True), role="reading")
def counts_double_exactly(old: Count, ridge: Positive, extra=0):
    r"""To the letter, as in AdaR-UCB: the episode ends at $N_i=2N_i(\tau)+<extra>(\lfloor\lambda\rfloor+1)$.

    The inequality is strict and lambda is counted twice on its right side.
    """
    return pulls_at_the_update(old, ridge), "==", 2 * old + (int(ridge // 1) + 1) * extra


@claim(
    "RDP-R2/doubled-and-a-constant",
    pull_by_pull("formula"),
    false={"extra": 0},
    role="repair",
    repairs="RDP-R2/exactly-doubled",
)
def counts_double_and_a_constant(old: Natural, ridge: Positive, extra=1):
    r"""The episode ends at $N_i=2N_i(\tau)+<extra>(\lfloor\lambda\rfloor+1)$."""
    return counts_double_exactly(old, ridge, extra)


restate_parts(
    "RDP-EQ9",
    r"$R_t=\langle\theta^*,\psi(a_t,c_t)\rangle+\eta_t$; $\hat R_T=\sum_t\max_{a\in\mathcal A_t}\langle\theta^*,a-a_t"
    r"\rangle$.",
    {"model": "TH-EQ2.16", "regret": "TH-EQ2.17"},
)
restate("RDP-R1", "ALG-R5.13")
item(
    "RDP-AS2",
    r"$\|A\|_2=1$; $\mathbb E[AA^\top]$ has least eigenvalue $\lambda_0>0$; the variance of $(z^\top A)^2$ is at most "
    r"$\frac{\lambda_0^2}{8\log(4k_t)}$ for all unit $z$.",
    twins=["ALG-D5.15"],
)
for part in ("out-of-reach", "variance-of-laws", "dimension-one"):
    restate(f"RDP-AS2/{part}", f"ALG-D5.15/{part}")

item(
    "RDP-A4",
    r"AdaR-OFUL: when $\det V_{t-1}>(1+C)\det V_\tau$, the estimate is computed anew with one more vector "
    r"$Y_\ell\sim\mathcal N(0,\frac{2\alpha}\epsilon I_d)$.",
    twins=["ALG-A9"],
)
restate("RDP-A4/between-updates", "ALG-A9/between-updates")
restate("RDP-A4/last-update", "ALG-PC.4.2/last-update")

item("RDP-S7", r"RS-OFUL updates $\log T$ times and loses a factor $\sqrt{1+C}$.", twins=["ALG-S5.3c"])
for part in ("updates", "updates-to-the-letter", "width"):
    restate(f"RDP-S7/{part}", f"ALG-S5.3c/{part}")

item("RDP-T9", r"AdaR-OFUL is $(\alpha,\epsilon)$-global RDP.", domain=EVERY_RUN, twins=["ALG-T5.14"])


@claim("RDP-T9/per-release", symbolic(), false={"factor": "0.99"}, restricted="to one release")
def cost_of_a_block(change: AboveZero, norm: AboveZero, epsilon: Positive, alpha: AboveOne, factor=1):
    r"""A block sum with noise $\mathcal N(0,\frac{2\alpha}\epsilon I_d)$ costs $D_\alpha\le<factor>\epsilon$ when one
    reward of $[-1,1]$ at a vector of norm at most 1 is changed (by twice `change`)."""
    return alpha * (2 * change * norm) ** 2 / (2 * (2 * alpha / epsilon)), "<=", factor * epsilon


@claim("RDP-T9/recorded-runs", recorded({"adar-oful": [["rdp", 2, 1], ["rdp", 10, "1/2"]]}), false=BUGS)
def adar_oful_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"):
    r"""Each reward enters one release, actions depend on releases and public contexts only, and no reward is charged
    more than $\epsilon$ at order $\alpha$ (planted bug: <bug>)."""
    return contextual_violations(algorithm, budget, T, rewards, bug)


item(
    "RDP-T10",
    r"$R_T\le O(d\log(T)\sqrt T)+O(\sqrt{\frac\alpha\epsilon}d^2\log^2T)$ with probability at least $1-\delta$.",
    twins=["ALG-T5.17"],
)
restate("RDP-T10/rates", "ALG-T5.17/rates", restricted=r"to the orders in d, T and rho = epsilon / alpha")
restate("RDP-T10/hidden-eigenvalue", "ALG-T5.17/hidden-eigenvalue")
restate("RDP-T10/widths", "ALG-T5.17/widths")
restate("RDP-T10/growth", "ALG-T5.17/growth")
restate("RDP-T10/one-round", "ALG-T5.17/one-round")
restate("RDP-T10/probability", "ALG-T5.17/probability")
restate("RDP-T10/probability-of-thirds", "ALG-T5.17/probability-of-thirds", repairs="RDP-T10/probability")

restate(
    "RDP-R3",
    "ALG-SC.4.3/rate",
    restricted="to the private term without its 1/eps; sqrt(KdT) in its place would pass as well",
)

not_checkable(
    "RDP-S8",
    "Private contexts would need a noisy design matrix, without rank-one updates; without the assumption on contexts "
    r"the noise in $\tilde\beta_t$ does not decay like $1/\sqrt t$; a cited algorithm pays $\frac1\epsilon\sqrt T$.",
    "cited result",
    "a statement of what fails: a regret lower bound for a policy with a noisy design",
)
