"""Appendix H: AdaC-GOPE against the variant with noise on the sums, Remark C.12 of the thesis."""

from banditproof.claims.register import item, restate

item(
    "ZCDP-E4",
    r"""(Figure) AdaC-GOPE loses less than the variant whose Step 4 puts the noise on the sums, most of all where
    $\rho$ is small.""",
    twins=["ALG-RC.12"],
)
restate(
    "ZCDP-E4/less-regret",
    of="ALG-RC.12/less-regret",
    statement=r"'Step 4 changes to', and nothing else: at $\rho=0.001$, $T=10^6$, on instances drawn as in Section "
    r"VII, the mean regret of 100 runs of AdaC-GOPE is below that of 100 runs of the variant with probability at least "
    r"$3/4$.",
)
restate(
    "ZCDP-E4/less-than-with-longer-phases", of="ALG-RC.12/less-than-with-longer-phases", repairs="ZCDP-E4/less-regret"
)
