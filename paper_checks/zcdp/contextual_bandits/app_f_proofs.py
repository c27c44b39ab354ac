"""Appendix F: the confidence ellipsoid of AdaC-OFUL, the steps of its regret proof, and LinPriv."""

from banditproof.claims.register import item, not_checkable, restate, restate_parts

item(
    "ZCDP-T14",
    r"With probability $1-O(\delta)$, for all $t\in[1,T]$, $\|\tilde\theta_t-\theta^\star\|_{V_t}\le\tilde\beta_t="
    r"\beta_t+\gamma_t/\sqrt t$, $\beta_t=O(\sqrt{d\log t})$, $\gamma_t=O(\sqrt{1/\rho}\,d\log t)$, both increasing.",
    twins=["ALG-TC.13"],
)
restate(
    "ZCDP-T14/defined",
    "ALG-TC.13/defined",
    r"(Step 4) The number under the root of $\gamma_t/\sqrt t$ is positive for all $t\in[1,T]$: "
    r"$\lambda+\frac{\lambda_0t}4-8\log\frac{t+3}{\delta/d}-2\sqrt{t\log\frac{t+3}{\delta/d}}>0$ (ridge is $\lambda$, "
    r"eigenvalue $\lambda_0$).",
    notes=r"The lower bound $g$ on the least eigenvalue of $G_t$ is negative in early rounds, for $d=1$, lambda_0 = 1 "
    r"and $\delta=\frac1{1000}$ in the first thousand. With the least eigenvalue of $V_t$ itself, which is "
    r"public, in "
    r"its place the width is a number in every round.",
    cause="ZCDP-A3/width-defined",
)
restate(
    "ZCDP-T14/gamma-increasing",
    "ALG-TC.13/gamma-increasing",
    r"$\gamma_t$ is increasing in $t$ where it is defined: $\gamma_t^2\le\gamma_{t+more}^2$ for the $\gamma_t$ of Step "
    r"4 ($d=C=\rho=1$, $T=10^6$; ridge is $\lambda$, eigenvalue $\lambda_0$).",
    notes="It comes down from infinity where the denominator turns positive. What increases in $t$ is the bound on the "
    "number of updates in its numerator.",
    cause="ZCDP-A3/width-defined",
)
for part in ("beta-increasing", "coverage"):
    restate(f"ZCDP-T14/{part}", f"ALG-TC.13/{part}")
restate(
    "ZCDP-T14/defined-late",
    "ALG-TC.13/defined-late",
    r"It is positive for $t\ge\frac{12^2}{\lambda_0^2}\log\frac{(t+3)d}\delta$.",
    role="special case",
    repairs="ZCDP-T14/defined",
)
restate("ZCDP-T14/updates-increasing", "ALG-TC.13/updates-increasing", repairs="ZCDP-T14/gamma-increasing")
restate(
    "ZCDP-T14/rate-of-gamma",
    "ALG-EQ5.3x/gamma",
    r"$\gamma_t\le6\,\rho^{-1/2}(d\log t)$ for the $\gamma_t$ of the proof ($d=\lambda=C=1$, $\delta=\frac1{100}$, "
    r"$T=t=10^{16},\dots,10^{16384}$).",
    restricted="to the horizon, t = T, and d = lambda = C = 1, delta = 1/100, T from 10^16 on",
    notes="The $\\gamma_t$ of the proof, with $\\log\\frac T\\delta$, against $\\log t$ at $t=T$.",
)
restate("ZCDP-T14/rate-of-beta", "ALG-EQ5.3x/beta")
restate(
    "ZCDP-T14/hypotheses",
    "ZCDP-T5/hypotheses",
    r"Theorem 14, whose proof applies Lemma 12 and so takes its conditions: for every $d\ge2$ and "
    r"$\lambda_0\le\frac1d$ they leave room for a law, $\frac{2(d-1)\lambda_0}{d(d+2)}\le\frac{\lambda_0^2}{8}$ (a "
    r"lower bound on the largest variance, an upper bound on what is allowed; share is $d\lambda_0$).",
    cause="ZCDP-T5/hypotheses",
)
restate(
    "ZCDP-T14/in-one-dimension",
    "ALG-D5.15/dimension-one",
    r"In $d=1$ contexts $\pm1$ meet them: $(zA)^2=1$ has mean $\lambda_0=1$ and variance 0.",
    role="special case",
    repairs="ZCDP-T14/hypotheses",
)

restate_parts(
    "ZCDP-PF11",
    r"$\gamma_t/\sqrt t$ from $E_2$ and $E_3$; $\det V_t\le(\lambda+\frac td)^d$; "
    r"$\ell(t)\le\frac d{\log(1+C)}\log(1+\frac t{\lambda d})$.",
    {"determinant-and-trace": "ALG-TC.13/determinant-and-trace", "updates": "ALG-S5.3c/updates"},
)

