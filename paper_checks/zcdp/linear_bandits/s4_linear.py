"""Section IV-A: linear bandits with finitely many arms and AdaC-GOPE, which the thesis has in its Section 5.3.2."""

from banditproof.claims.register import item, restate

restate("ZCDP-EQ3", of="TH-S4.3lin")
restate("ZCDP-EQ4", of="ALG-EQ5.6")
restate("ZCDP-D5", of="ALG-D5.8")

item(
    "ZCDP-T2",
    r"""$\mathcal A$ compact, spanning $\mathbb R^d$: $\pi^\star$ minimises $g$, $\pi^\star$ maximises $f$, and
    $g(\pi^\star)=d$ are equivalent, $g(\pi)=\max_a\|a\|_{V(\pi)^{-1}}$; some minimiser has
    $|\mathrm{Supp}|\le\frac{d(d+1)}2$.""",
    twins=["ALG-T5.9"],
)
restate(
    "ZCDP-T2/value",
    of="ALG-T5.9/value",
    statement=r"A minimiser $\pi^\star$ of $g(\pi)=\max_a\|a\|_{V(\pi)^{-1}}$ (Definition 5) has $g(\pi^\star)=d$; "
    r"here "
    r"for the actions $e_1,\dots,e_d$, where $V(\pi^\star)=\frac1dI$.",
    notes=r"Definition 5 takes the norm and not its square, so the least value of $g$ is the root of $d$. With the "
    r"square it "
    r"is $d$.",
    slip="A lost square: the proof of Corollary 1 squares the norm where it uses the value d.",
)
restate(
    "ZCDP-T2/value-repaired",
    of="ALG-T5.9/value-repaired",
    statement=r"$\max_a\|a\|^{2}_{V(\pi^\star)^{-1}}=d$.",
    repairs="ZCDP-T2/value",
)
restate("ZCDP-T2/equivalent", of="ALG-T5.9/equivalent")
restate("ZCDP-T2/support", of="ALG-T5.9/support")

item(
    "ZCDP-A2",
    r"""AdaC-GOPE: phases with an optimal design on the actions left, $T_\ell(a)=\lceil c_\ell\pi_\ell(a)\rceil$ plays
    of each, least squares on the phase, noise $V_\ell^{-1/2}\mathcal N(0,\frac{2d}{\rho c_\ell}I)$, elimination of
    what is $2\beta_\ell$ worse.""",
    twins=["ALG-A8"],
)
restate(
    "ZCDP-A2/inverse",
    of="ALG-EQ5.7/when-few-are-left",
    statement=r"Steps 3 and 4 use $V_\ell^{-1}$ and $V_\ell^{-1/2}$, so $V_\ell$ is regular in every phase: "
    r"$\det V(\pi)>0$ for the uniform design on the actions that are left (left is their number) of $e_1,\dots,e_d$.",
    notes=r"After the first elimination the actions need not span $\mathbb R^d$; then $V_\ell$ is singular and Step 3 "
    r"has no value. This happens in ordinary runs: of $e_1$ and $e_2$ one is eliminated in the end. In coordinates for "
    r"the span of the actions that are left (or with a pseudo-inverse) the algorithm is defined.",
)
restate(
    "ZCDP-A2/inverse-repaired",
    of="ALG-EQ5.7/when-few-are-left-repaired",
    statement=r"In coordinates for the span of the actions that are left it is: $\det V(\pi)=m^{-m}$ for $m$ of "
    r"$e_1,\dots,e_d$.",
    repairs="ZCDP-A2/inverse",
)
restate(
    "ZCDP-A2/window",
    of="ALG-A8/window",
    statement=r"Lines 9 to 11: the phase observes $r_t$ for $t=t_\ell,\dots,t_\ell+T_\ell$, and Step 3 sums to "
    r"$t_{\ell+1}-1=t_\ell+T_\ell$: these are as many rewards as the $T_\ell$ plays that $V_\ell$ counts.",
    notes=r"It is one reward more: none of the actions of the phase is played at $t_\ell+T_\ell$. The phase is "
    r"$t_\ell,\dots,t_\ell+T_\ell-1$, and $t_{\ell+1}=t_\ell+T_\ell$. (pulls is $T_\ell$, at least 67 by (4); start is "
    r"$t_\ell$.)",
    slip="Off by one: Step 4 of the proof of Theorem 4 counts the rounds right, as the sum of the T_l is T.",
)
restate(
    "ZCDP-A2/window-repaired",
    of="ALG-A8/window-repaired",
    statement=r"With $t_{\ell+1}=t_\ell+T_\ell$ in place of $t_\ell+T_\ell+1$ the phase has $T_\ell$ rewards.",
    repairs="ZCDP-A2/window",
)
