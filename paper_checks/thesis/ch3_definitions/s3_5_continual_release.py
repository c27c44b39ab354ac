"""Section 3.5, page 64: adaptive continual release, its trees, and what follows from it."""

from banditproof.claims.register import claim, restate
from banditproof.claims.sets import Count, Policy
from banditproof.claims.steps import enumerated
from banditproof.paper_checks.shared.policies import kernel, random_adversary, shapes
from banditproof.verify.finite.output_laws import acr_law

restate(
    "TH-D3.8",
    "BDP-DB.1",
    r"A reward-feeding adversary answers each action prefix with $(r^L_t, r^R_t)$: the rewards heard on the two sides "
    r"differ in at most $1$ step.",
)


@claim(
    "TH-A3.ACR",
    enumerated(shapes, rational=True, routes=("protocol, step by step", "one law")),
    false=[{"mass": "0.99"}, {"side": "R"}],
)
def continual_release_protocol(T: Count, K: Count, policy: Policy, mass=1, side="L"):
    r"""The protocol outputs a law on views, and with $b = L$ it is the same for every challenge time
    $t^\star\in\{1,\dots,T\}$.

    The total mass of the views, plus the number of challenge times with another law. (One place prints {1, T} for the
    set of challenge times.)
    """
    pi, feed = kernel(T, K, policy), random_adversary(kernel(T, K, policy), policy)
    laws = [acr_law(pi, feed, time, side) for time in range(1, T + 1)]
    return sum(laws[-1].values()) + sum(law != laws[0] for law in laws), "==", mass


restate(
    "TH-D3.9",
    "BDP-DB.2",
    r"$(\varepsilon,\delta)$-DP under adaptive continual release; one direction suffices, the channels may be swapped.",
)
restate(
    "TH-R3.10",
    "BDP-RB.3",
    r"$\Pr[\mathrm{View}^{b,t^\star}=\mathbf a] = \mathcal V^\pi(\mathbf a\mid\mathcal A^{b,t^\star}(\mathbf a))$ for "
    r"$b\in\{L,R\}$.",
)
restate(
    "TH-R3.10/neighbours",
    "BDP-DB.1",
    r"The lists $\mathcal A^{L,t^\star}(\mathbf a)$ and $\mathcal A^{R,t^\star}(\mathbf a)$ differ in at most $1$ "
    r"place.",
)
restate(
    "TH-R3.11",
    "BDP-RB.4",
    r"A reward-feeding adversary is a tree of depth $T$; privacy means that trees which differ in one depth cannot be "
    r"told apart.",
)