restate(
    "ZCDP-PF11/numerator",
    "ALG-TC.13/numerator",
    r"(Step 4) Under $E_3$, which has $f(d,\frac\delta T)$, $\|N_t\|^2\frac\rho{2\ell(t)}\le "
    r"d+2\sqrt{d\log\frac1\delta}+2\log\frac T\delta$: so $f(d,\frac\delta T)$ is at most that (horizon is $T$).",
    role="part",
    notes=r"One $T$ is missing: both logarithms of $f(d,\frac\delta T)$ have $\frac T\delta$.",
    slip="A lost T in one of two logarithms: the event E_3 two displays before has it.",
)
restate("ZCDP-PF11/numerator-with-horizon", "ALG-TC.13/numerator-with-horizon", repairs="ZCDP-PF11/numerator")

item("ZCDP-PF12", "The proof of Theorem 5 in six steps, equations 21 to 25.", twins=["ALG-PC.4.2"])
restate(
    "ZCDP-PF12/truncated-log",
    "ALG-PC.4.2/truncated-log",
    r"(Step 4) $1\wedge x\le\log(1+x)$ for every $x\ge0$.",
    notes=r"At $x=1$ it says $1\le\log2$. With a factor 2 on the right, which the next display has, it holds.",
    slip="A lost factor 2: the display that follows, (22), has it.",
)
restate(
    "ZCDP-PF12/truncated-log-twice",
    "ALG-PC.4.2/truncated-log-twice",
    r"$1\wedge x\le2\log(1+x)$, as (22) has it; $1/\log2\approx1.4427$ is the least factor.",
    repairs="ZCDP-PF12/truncated-log",
)
restate(
    "ZCDP-PF12/determinant-product",
    "ALG-PC.4.2/determinant-product",
    r"(24) for the whole run: $\det V_T=\det V_0\prod_{t\le T}(1+\|A_t\|^2_{V_{t-1}^{-1}})$, the bonuses by "
    r"elimination.",
)
restate(
    "ZCDP-PF12/elliptical-potential",
    "ALG-PC.4.2/elliptical-potential",
    r"(22) $\sum_{t\le T}1\wedge\|A_t\|^2_{V_{t-1}^{-1}}\le2\,d\log(1+\frac T{\lambda d})$.",
)
restate(
    "ZCDP-PF12/episode-determinants",
    "ALG-PC.4.2/episode-determinants",
    r"(23) $\det V_{t_{\ell+1}-1}\le(1+C)\det V_{t_\ell}$ where 'episode $\ell$ starts at $t_\ell$' is read as its "
    r"first round: for every episode within $T$ rounds (ridge is $\lambda$, growth is $C$).",
    notes=r"The condition of line 6 bounds $\det V_{t-1}$ by $(1+C)\det V_\tau$, $\tau=t_\ell-1$, while the episode "
    r"lasts; at its end the determinant has crossed that bound, by the whole last vector. With $t_\ell=\tau$ (23) "
    r"holds.",
)
restate(
    "ZCDP-PF12/episode-determinants-from-the-update",
    "ALG-PC.4.2/episode-determinants-before",
    r"(23) $\det V_{t_{\ell+1}-1}\le(1+C)\det V_{t_\ell}$ where $t_\ell$ is the $\tau$ that line 9 sets for the "
    r"episode, the round before it: for every episode within $T$ rounds.",
    role="part",
    notes="Counts the episodes where it fails.",
)
restate("ZCDP-PF12/episode-length", "ALG-PC.4.2/episode-length")
restate("ZCDP-PF12/episode-length-above-one", "ALG-PC.4.2/episode-length-above-one")
restate(
    "ZCDP-PF12/last-update",
    "ALG-PC.4.2/last-update",
    r"(25) has $\frac1{\tau_t}$, $\tau_t$ 'the last step where $\tilde\theta$ was updated': with the $\tau$ of "
    r"Algorithm 3, $\tau_t\ge1$.",
    notes=r"In the first episode $\tau=0$, and the width that is used there has $\gamma_0/\sqrt0$ in it.",
)

item(
    "ZCDP-S17",
    r"LinPriv: $\sum\|x_{i,t}\|_{V_{i,t}^{-1}}\le2d\log(1+\frac n{\lambda d})$ is wrong, it holds for the squares; the "
    r"rectified regret is $\tilde O(d\sqrt T+\frac1\epsilon Kd\sqrt T)$.",
    twins=["ALG-SC.4.3"],
)
for part in ("unsquared-fails", "squared", "cauchy-schwarz", "rate", "rate-to-the-letter"):
    restate(f"ZCDP-S17/{part}", f"ALG-SC.4.3/{part}")
restate(
    "ZCDP-S17/squared-before-the-round",
    "ALG-SC.4.3/squared-before-the-round",
    r"The correct inequality is 'known as the elliptical potential lemma', (22), where the design is that before the "
    r"round: $\sum_{t\le n}\|x_t\|^2_{V_{t-1}^{-1}}\le2d\log(1+\frac n{\lambda d})$ for every $\lambda$.",
    notes=r"(22) has 1 in place of larger terms: without it the first term is one over the regulariser.",
)
restate("ZCDP-S17/squared-with-ridge", "ALG-SC.4.3/squared-with-ridge", repairs="ZCDP-S17/squared-before-the-round")

not_checkable(
    "ZCDP-R10",
    r"The criticised source bounds $\sum w_{i,t}$ with the right $\sqrt T$ and misuses the inequality for the private "
    "part only.",
    "cited result",
    "the text of the cited proof",
)
