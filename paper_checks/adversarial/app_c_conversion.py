"""Appendix C: the proofs of Lemmas 3 and 4."""

from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveZero, Count, EveryLaw, EveryPolicy, Natural, Real, Sides
from banditproof.claims.steps import enumerated, in_kernel
from banditproof.theory.numbers.numeric import least_integer, ratio
from banditproof.theory.numbers.term import quantity
from banditproof.verify.kernel.losses import (
    Loss,
    at_most_on_all_losses,
    each_batch_is_close,
    lost_after_batches,
    lost_by,
    lost_in_batches,
    with_noise,
    worst_regret_at_most,
)
from banditproof.verify.kernel.meanings import when
from banditproof.verify.kernel.policies import plays_arms
from banditproof.verify.kernel.rules import lt
from banditproof.verify.kernel.variables import laplace
from banditproof.verify.theorems import batch_privacy as batch_privacy_proofs
from banditproof.verify.theorems import losses as loss_table_proofs


@claim("ADV-EQC.1/batch-by-batch", in_kernel(batch_privacy_proofs.batch_by_batch))
def only_one_batch_sees_the_change(n: Natural, tau: Count, rest: Natural, K: Count, epsilon: AboveZero):
    r"""Whatever came before: the mean of a batch with noise $\mathrm{Lap}(\frac1{\tau\varepsilon})$ has the same law on
    both tables, but in the batch with the changed row it is $\varepsilon$-indistinguishable."""
    return each_batch_is_close(with_noise(laplace(1 / (tau * epsilon))), n, tau, rest, K, epsilon)


@quantity
def actions_received(T: int, tau: int) -> int:
    """How many actions lines 2 to 14 of Algorithm 1 receive from B in T rounds."""
    received = batch = 1
    for t in range(2, T + 1):
        batch += t - 1 == batch * tau  # line 12, at the end of the round before
        received += t == (batch - 1) * tau + 1
    return received


@claim(
    "ADV-EQC.1/rounded-up",
    enumerated(T=range(1, 25), tau=range(1, 9), rational=True),
    repairs="ADV-EQC.1/edge-last-batch-not-whole",
)
def actions_of_all_batches(T: Count, tau: Count) -> Sides:
    r"""Algorithm 1 receives $\lceil\frac T\tau\rceil$ actions in $T$ rounds."""
    return actions_received(T, tau), "==", least_integer(ratio(T, tau))


@claim("ADV-EQC.2/complete-batches", in_kernel(loss_table_proofs.complete_batches))
def regret_of_complete_batches(pi: EveryPolicy, noise: EveryLaw, n: Natural, tau: Count, K: Count, bound: Real):
    r"""On all losses and against every arm the regret in the $n=\lfloor\frac T\tau\rfloor$ complete batches is at most
    $\tau\tilde{\mathrm R}_{\mathcal B}(n,K,\cdot)$."""
    heard = with_noise(noise)

    def size(loss: Loss, arm: Any) -> Any:
        return lost_in_batches(pi, heard, loss, n, tau) - lost_by(arm, loss, n * tau)

    on_means = worst_regret_at_most(pi, heard, n, K, bound)
    return when(on_means, then=at_most_on_all_losses(n * tau, K, size, tau * bound))


@claim("ADV-EQC.2/last-rounds", in_kernel(loss_table_proofs.rounds_afterwards))
def regret_of_the_last_rounds(pi: EveryPolicy, noise: EveryLaw, n: Natural, tau: Count, rest: Natural, K: Count):
    r"""On all losses and against every arm the regret in the rounds $n\tau+1,\dots,T$ is at most $\tau$."""
    heard = with_noise(noise)

    def size(loss: Loss, arm: Any) -> Any:
        own = lost_after_batches(pi, heard, loss, n, tau, rest)
        return own - lost_by(arm, lambda t, a: loss(n * tau + t, a), rest)

    return when(plays_arms(pi, K), lt(rest, tau), then=at_most_on_all_losses(n * tau + rest, K, size, tau))
