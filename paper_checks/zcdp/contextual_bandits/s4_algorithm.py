"""Section IV-B: the contextual linear model and AdaC-OFUL (Algorithm 3)."""

from typing import Annotated, Any

from banditproof.claims.register import claim, item, restate, restate_parts
from banditproof.claims.steps import enumerated, fails_at
from banditproof.paper_checks.shared.pseudocode import Line, read_before_set

restate_parts(
    "ZCDP-EQ6",
    r"$r_t=\langle\theta^\star,a_t\rangle+\eta_t$ with $a_t$ from $\mathcal A_t$; "
    r"$\hat R_T=\sum_t\max_{a\in\mathcal A_t}\langle\theta^\star,a-a_t\rangle$; for $\mathcal A_t=\{e_1,\dots,e_d\}$ "
    "it is a finite-armed bandit.",
    {"model": "TH-EQ2.16", "regret": "TH-EQ2.17"},
)
restate(
    "ZCDP-EQ6/finite-armed",
    "TH-EQ2.17/bandit",
    role="part",
    notes="With means theta, against the decomposition of the regret by arms, (13).",
)

restate("ZCDP-R4", "ALG-R5.13")

item(
    "ZCDP-A3",
    r"AdaC-OFUL: when $\det V_{t-1}>(1+C)\det V_\tau$, the estimate is computed anew with one more vector "
    r"$Y_\ell\sim\mathcal N(0,\frac2\rho I_d)$.",
    twins=["ALG-A9"],
)
restate("ZCDP-A3/between-updates", "ALG-A9/between-updates")
restate("ZCDP-A3/updates", "ALG-S5.3c/updates", role="implication")
restate(
    "ZCDP-A3/last-update",
    "ALG-PC.4.2/last-update",
    r"Line 11 has $\tilde\beta_\tau=\beta_\tau+\gamma_\tau/\sqrt\tau$ with the $\tau$ that line 3 and line 9 set: "
    r"$\tau\ge1$ in every round.",
    notes=r"In the first episode $\tau=0$, and the width has $\gamma_0/\sqrt0$ in it.",
    cause="ZCDP-A3/width-defined",
)
restate(
    "ZCDP-A3/width-defined",
    "ALG-TC.13/defined",
    r"The width $\tilde\beta_\tau=\beta_\tau+\gamma_\tau/\sqrt\tau$ of line 11 is a number in every episode, with the "
    r"$\gamma_t$ of Appendix F-A: what stands under its root is positive for all $t\ge1$, "
    r"$\lambda+\frac{\lambda_0t}4-8\log\frac{t+3}{\delta/d}-2\sqrt{t\log\frac{t+3}{\delta/d}}>0$ (ridge is $\lambda$, "
    r"eigenvalue $\lambda_0$).",
    role="part",
    notes=r"It is negative in early rounds, for $d=1$ with contexts $\pm1$, where lambda_0 = 1 is the "
    r"largest there is, and $\delta=\frac1{1000}$ in the first thousand; in these episodes line 11 has no value. "
    r"With the least eigenvalue of $V_\tau$ itself, which is public, in place of its lower bound the width is a number "
    r"in every round, and the proof needs no more.",
)
restate(
    "ZCDP-A3/width-with-the-observed-eigenvalue",
    "ALG-TC.13/coverage",
    r"With $\frac{\gamma_t}{\sqrt t}=\sqrt{\frac{2\ell(t)}\rho f(d,\frac\delta T)/\lambda_{\min}(V_t)}$, where "
    r"$\lambda_{\min}(V_t)\ge\lambda>0$, at the updates $\mathbb P(\exists t\le "
    r"T:\|\tilde\theta_t-\theta^\star\|_{V_t}>\tilde\beta_t)\le3\delta$.",
    repairs="ZCDP-A3/width-defined",
    notes="By simulation. The variant without noise in the width is caught; a width of 60 % would not be.",
)

WIDTH = "delta lambda_0 norm_of_theta"  # what beta_tau and gamma_tau read, besides what the lines before set
OFUL = [
    Line(3, "lambda d", "V theta tau l"),
    Line(5, "", "A_t"),
    Line(6, "V tau C"),
    Line(11, f"A_t theta tau V lambda d T rho C {WIDTH}", "a_t"),
    Line(12, "a_t", "r_t"),
    Line(13, "V a_t", "V"),
    Line(7, "rho d l", "Y"),  # in a later round, after plays
    Line(8, "V a_t r_t Y l", "theta"),
    Line(9, "l", "l tau"),
]


@claim(
    "ZCDP-A3/inputs",
    fails_at(added=0, rational=True),
    strongest="enumeration",
    slip="Theorem 5 names delta and Assumption 1 bounds the norm; what stays unknown is the eigenvalue.",
)
def inputs_of_oful(added: Annotated[Any, [0, 1]]):
    r"""The input of Algorithm 3 ($\rho$, $T$, $\lambda$, $d$, $C$) and the lines before give everything that a line
    reads: the number of names that are read and not set is 0 (added is 1 where $\delta$, $\lambda_0$ and a bound on
    $\|\theta^\star\|$ are inputs as well).

    Line 11 reads $\tilde\beta_\tau$, which Appendix F-A makes of $\delta$, of lambda_0 and of the norm of
    $\theta^\star$; none of them is an input, and lambda_0 belongs to the unknown law of the contexts. With $\delta$, a
    lower bound on lambda_0 and the bound 1 of Assumption 1 on the norm as inputs the algorithm is complete.
    """
    return len(read_before_set(f"rho T lambda d C {WIDTH if added else ''}", OFUL)), "==", 0


@claim("ZCDP-A3/inputs-completed", enumerated([{}], rational=True), false={"added": 0}, repairs="ZCDP-A3/inputs")
def completed_inputs_of_oful(added=1):
    r"""With $\delta$, $\lambda_0$ and a bound on $\|\theta^\star\|$ as inputs every name is set before a line reads
    it."""
    return inputs_of_oful(added)


item(
    "ZCDP-R5",
    "A generic blueprint: Gaussian noise each time rewards are accessed, and adaptive episodes; with forgetting in "
    "AdaC-UCB and AdaC-GOPE, without in AdaC-OFUL.",
)
restate("ZCDP-R5/oful", "ALG-T5.14/recorded-runs", restricted="to AdaC-OFUL")
