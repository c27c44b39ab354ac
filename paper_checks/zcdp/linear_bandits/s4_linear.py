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
restate("ZCDP-T2/value", of="ALG-T5.9/value")
restate("ZCDP-T2/value-repaired", of="ALG-T5.9/value-repaired", repairs="ZCDP-T2/value")
restate("ZCDP-T2/equivalent", of="ALG-T5.9/equivalent")
restate("ZCDP-T2/support", of="ALG-T5.9/support")

item(
    "ZCDP-A2",
    r"""AdaC-GOPE: phases with an optimal design on the actions left, $T_\ell(a)=\lceil c_\ell\pi_\ell(a)\rceil$ plays
    of each, least squares on the phase, noise $V_\ell^{-1/2}\mathcal N(0,\frac{2d}{\rho c_\ell}I)$, elimination of
    what is $2\beta_\ell$ worse.""",
    twins=["ALG-A8"],
)
restate("ZCDP-A2/window", of="ALG-A8/window")
restate("ZCDP-A2/window-repaired", of="ALG-A8/window-repaired", repairs="ZCDP-A2/window")
restate("ZCDP-A2/inverse", of="ALG-EQ5.7/when-few-are-left", role="edge")
restate("ZCDP-A2/inverse-repaired", of="ALG-EQ5.7/when-few-are-left-repaired", repairs="ZCDP-A2/inverse")
