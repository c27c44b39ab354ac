"""Section 6: the update of Algorithm 4 on unit vectors, beside doubling."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, item
from banditproof.claims.sets import Count, Natural, Positive
from banditproof.claims.steps import enumerated, fails_at, pick


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
