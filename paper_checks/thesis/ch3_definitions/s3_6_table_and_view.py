"""Section 3.6, page 68: what View privacy costs when Table privacy is wanted, and conversely."""

from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.policies import delta_under
from banditproof.paper_checks.thesis.ch3_definitions.facts import *
from banditproof.paper_checks.thesis.facts.privacy import policies_and_words
from banditproof.verify import FiniteKernel
from banditproof.verify.privacy.separation import own_scale_kernel, secret_word_kernel


@claim("TH-P3.12/d-sharp", enumerated(policies_and_words, rational=True), role="remark")
def sharp_loss(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""$\delta_{\rm Table}(\varepsilon) \le K^{T-1}\,\delta_{\rm View}(\varepsilon)$, with equality for the policy that
    leaks when the rewards spell the arms: sequences that agree up to step $T-1$ read the same list, so the last action
    costs nothing.

    The proof gives this if the sequences are summed prefix by prefix; the check includes the policies that attain it.
    """
    return least_delta_on_tables(T, K, policy, ratio), "<=", K ** (T - 1) * least_delta_on_lists(T, K, policy, ratio)


def with_the_largest_loss(check: Check) -> list[dict[str, Any]]:
    ratios = {2: ("1", "5/4", "9"), 3: ("3/2", "4"), 4: ("3/2", "4")}
    sizes = [(2, 2), (3, 2), (4, 2)] + check.pick([], [(2, 3)])
    return [{"T": T, "K": K, "ratio": ratio} for T, K in sizes for ratio in ratios[T]]


def _with_the_largest_loss(T: int, K: int, ratio: Fraction) -> FiniteKernel:
    if K**T > MOST_SEQUENCES or (T > 2 and 2 * ratio < 3):
        raise InvalidInput("T", T, f"at most {MOST_SEQUENCES} sequences of actions, and e^epsilon >= 3/2 for T > 2")
    return own_scale_kernel(K, Fraction(1, 2)) if T == 2 else secret_word_kernel(T, K, Fraction(1, 3))


@quantity
def largest_loss_on_tables(T: int, K: int, ratio: Fraction) -> Fraction:
    """The smallest delta of Table DP of the policy that reads scales (T = 2) or a secret word."""
    return delta_under("table", _with_the_largest_loss(T, K, ratio), ratio)


@quantity
def largest_loss_on_lists(T: int, K: int, ratio: Fraction) -> Fraction:
    """The smallest delta of View DP of that policy."""
    return delta_under("view", _with_the_largest_loss(T, K, ratio), ratio)


@claim(
    "TH-P3.12/d-attained",
    enumerated(with_the_largest_loss, rational=True, routes=("worst tables", "worst lists, scaled")),
    role="remark",
)
def loss_is_attained(T: TwoOrMore, K: TwoOrMore, ratio: AtLeastOne):
    r"""There are policies with $\delta_{\rm Table} = K^{T-1}\delta_{\rm View}$: at every $\varepsilon$ for $T = 2$ with
    $2K$ rewards, and for longer horizons at $e^\varepsilon \ge 3/2$."""
    return largest_loss_on_tables(T, K, ratio), "==", K ** (T - 1) * largest_loss_on_lists(T, K, ratio)


@claim("TH-P3.12/e-one-arm", fails_at(T=2, ratio=1, rational=True), role="reading")
def strict_inclusion_with_one_arm(T: Count, ratio: AtLeastOne):
    r"""(e) read for every number of arms: with $K = 1$ the inclusion is strict.

    (e) names no T, K, epsilon and delta. The paper shows it by 'a policy that verifies some (epsilon_1, delta_1)-View
    DP', as the parts do.

    The only policy always plays the single arm, so its two deltas are equal.
    """
    only = 0  # every policy number stands for it
    return least_delta_on_tables(T, 1, only, ratio), ">", least_delta_on_lists(T, 1, only, ratio)


@claim("TH-P3.12/e-one-round", fails_at(K=2, policy=0, rational=True), role="reading")
def strict_inclusion_in_one_round(K: Count, policy: Policy):
    r"""(e) read for every horizon: with $T=1$ some policy has $\delta_{\rm View}(0)<\delta_{\rm Table}(0)$.

    The first action depends on no reward, so both are 0 for every policy.
    """
    return least_delta_on_tables(1, K, policy, Fraction(1)), ">", least_delta_on_lists(1, K, policy, Fraction(1))


@claim("TH-P3.12/e-pure", fails_at(T=2, K=2, policy=0, rational=True), role="reading", rests_on=["TH-P3.12/a-if"])
def strict_inclusion_without_delta(T: Count, K: Count, policy: Policy):
    r"""(e) read for every $\delta\ge0$: at $\delta=0$ some policy takes a larger $e^\varepsilon$ over tables than over
    lists.

    By (a) there is no such policy.
    """
    return least_odds_on_tables(T, K, policy), ">", least_odds_on_lists(T, K, policy)
