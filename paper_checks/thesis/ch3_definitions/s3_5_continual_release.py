"""Section 3.5, page 64: adaptive continual release, its trees, and what follows from it."""

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, Policy
from banditproof.claims.steps import enumerated
from banditproof.paper_checks.shared.policies import kernel, random_adversary, shapes
from banditproof.verify.finite.output_laws import acr_law


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
