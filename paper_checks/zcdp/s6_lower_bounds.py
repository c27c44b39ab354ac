"""Section VI: divergences of private mechanisms and policies (Theorems 6 to 8), the minimax bound of Theorem 9.

The thesis states all of it too, the bound on policies with E[(sum t)^2] for the paper's [E sum t]^2 + V(sum t).
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import AboveOne, AtLeastOne, Count, Inside, Positive
from banditproof.claims.steps import argued, enumerated, symbolic, tried_at
from banditproof.theory import absolute, exp, log, maximum, sqrt, to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify import FiniteKernel, history_law
from banditproof.verify.plays.environments import bernoulli_laws, regret
from banditproof.verify.privacy.interactive_rho import strongest_interactive_rho

restate("ZCDP-EQ8", "TH-EQ4.1")
restate("ZCDP-T6", "TH-T4.6/zcdp")
restate("ZCDP-P3", "TH-P4.7")
restate("ZCDP-T7", "TH-T4.8/zcdp")
for theorem in ("T6", "T7"):
    restate(
        f"ZCDP-{theorem}/hypotheses",
        "ZCDP-PF8/private-mean",
        r"For every $\rho>0$ there is a $\rho$-zCDP mechanism: the mean of $n$ values in $[0,1]$ with noise $\mathcal "
        r"N(0,\frac1{2\rho n^2})$ has $D_\alpha\le\alpha\rho$ on data sets at distance 1.",
        role="hypotheses",
    )

restate(
    "ZCDP-EQ-m",
    "TH-D2.16",
    r"$m_{\nu\pi}(a_1,\dots,a_T)=\int\prod_t\pi_t(a_t|\mathcal H_{t-1})p_{a_t}(r_t)dr_t$: the action marginal of the "
    r"law of histories (rewards of the arm played).",
)

restate(
    "ZCDP-T8",
    "TH-T4.14/every-budget",
    r"$\rho$-Interactive zCDP: $\mathrm{KL}(m_{\nu\pi}\|m_{\nu'\pi})\le\rho\bigl([\mathbb "
    r"E_{\nu\pi}\sum_tt_{a_t}]^2+\mathbb E_{\nu\pi}\sum_tt_{a_t}(1-t_{a_t})+\mathbb V_{\nu\pi}(\sum_tt_{a_t})\bigr)$. "
    r"Here $t_a=\mathrm{TV}(P_a\|P'_a)$ for the laws of arm $a$ in $\nu$ and $\nu'$.",
    notes="""The bound is the second moment of the number of differing rewards as if they were drawn after all actions.
    But the actions react to them: here a first reward that differs sends the policy to the arm whose rewards always
    differ, so that two rewards differ or none. With twice the right side it holds.

    The policy ('courier', error, decay) plays three times: arm 0; then arm 1 after a reward, arm 2 after none, each
    wrongly with probability error; at last arm 2 + k, k = 0, 1, 2, with weight decay^((k - s)^2), s the sum of both
    rewards. It is private for rho = 20.18, at which the right side is taken. The environment: a row of five
    Bernoulli means for each bandit.""",
)
restate(
    "ZCDP-T8/with-correlation",
    "TH-T4.14/with-correlation",
    r"$\mathrm{KL}(m_{\nu\pi}\|m_{\nu'\pi})\le\rho\,(\sqrt{\mathbb E[A^2]}+\sqrt{\mathbb E[V]})^2\le2\rho(\mathbb "
    r"E[A^2]+\mathbb E[V])$ with $A=\sum_{t\le T-1}t_{a_t}$, $V=\sum_{t\le T-1}t_{a_t}(1-t_{a_t})$; $\mathbb E[A^2]$ "
    r"is $(\mathbb E A)^2+\mathbb V(A)$.",
    repairs="ZCDP-T8",
)
restate(
    "ZCDP-T8/small-budgets",
    "TH-T4.14/small-budgets",
    r"The same for $0<\rho\le1$, as Theorems 9 and 17 use it: "
    r"$\mathrm{KL}(m_{\nu\pi}\|m_{\nu'\pi})\le\rho\bigl([\mathbb "
    r"E_{\nu\pi}\sum_tt_{a_t}]^2+\mathbb E_{\nu\pi}\sum_tt_{a_t}(1-t_{a_t})+\mathbb V_{\nu\pi}(\sum_tt_{a_t})\bigr)$. "
    r"Here $t_a=\mathrm{TV}(P_a\|P'_a)$ for the laws of arm $a$ in $\nu$ and $\nu'$.",
    role="part",
    cause="ZCDP-T8",
    notes="""When more of the first rewards differed than expected, more of the later ones differ, and the policy
    tells the
    sum of all; the bound takes the two for independent.

    The policy (64 rewards, 94 pulls, threshold 40, share 1/100, parts 4): arm 0 is played 64 times; if the sum of its
    rewards plus N(0, 1/(2 rho/100)) reaches 40, arm 1 is played 94 times, else arm 2; the last action names the
    cell, of width 1/4, of the sum of all rewards plus N(0, 1/(2 rho 99/100)). Arm 0 has the means 1/2 and 0 in the two
    bandits, arm 1 has 1 and 0, the others never pay. With more rewards budgets of 1/2 and 1/4 fail as well.""",
)
restate(
    "ZCDP-T8/small-budgets-with-correlation",
    "TH-T4.14/small-budgets-with-correlation",
    r"For $0<\rho\le1$: $\mathrm{KL}(m_{\nu\pi}\|m_{\nu'\pi})\le\rho\,(\sqrt{\mathbb E[A^2]}+\sqrt{\mathbb E[V]})^2$, "
    r"$A=\sum_tt_{a_t}$, $V=\sum_tt_{a_t}(1-t_{a_t})$.",
    repairs="ZCDP-T8/small-budgets",
)

restate(
    "ZCDP-T8/hypotheses",
    "ZCDP-D6/budget",
    r"There are $\rho$-Interactive zCDP policies that look at rewards: in two rounds, the second action says by "
    r"randomised response with odds $e^\varepsilon$ what the first reward was, for "
    r"$\rho=\varepsilon\tanh\frac\varepsilon2$ (within 1/1000).",
    role="hypotheses",
)

item(
    "ZCDP-D6",
    r"$\mathrm{Reg}^{minimax}_{T,\rho}(\mathcal A,\Theta)=\inf_{\pi\in\Pi^\rho_{Int}}\sup_{\theta\in\Theta}"
    r"\mathrm{Reg}_T(\pi,\mathcal A,\theta)$.",
)

Gap = Annotated[Any, "(0, 1)"]
SMALLEST = "to T = 2, actions -1 and 1, parameters -g and g, rewards of -1 or 1"


def answering(p: Fraction, q: Fraction) -> FiniteKernel:
    """First either action, then 1 with probability p after a reward that speaks for g, q after one for -g."""

    def row(history: Any) -> Any:
        second = (p if history[0][0] == history[0][1] else q) if history else Fraction(1, 2)
        return 1 - second, second

    return FiniteKernel(2, 2, (0, 1), row)


def linear_regrets(policy: FiniteKernel, gap: Fraction) -> list[Fraction]:
    """The regret at theta = gap and -gap: that of Bernoulli arms, whose gap is half as large, twice."""
    laws = [((1 - theta) / 2, (1 + theta) / 2) for theta in (gap, -gap)]
    return [2 * regret(history_law(policy, bernoulli_laws(means)), means) for means in laws]


@claim(
    "ZCDP-D6/attained",
    enumerated(gap=["1/100", "1/3", "9/10"], odds=["1", "11/10", "3", "99"], rational=True),
    restricted=SMALLEST,
)
def regret_that_is_reached(gap: Gap, odds: AtLeastOne):
    r"""With odds $e^\varepsilon$ for the action that the reward speaks for, $\sup_\theta\mathrm{Reg}_T=2g-g^2
    \tanh\frac\varepsilon2$."""
    likely = odds / (1 + odds)

    def regret_at(theta: Any) -> Any:  # a first action at random, and a second one by the reward, which may mislead
        for_g = (1 + theta) / 2
        plays_one = for_g * likely + (1 - for_g) * (1 - likely)
        return gap + absolute(theta) - theta * (2 * plays_one - 1)

    return maximum(regret_at(gap), regret_at(-gap)), "==", 2 * gap - gap**2 * (odds - 1) / (odds + 1)


@quantity
def rho_of_answers(odds: Any) -> Any:
    """The tightest rho of Interactive zCDP of the policy that answers with these odds, rounded up."""
    likely = Fraction(odds) / (1 + Fraction(odds))
    return Fraction(strongest_interactive_rho(answering(likely, 1 - likely)).upper)


@claim(
    "ZCDP-D6/budget",
    enumerated(odds=["11/10", "3", "99"], rational=True, routes=("the policy's law on neighbours", "closed form")),
    restricted=SMALLEST,
)
def budget_that_is_needed(odds: Annotated[Any, "[11/10, inf)"]):
    r"""That policy is $\rho$-Interactive zCDP for $\rho=\varepsilon\tanh\frac\varepsilon2$ (within 1/1000).

    The tightest rho is enclosed by divergences at finitely many orders, which leaves that much room.
    """
    return rho_of_answers(odds), "<=", (odds - 1) / (odds + 1) * log(odds) * Fraction(1001, 1000)


ANSWERS = [["3/4", "1/4"], ["9/10", "1/2"], ["1/2", "1/10"], ["99/100", "9/10"], ["51/100", "1/2"], ["1/4", "3/4"]]


@claim(
    "ZCDP-D6/least",
    enumerated(answers=ANSWERS, gap=["1/3"], rational=True, routes=("regrets at both parameters", "divergences")),
    false=[{"factor": "1.01"}],
    restricted=SMALLEST,
)
def no_policy_does_better(answers: Annotated[Any, "all: every policy"], gap: Gap, factor=1):
    r"""A $\rho$-Interactive zCDP policy whose mean regret at the two parameters is $2g-g^2x$ has $x
    \log\frac{1+x}{1-x}\le\rho$: none does better than $x=\tanh\frac\varepsilon2$.

    Policies that answer a reward for g and one for -g with two probabilities; `cost` speaks of all.
    """
    pi = answering(*map(Fraction, answers))
    gain = abs(2 * gap - sum(linear_regrets(pi, gap)) / 2) / gap**2
    cost = to_ball(gain) * log(to_ball((1 + gain) / (1 - gain)))
    return to_ball(factor) * cost, "<=", to_ball(strongest_interactive_rho(pi).upper)


def product_of_odds(p: Inside, q: Inside, twice=2):
    """p (1 - q) (1 - x)^2 >= q (1 - p) (1 + x)^2 for x = p - q; with `twice` in the exponent's place at 2."""
    x = p - q
    return p * (1 - q) * (1 - x) ** 2 - q * (1 - p) * (1 + x) ** 2, "==", (twice - 1) * x * (1 - p - q) ** 2


