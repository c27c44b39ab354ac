"""Section VII: Figure 4(a) and (b), and the conclusions for finitely many arms, as in Section 5.5.2 of the thesis."""

from banditproof.claims.register import item, restate
from banditproof.verify import Domain

item(
    "ZCDP-E1",
    r"""(Figure) the regret that privacy adds falls with the budget $\rho\in[10^{-1},10^3]$ at $T=10^5,10^6,10^7$, and
    $\mathrm{PoP}=(\mathrm{Reg}_{priv}-\mathrm{Reg}_{non-priv})/\mathrm{Reg}_{non-priv}$ falls with $t$ for
    $\rho=0.1,0.5,1$ (AdaC-UCB with $\beta=1$ and its counterpart with ties at random, five Bernoulli arms; 100
    runs)""",
    domain=Domain.of(rho="[1/10, 1000]"),
    twins=["ALG-E5.4"],
)
restate("ZCDP-E1/difference", of="ALG-E5.4/difference")
restate("ZCDP-E1/price-falls", of="ALG-E5.4/price-falls")
restate("ZCDP-E1/hundred-runs", of="ALG-E5.4/hundred-runs")
restate("ZCDP-E1/hundred-runs-repaired", of="ALG-E5.4/hundred-runs-repaired", repairs="ZCDP-E1/hundred-runs")
restate("ZCDP-E1/optimism", of="ALG-E5.4/optimism")

item(
    "ZCDP-S15",
    r"""(Conclusions, finitely many arms) (1) for fixed $T$, $\mathrm{Reg}_{priv}-\mathrm{Reg}_{non-priv}\to0$ as
    $\rho\to\infty$; (2) for fixed $\rho$,
    $\mathrm{PoP}=(\mathrm{Reg}_{priv}-\mathrm{Reg}_{non-priv})/\mathrm{Reg}_{non-priv}$ tends to 0 as $T\to\infty$""",
    domain=Domain.of(rho="(0, inf)"),
    twins=["ALG-S5.5a"],
)
restate("ZCDP-S15/free-privacy-finite-arms", of="ALG-S5.5a/free-privacy-finite-arms")
restate("ZCDP-S15/no-price-finite-arms", of="ALG-S5.5a/no-price-finite-arms")
restate("ZCDP-S15/samples-that-pay", of="ALG-S5.5a/samples-that-pay")
restate("ZCDP-S15/ties", of="ALG-S5.5a/ties")
restate("ZCDP-S15/ties-repaired", of="ALG-S5.5a/ties-repaired", repairs="ZCDP-S15/ties")

item(
    "ZCDP-E2",
    r"""(Figure) the regret that privacy adds to GOPE falls with $\rho$ at $T=10^4,10^5,10^6$, and the price of
    privacy falls with $t$ up to $10^7$, within $[0,0.3]$, for $\rho=0.01,0.1,1$ ($\delta=0.001$, normal noise,
    Frank-Wolfe designs, ten actions in three dimensions).""",
    domain=Domain.of(rho="(0, inf)"),
    twins=["ALG-E5.5"],
)
for name in ("price", "difference"):
    restate(f"ZCDP-E2/{name}-without-noise", of=f"ALG-E5.5/{name}-without-noise")
restate(
    "ZCDP-E2/price",
    of="ALG-E5.5/price",
    statement=r"'Compare it to GOPE', read as the GOPE of [2]: (right) at $\rho=1$, $t=10^7$ the price of privacy is "
    r"at most $7/20$ with probability at least $1/2$.",
    notes="The phases of that algorithm are a quarter as long as AdaC-GOPE's without privacy: the price is about 3.5 "
    "and "
    "does not fall.",
)
restate(
    "ZCDP-E2/difference",
    of="ALG-E5.5/difference",
    statement=r"'Compare it to GOPE', read as the GOPE of [2]: (left) at $\rho=10^3$, the right end, privacy adds at "
    r"most a share $1/10$ to the regret with probability at least $1/2$.",
)
restate("ZCDP-E2/price-falls", of="ALG-E5.5/price-falls")
restate(
    "ZCDP-E2/bounded-rewards",
    of="ALG-E5.5/bounded-rewards",
    statement=r"'The noise to be $\mathcal N(0,1)$': a reward lies in $[-1,1]$ with probability $1$, as Assumption 1 "
    r"and so Theorem 3 ask.",
)
restate("ZCDP-E2/bounded-rewards-repaired", of="ALG-E5.5/bounded-rewards-repaired", repairs="ZCDP-E2/bounded-rewards")
