r"""Appendix D: the confidence ellipsoid of AdaR-OFUL, the steps of its regret proof, and LinPriv.

L is log(T / delta) where it is a variable; rho is epsilon / alpha in claims that the zCDP paper states as well.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import Count, Inside
from banditproof.claims.steps import fails_at, symbolic
from banditproof.theory import log, sqrt
from banditproof.theory.numbers.normal_law import normal_cdf

item(
    "RDP-T17",
    r"With probability $1-\mathcal O(\delta)$, for all $t\in[1,T]$, $\|\tilde\theta_t-\theta^*\|_{V_t}\le\tilde\beta_t="
    r"\beta_t+\frac{\gamma_t}{\sqrt t}$ with $\beta_t=\mathcal O(\sqrt{d\log t})$, "
    r"$\gamma_t=\mathcal O(\sqrt{\frac\alpha\epsilon}d\log t)$, both increasing in $t$.",
    twins=["ALG-TC.13"],
)
restate("RDP-T17/hypotheses", "RDP-T10/hypotheses", cause="RDP-T10/hypotheses")
restate(
    "RDP-T17/one-dimension",
    "ALG-D5.15/dimension-one",
    r"In $d=1$ contexts of $\pm1$ meet the conditions: $(zA)^2=1$ has mean $\lambda_0=1$ and variance 0.",
    role="special case",
    repairs="RDP-T17/hypotheses",
    restricted="to one dimension",
)
restate(
    "RDP-T17/defined",
    "RDP-A4/width-defined",
    r"'For all $t\in[1,T]$': the number under the root that step 4 of the proof calls $\frac{\gamma_t}{\sqrt t}$ has a "
    r"positive denominator, "
    r"$\lambda+\frac{\lambda_0t}4-8\log\frac{t+3}{\delta/d}-2\sqrt{t\log\frac{t+3}{\delta/d}}>0$.",
    role="step",
)
restate(
    "RDP-T17/defined-late",
    "ALG-TC.13/defined-late",
    r"The denominator is positive from $t\ge\frac{12^2}{\lambda_0^2}\log\frac{(t+3)d}\delta$ on (root is "
    r"$\sqrt{t/\log\frac{(t+3)d}\delta}$, eigenvalue $\lambda_0$, ridge $\lambda$).",
    repairs="RDP-T17/defined",
)
restate(
    "RDP-T17/gamma-increasing",
    "ALG-TC.13/gamma-increasing",
    r"'$\gamma_t$ [is] increasing in $t$': where the $\gamma_t$ of step 4 is defined, $\gamma_t^2\le\gamma_{t+more}^2$ "
    r"(at $d=C=\frac\alpha\epsilon=1$, $T=10^6$, with $\log\frac T\delta$ in both places and for $\ell(t)$ its bound; "
    r"eigenvalue is $\lambda_0$, ridge $\lambda$).",
    notes=r"Its denominator passes through 0 in early rounds, and where it turns positive $\gamma_t$ comes down from "
    "infinity before it grows. The bound on the number of updates in its numerator does increase.",
)
restate(
    "RDP-T17/updates-increasing",
    "ALG-TC.13/updates-increasing",
    r"What increases is the bound on the number of updates, $\log(1+\frac t{\lambda d})<\log(1+\frac{t+more}{\lambda "
    r"d})$.",
    repairs="RDP-T17/gamma-increasing",
)
restate(
    "RDP-T17/beta-increasing",
    "ALG-TC.13/beta-increasing",
    r"$\beta_t<\beta_{t+more}$ for the $\beta_t$ of step 5 (norm is $\|\theta^*\|$, ridge $\lambda$).",
)
restate(
    "RDP-T17/coverage",
    "ALG-TC.13/coverage",
    r"$\mathbb P(\exists t\le T:\|\tilde\theta_t-\theta^*\|_{V_t}>\tilde\beta_t)\le3\delta$ at the updates, for "
    r"$\tilde\beta_t=\beta_t+\sqrt{\frac{2\alpha\ell(t)}\epsilon(d+2\sqrt{dL}+2L)/\lambda_{\min}(V_t)}$, $L=\log\frac "
    r"T\delta$.",
    restricted="to the width with the observed least eigenvalue, at epsilon / alpha = 1/20, delta = 1/10, d = 2",
)
restate(
    "RDP-T17/rate-of-gamma",
    "ALG-EQ5.3x/gamma",
    r"$\gamma_t\le6\sqrt{\frac\alpha\epsilon}(d\log t)$ for the $\gamma_t$ of step 4 at $t=T$ ($d=\lambda=C=1$, "
    r"$\delta=\frac1{100}$, $T=10^{16},\dots,10^{16384}$; the variable rho is $\frac\epsilon\alpha$).",
    restricted="to the last round of long horizons in one dimension",
)
restate(
    "RDP-T17/rate-of-beta",
    "ALG-EQ5.3x/beta",
    r"$d\log(1+\frac t{\lambda d})\le2d\log t$ for $t\ge2$, $\lambda\ge1$: the leading part of $\beta_t^2$.",
)


item(
    "RDP-PF6",
    r"$\frac{\gamma_t}{\sqrt t}$ from $E_2$ and $E_3$, each of probability $1-\delta$; "
    r"$\det V_t\le(\lambda+\frac td)^d$; $\ell(t)\le\frac d{\log(1+C)}\log(1+\frac t{\lambda d})$.",
    twins=["ALG-TC.13"],
)


def printed_event(d: Any, level: Any) -> Any:
    """What E_3 has in the place of the squared norm of a standard normal vector: one root over two summands."""
    return d + 2 * sqrt(d * level + 2 * level)


@claim(
    "RDP-PF6/noise-event",
    fails_at(horizon=10, delta=Fraction(1, 10**4)),
    slip="The second root of the event ends too late: Lemma 24, which step 3 applies, has the last summand outside.",
    strongest="enumeration",
)
def printed_event_is_likely(horizon: Count, delta: Inside):
    r"""Step 3, 'a direct application of Lemma 24 gives that $\mathbb P(\neg E_3)\le\delta$': the printed $E_3$ bounds
    $\|N_t\|^2$ by $\frac{2\alpha\ell(t)}\epsilon(d+2\sqrt{dL+2L})$ with $L=\log\frac T\delta$, so that at $d=1$, after
    the first update, a standard normal $X$ would have $\mathbb P(X^2>1+2\sqrt{3L})\le\delta$ (horizon is $T$).

    In the printed event the last summand stands under the root, so that the bound grows like the root of $L$. With the
    bound of Lemma 24, which has $2L$ outside of the root, step 3 holds: for each number of updates it fails with
    probability at most $\frac\delta T$.
    """
    return 2 * normal_cdf(-sqrt(printed_event(1, log(horizon / delta)))), "<=", delta


restate(
    "RDP-PF6/noise-event-repaired",
    "ALG-LC.28/one-dimension",
    r"With the last summand outside of the root, as in Lemma 24: $\mathbb P(X^2\ge1+2\sqrt L+2L)\le e^{-L}=\frac\delta "
    r"T$ ($d=1$, level is $L=\log\frac T\delta$).",
    repairs="RDP-PF6/noise-event",
)


@claim(
    "RDP-PF6/numerator",
    fails_at(d=100, horizon=100, delta=Fraction(1, 10)),
    slip="A T is missing in one of two logarithms: the event E_3, two displays before, has it in both.",
    cause="ZCDP-PF11/numerator",
)
def numerator_of_gamma(d: Count, horizon: Count, delta: Inside, factor=1):
    r"""Step 4: what $E_3$ has in its bracket, $d+2\sqrt{dL+2L}$ with $L=\log\frac T\delta$, is at most what the next
    bound on $\|N_t\|$ has there, $d+2\sqrt{d\log\frac1\delta}+2L$.

    The first logarithm has lost its $T$. Where the root of $E_3$ is to end after its first summand, as in Lemma 24, the
    step fails for every $T>1$. With $L$ in both places it holds.
    """
    level = log(horizon / delta)
    return printed_event(d, level), "<=", factor * (d + 2 * sqrt(d * log(1 / delta)) + 2 * level)


restate(
    "RDP-PF6/numerator-with-horizon",
    "ALG-TC.13/numerator-with-horizon",
    r"With $L=\log\frac T\delta$ in both places and the root of $E_3$ over its first summand, the bracket of $E_3$ is "
    r"$(d+2\sqrt{dL}+2L)$.",
    repairs="RDP-PF6/numerator",
)
restate(
    "RDP-PF6/determinant-and-trace",
    "ALG-TC.13/determinant-and-trace",
    r"Step 5: $\det V_t\le(\lambda+\frac td)^d$.",
    role="part",
)
restate(
    "RDP-PF6/updates",
    "ALG-S5.3c/updates",
    r"Step 5: the number of updates $\ell(t)$ is at most $\frac{d}{\log(1+C)}\log(1+\frac t{\lambda d})$ "
    r"(T is $t$, ridge $\lambda$, growth $C$).",
)


@claim("RDP-PF6/probability", symbolic(), false={"events": 4}, role="step")
def three_events(delta: Annotated[Any, "(0, 1/3]"], events=3):
    r"""Step 3: $E=E_1\cap E_2\cap E_3$: three events of probability $1-\delta$ each hold at once with probability at
    least $1-3\delta$, which is as much as the union bound gives."""
    return 1 - events * delta, "==", 1 - delta - delta - delta


item("RDP-PF7", "The proof of Theorem 10, (14) to (18).", twins=["ALG-PC.4.2"])
restate(
    "RDP-PF7/truncated-log",
    "ALG-PC.4.2/truncated-log",
    r"Step 4 'uses that' $1\wedge x\le\log(1+x)$ (for $x\ge0$).",
    notes=r"At $x=1$ it says $1\le\log2$. With a factor 2 on the right, which (15) has, it holds.",
    slip="(15), the next display, has the missing factor 2.",
)
restate(
    "RDP-PF7/truncated-log-twice",
    "ALG-PC.4.2/truncated-log-twice",
    r"$1\wedge x\le2\log(1+x)$, as in (15); $1/\log2\approx1.4427$ is the least factor.",
    repairs="RDP-PF7/truncated-log",
)
restate(
    "RDP-PF7/determinant-product",
    "ALG-PC.4.2/determinant-product",
    r"Step 4 and (17): $\det V_T=\det V_0\prod_{t\le T}(1+\|A_t\|^2_{V_{t-1}^{-1}})$.",
)
restate(
    "RDP-PF7/elliptical-potential",
    "ALG-PC.4.2/elliptical-potential",
    r"(15) $\sum_{t\le T}1\wedge\|A_t\|^2_{V_{t-1}^{-1}}\le2\,d\log(1+\frac T{\lambda d})$ (ridge is $\lambda$).",
)
restate(
    "RDP-PF7/episode-determinants",
    "ALG-PC.4.2/episode-determinants",
    r"'Episode $\ell$ starts at $t_\ell$ and ends at $t_{\ell+1}-1$', with $t_\ell$ the round in which line 6 of "
    r"Algorithm 4 finds its condition: (16), $\det V_{t_{\ell+1}-1}\le(1+C)\det V_{t_\ell}$, for every episode within "
    r"$T$ rounds (the number of episodes where it fails is 0; ridge is $\lambda$, growth $C$).",
    notes=r"Line 6 compares $\det V_{t-1}$ with $\det V_\tau$ for $\tau=t_\ell-1$. At $t=t_{\ell+1}$ it has found "
    r"more than $1+C$ times as much, by the whole last vector. With $t_\ell$ the $\tau$ of line 9, as in (18), where "
    r"$\frac1{\tau_t}$ is $\frac1{t_\ell}$, (16) is true.",
)
restate(
    "RDP-PF7/episode-determinants-from-tau",
    "ALG-PC.4.2/episode-determinants-before",
    r"(16) with $t_\ell$ the $\tau$ of line 9, one round before line 6 finds its condition, as "
    r"$\frac1{\tau_t}=\frac1{t_\ell}$ in (18) has it: $\det V_{t_{\ell+1}-1}\le(1+C)\det V_{t_\ell}$ for every episode "
    r"within $T$ rounds (read 0 rounds later; the number of episodes where it fails is 0).",
    role="part",
)
restate(
    "RDP-PF7/episode-length",
    "ALG-PC.4.2/episode-length",
    r"Step 5: $t_{\ell+1}\le(1+C)(1+\lambda)t_\ell$ for every regulariser; step 5 'uses that [...] $\lambda\ge1$', and "
    r"neither Algorithm 4 nor Theorem 10 asks for it (the number of episodes where it fails is 0).",
    notes=r"The second episode starts at $t_2=2$ at the earliest, and the factor is less than 2 where both are small: "
    r"1.65 for $C=\frac12$ and a regulariser of 1/10. For a regulariser of at least 1 it holds.",
)
restate(
    "RDP-PF7/episode-length-above-one",
    "ALG-PC.4.2/episode-length-above-one",
    r"Step 5: $t_{\ell+1}\le(1+C)(1+\lambda)t_\ell$ for $\lambda\ge1$.",
)
restate(
    "RDP-PF7/last-update",
    "ALG-PC.4.2/last-update",
    r"'Let $\tau_t$ be the last step where $\tilde\theta$ was updated': with the $\tau$ of Algorithm 4, the "
    r"$\frac1{\tau_t}$ of (14) and (18) is a number, $\tau_t\ge1$.",
    notes=r"Line 3 sets $\tau=0$, and in the first episode nothing has been updated: the width that is used there has "
    r"$\frac{\gamma_0}{\sqrt0}$ in it.",
)


item(
    "RDP-S10",
    r"LinPriv: $\sum\|x_{i,t}\|_{V_{i,t}^{-1}}\le2d\log(1+\frac n{\lambda d})$ is wrong, it holds for the squares; the "
    r"rectified regret is $\tilde{\mathcal O}(d\sqrt T+\frac1\epsilon Kd\sqrt T)$.",
    twins=["ALG-SC.4.3"],
)
for part in ("unsquared-fails", "squared", "cauchy-schwarz", "rate", "rate-to-the-letter"):
    restate(f"RDP-S10/{part}", f"ALG-SC.4.3/{part}")
restate(
    "RDP-S10/squared-before-the-round",
    "ALG-SC.4.3/squared-before-the-round",
    r"'Known as the elliptical potential lemma (Eq. (15))', where the design is that before the round: $\sum_{t\le "
    r"n}\|x_t\|^2_{V_{t-1}^{-1}}\le2d\log(1+\frac n{\lambda d})$ for every regulariser (T is $n$).",
    notes="(15) has 1 in place of larger terms: without it the first term is 1/lambda.",
)
restate("RDP-S10/squared-with-ridge", "ALG-SC.4.3/squared-with-ridge", repairs="RDP-S10/squared-before-the-round")