@claim(
    "ZCDP-D6/cost",
    tried_at(p=["1/2", "3/4", "99/100"], q=["1/4", "1/100"]),
    argued(
        "The answers Bern(p), Bern(q) to two rewards that speak for g and -g cost at least half of their divergences "
        "both ways, which add up to (p - q) log(p (1 - q) / (q (1 - p))); the mean gain x of a policy is at most the "
        "largest p - q, and x log((1 + x) / (1 - x)) is increasing",
        product_of_odds,
    ),
    false={"twice": "2.05"},
    restricted=SMALLEST,
    where=["p >= q"],
)
def gain_costs_privacy(p: Inside, q: Inside, twice=2):
    r"""$\rho\ge\frac1{2}(p-q)\log\frac{p(1-q)}{q(1-p)}\ge x\log\frac{1+x}{1-x}$ for $x=p-q$: answers that differ by
    $\tanh\frac\varepsilon2$ cost at least $\varepsilon\tanh\frac\varepsilon2$."""
    x = p - q
    return x * log(p * (1 - q) / (q * (1 - p))), ">=", twice * x * log((1 + x) / (1 - x))


restate(
    "ZCDP-T9",
    "TH-T4.21",
    notes="""Not through the printed steps: with total variation for Markov's inequality, the repaired second moment,
    and
    parameters a quarter as large the constant is $e^{-9/16}/8$, above the printed one.

    Read as printed, over all parameters, the largest regret is infinite for every policy and every constant is true.
    What informs is the reading with bounded mean rewards and its repair, beside.

    The argument reaches 2 in place of the 8, and no less than 4.""",
)
restate(
    "ZCDP-T9/divergence-for-all-budgets",
    "TH-T4.21/step-divergence-for-all-budgets",
    r"Theorem 9 names no range of $\rho$, and its proof ends with $\rho\le1$. Read for every $\rho>0$: "
    r"$\rho(\frac1{\sqrt\rho})^2+\rho\frac1{\sqrt\rho}+\rho\frac1{4\rho}=1+\sqrt\rho+\frac14\le9/4$.",
    role="reading",
    notes="It holds for $\\rho\\le1$, as the proof says. For larger budgets the bound without privacy is the larger "
    "one.",
)
restate("ZCDP-T9/budgets-above-one", "TH-T4.21/budgets-above-one", repairs="ZCDP-T9/divergence-for-all-budgets")

restate("ZCDP-T9/bounded-mean-rewards", "TH-T4.21/bounded-mean-rewards")

restate(
    "ZCDP-T9/bounded-mean-rewards-capped",
    "TH-T4.21/bounded-mean-rewards-capped",
    repairs="ZCDP-T9/bounded-mean-rewards",
)

item(
    "ZCDP-S14",
    r"Theorem 9 changes regime at $\rho=4e^{-0.5}/T$: the private term is larger below, and from there on the bound "
    "is the non-private one.",
    rests_on=["ZCDP-T9"],
)


def linear_terms(dimension: Any, root_horizon: Any, relative: Any, four: Any) -> tuple[Any, Any]:
    """The terms of Theorem 9 at rho = relative^2 four e^(-1/2)/T."""
    zero = 0 * root_horizon
    root_rho = relative * sqrt(four + zero) * exp((zero - 1) / 4) / root_horizon
    return dimension * exp((zero - 9) / 4) / (4 * root_rho), dimension * exp(zero - 2) * root_horizon / 8


@claim("ZCDP-S14/high-privacy", symbolic(), false={"four": "4.1"})
def linear_high_privacy(dimension: Count, root_horizon: Positive, below: AboveOne, four=4):
    r"""For $\rho<4e^{-0.5}/T$ the private term of Theorem 9 is the larger one."""
    private, free = linear_terms(dimension, root_horizon, 1 / below, four)
    return private, ">", free


@claim("ZCDP-S14/low-privacy", symbolic(), false={"four": "3.9"})
def linear_low_privacy(dimension: Count, root_horizon: Positive, above: AtLeastOne, four=4):
    r"""For $\rho\ge4e^{-0.5}/T$ the bound of Theorem 9 is the non-private one."""
    private, free = linear_terms(dimension, root_horizon, above, four)
    return private, "<=", free
