r"""Section 5: the experiments over time (Figure 1), comparisons with earlier private algorithms, and their explanation.

Figure 1 is drawn again from the studies: medians and bands instead of means of 20 runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from banditproof.claims import Arrays, Check, Natural, claim, deduced, figure, item, repaired, statistics
from banditproof.paper_checks.bernoulli_dp.facts.experiments import (
    NOT_NEAR,
    PANELS,
    POLICIES,
    RUNS,
    SHOWN,
    Budget,
    Instance,
    Test,
    below,
    draw_panels,
    near_lower_bound,
    panels,
)
from banditproof.paper_checks.bernoulli_dp.studies import (
    ABLATED,
    BENCHMARK,
    COMPARED,
    EARLIER,
    EPISODIC,
    HEAVY_TAILS,
    HORIZON,
    INSTANCES,
    LAZY,
    RECORD_TIMES,
    SINGLE,
    TIES,
    WIDEST,
    lower_bound,
)
from banditproof.verify import event_test

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

InFigure1 = Annotated[Any, "all: mu1, mu2"]
Mu1 = Annotated[Any, "all: mu1"]
Mu2 = Annotated[Any, "all: mu2"]
Mu3 = Annotated[Any, "all: mu3"]
Hundredth = Annotated[Any, ["0.01"]]
Tenth = Annotated[Any, ["0.1"]]
Quarter = Annotated[Any, ["0.25"]]
One = Annotated[Any, ["1"]]

item(
    "BDP-E5.1",
    r"""(Results) DP-KLUCB and DP-IMED have less regret than the private algorithms DP-SE, AdaP-KLUCB and Lazy-DP-TS in
    all environments and budgets, up to 10 times less on average (Figure 1: $\mu_1$, $\mu_2$, $\epsilon=0.25$)""",
    domain=PANELS,
)


def against_the_benchmark(check: Check, stream: str) -> list[Test]:
    private, free = check.study(COMPARED, stream), check.study(BENCHMARK, stream)
    early, last = np.searchsorted(RECORD_TIMES, 10**4), np.searchsorted(free["times"], 10**4)
    curves = [(policy, instance) for policy in POLICIES for instance in ("mu1", "mu2")]
    pairs = ((c, free[c[1]][:, last], private[f"{', '.join(c)}, 0.25"][:, early]) for c in curves)
    return [below(f"IMED below {p} on {i}", a, b, check.constants["probability"]) for (p, i), a, b in pairs]


@claim(
    "BDP-E5.1/price-of-privacy",
    statistics(against_the_benchmark, routes=RUNS),
    false={"probability": "0.995"},
    role="figure",
    studies=[COMPARED, BENCHMARK],
)
def benchmark_is_lower(instance: InFigure1, epsilon: Quarter, probability=Fraction(1, 2)):
    r"""(benchmark of Figure 1) non-private IMED has less regret than either private algorithm: with probability at
    least $1/2$ run against run, at $t=10^4$

    The benchmark has to be simulated pull by pull; under the quick profile it ends at t = 10^4.
    """


def under_four_rules(check: Check, stream: str) -> Iterator[tuple[str, np.ndarray, Fraction]]:
    for instance in ("mu1", "mu2"):
        for name, regret in check.study(TIES, stream).items():
            if instance in name:
                yield name, regret[:, -1], lower_bound(INSTANCES[instance], "0.25")


@claim("BDP-E5.1/ties", near_lower_bound(under_four_rules), false=NOT_NEAR, role="reading", studies=[TIES])
def tie_rules_do_not_matter(instance: InFigure1, epsilon: Quarter, low=Fraction(1, 2), high=2):
    r"""reading of unstated ties: under each of four rules the median regret in Figure 1's panels lies within $[1/2,2]$
    times the lower bound"""


def of_twenty_runs(check: Check, regret: np.ndarray) -> np.ndarray:
    """The mean or median, as the claim says, of disjoint groups of 20 runs."""
    statistic = {"mean": np.mean, "median": np.median}[check.constants["statistic"]]
    return statistic(regret.reshape(-1, 20), axis=1)


def repeated(check: Check, stream: str) -> list[Test]:
    """How often a statistic of 20 runs comes out within the factor of its value on 20 other runs."""
    values = of_twenty_runs(check, check.study(HEAVY_TAILS, stream)["mu2, 0.25"])
    ratio = values[::2] / values[1::2]
    close = np.maximum(ratio, 1 / ratio) <= float(check.constants["factor"])
    return [event_test("two groups of 20 runs agree", close, ">=", check.constants["probability"])]


REPEATED = statistics(repeated, routes=("groups of 20 runs", "claimed agreement"))


@claim("BDP-E5.1/mean-of-twenty-runs", REPEATED, role="reading", studies=[HEAVY_TAILS])
def mean_of_twenty_runs(instance: Mu2, epsilon: Quarter, factor=2, probability="0.95", statistic="mean"):
    r"""20 runs suffice to read a factor off the plotted means: for DP-IMED on $\mu_2$ at $\epsilon=0.25$ (Figure 1,
    right) two means over 20 runs differ by at most a factor $2$ with probability at least $19/20$ ($T=10^6$, $n_0=1$,
    $\alpha=2$)

    'We run each algorithm 20 times.' A few runs settle on a wrong arm for a long time and dominate the mean.
    """


@repaired(
    "BDP-E5.1/mean-of-twenty-runs-repaired",
    "BDP-E5.1/mean-of-twenty-runs",
    REPEATED,
    false={"factor": "1.05"},
    studies=[HEAVY_TAILS],
)
def median_of_twenty_runs(statistic="median"):
    r"""20 runs suffice to read a factor off the medians: for DP-IMED on $\mu_2$ at $\epsilon=0.25$ (Figure 1, right)
    two medians over 20 runs differ by at most a factor $2$ with probability at least $19/20$ ($T=10^6$, $n_0=1$,
    $\alpha=2$)"""


def medians(regret: np.ndarray, group: Any) -> np.ndarray:
    """The medians of disjoint groups of runs: [runs // group] from [runs]."""
    size = int(group)
    return np.median(regret[: len(regret) // size * size].reshape(-1, size), axis=1)


def earlier_runs(check: Check, stream: str, name: str) -> Arrays:
    """The study of an earlier algorithm; on fresh seeds Lazy-DP-TS runs in the cheapest instance alone."""
    if name in EPISODIC:
        return check.study(EARLIER, stream)
    instances = ["mu3"] if stream else list(INSTANCES)
    return {key: regret for i in instances for key, regret in check.study(LAZY[i], stream).items()}


def compared_with(name: str, **groups: str) -> statistics:
    """Groups of runs of the policies in `groups` against runs of an earlier algorithm, in every panel.

    Medians of groups, since a few runs in a hundred of DP-IMED settle on a wrong arm for a long time.
    """

    def tests(check: Check, stream: str) -> list[Test]:
        ours, theirs = check.study(COMPARED, stream), earlier_runs(check, stream, name)
        factor = float(check.constants["factor"])
        return [
            below(
                f"{policy} below {name}: {panel}",
                factor * medians(ours[f"{policy}, {panel}"][:, -1], check.constants[runs]),
                theirs[f"{name}, {panel}"][:, -1],
            )
            for runs, policy in groups.items()
            for panel in map(", ".join, panels())
            if f"{name}, {panel}" in theirs
        ]

    return statistics(tests, routes=RUNS)


BOTH = {"imed_runs": "DP-IMED", "klucb_runs": "DP-KLUCB"}


@claim("BDP-E5.1/vs-dp-se", compared_with("DP-SE", **BOTH), false={"factor": "60.5"}, studies=[COMPARED, EARLIER])
def dp_se_is_beaten(instance: Instance, epsilon: Budget, imed_runs=20, klucb_runs=8, factor=1):
    r"""DP-KLUCB and DP-IMED have less regret than DP-SE in every environment at every budget: the median of 20 runs of
    DP-IMED, and of 8 of DP-KLUCB, is below the regret of one run of DP-SE with probability at least a half ($T=10^6$,
    $n_0=1$, $\alpha=2$; $\beta=1/T$)"""


@claim(
    "BDP-E5.1/vs-adap-klucb", compared_with("AdaP-KLUCB", **BOTH), false={"factor": "60.5"}, studies=[COMPARED, EARLIER]
)
def adap_klucb_is_beaten(instance: Instance, epsilon: Budget, imed_runs=20, klucb_runs=8, factor=1):
    r"""DP-KLUCB and DP-IMED have less regret than AdaP-KLUCB in every environment at every budget: the median of 20
    runs of DP-IMED, and of 8 of DP-KLUCB, is below the regret of one run of AdaP-KLUCB with probability at least a half
    ($T=10^6$, $n_0=1$, $\alpha=2$; optimism 3.1)"""


@claim(
    "BDP-E5.1/vs-lazy-dp-ts",
    compared_with("Lazy-DP-TS", **BOTH),
    false={"factor": "60.5"},
    studies=[COMPARED, *LAZY.values()],
)
def lazy_dp_ts_is_beaten(instance: Instance, epsilon: Budget, imed_runs=20, klucb_runs=8, factor=1):
    r"""DP-KLUCB and DP-IMED have less regret than Lazy-DP-TS in every environment at every budget: the median of 20
    runs of DP-IMED, and of 8 of DP-KLUCB, is below the regret of one run of Lazy-DP-TS with probability at least a half
    ($T=10^6$, $n_0=1$, $\alpha=2$; the quick profile takes what it has lost at an earlier time)"""


@claim(
    "BDP-E5.1/twice-below-the-closest",
    compared_with("Lazy-DP-TS", imed_runs="DP-IMED"),
    false={"factor": "20.5"},
    role="figure",
    studies=[COMPARED, *LAZY.values()],
)
def twice_below_the_closest(instance: Instance, epsilon: Budget, imed_runs=20, factor=2):
    r"""the closest baseline is Lazy-DP-TS: the median of 20 runs of DP-IMED times $2$ is below the regret of one of its
    runs with probability at least a half in every panel ($T=10^6$, $n_0=1$, $\alpha=2$)"""


def in_widest_panel(event: str, holds: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> statistics:
    """How often factor times the regret of DP-IMED and that of DP-SE stand in a relation, in the widest panel."""

    def tests(check: Check, stream: str) -> list[Test]:
        runs = check.study(SINGLE, stream)
        ours, theirs = (runs[f"{name}, {WIDEST[0]}"] for name in ("DP-IMED", "DP-SE"))
        return [event_test(event, holds(float(check.constants["factor"]) * ours, theirs), ">=", "1/2")]

    return statistics(tests, routes=RUNS)


@claim(
    "BDP-E5.1/up-to-ten-times",
    in_widest_panel("DP-IMED below DP-SE", np.less),
    false={"factor": "100.5"},
    studies=[SINGLE],
)
def up_to_ten_times(instance: Mu3, epsilon: One, factor=10):
    r"""the new algorithms have up to 10 times less regret than a baseline: there is a panel, $\mu_3$ at $\epsilon=1$,
    where $10$ times the regret of a run of DP-IMED is below that of one of DP-SE with probability at least a half

    The statement is read as a factor that is attained, not as an upper limit.
    """


AT_MOST = in_widest_panel("DP-SE at most at the factor", np.greater_equal)


@claim("BDP-E5.1/no-more-than-ten-times", AT_MOST, role="reading", studies=[SINGLE])
def no_more_than_ten_times(instance: Mu3, epsilon: One, factor=10):
    r"""the other reading, no factor is larger than 10: on $\mu_3$ at $\epsilon=1$ the regret of a run of DP-IMED, taken
    $10$ times, is at least that of one of DP-SE with probability at least a half

    'Up to 10 times less on an average.'
    """


@repaired(
    "BDP-E5.1/no-more-than-ten-times-repaired",
    "BDP-E5.1/no-more-than-ten-times",
    AT_MOST,
    false={"factor": "30.5"},
    studies=[SINGLE],
)
def no_more_than_fifty_times(factor=50):
    r"""on $\mu_3$ at $\epsilon=1$ the regret of a run of DP-IMED, taken $50$ times, is at least that of one of DP-SE
    with probability at least a half"""


def in_order(check: Check, stream: str) -> list[Test]:
    runs = check.study(SINGLE, stream)
    ours, theirs = (of_twenty_runs(check, runs[f"{name}, mu2"]) for name in ("DP-IMED", "DP-SE"))
    return [event_test("twenty runs below twenty runs", ours < theirs, ">=", check.constants["probability"])]


IN_ORDER = statistics(in_order, routes=("groups of 20 runs of both algorithms", "claimed order"))


@claim("BDP-E5.1/order-of-twenty-runs", IN_ORDER, role="reading", studies=[SINGLE])
def order_of_means_of_twenty_runs(instance: Mu2, epsilon: Tenth, probability="0.98", statistic="mean"):
    r"""20 runs show who is lower in a panel: the mean of 20 runs of DP-IMED is below that of 20 runs of DP-SE
    with probability at least $49/50$ on $\mu_2$ at $\epsilon=0.1$ ($T=10^6$, $n_0=1$, $\alpha=2$)

    'We run each algorithm 20 times.' A run of DP-IMED that settles on the second arm has regret 125 000, and one such
    run in twenty reverses the order of the plotted means.
    """


@repaired("BDP-E5.1/order-of-twenty-runs-repaired", "BDP-E5.1/order-of-twenty-runs", IN_ORDER, studies=[SINGLE])
def order_of_medians_of_twenty_runs(statistic="median"):
    r"""20 runs show who is lower in a panel: the median of 20 runs of DP-IMED is below that of 20 runs of DP-SE
    with probability at least $49/50$ on $\mu_2$ at $\epsilon=0.1$ ($T=10^6$, $n_0=1$, $\alpha=2$)"""


item(
    "BDP-S5.1",
    r"""(Results) the regret is lower because the algorithms do not forget half of the samples, and because their
    exploration level is $\log(t)/N$ rather than $3\log(t)/N$: undoing either raises the regret""",
    domain=PANELS,
)


@claim("BDP-S5.1/half-of-the-samples", deduced(), false={"growth": 3})
def half_of_the_samples(m: Natural, growth=2):
    r"""with batches $B_m=2^m$ forgetting drops half of all samples but one: $2(n_m-B_m)=n_m-1$

    Both sides are multiplied by growth - 1 so that they are integers.
    """
    unit = growth - 1
    samples = growth ** (m + 1) - 1
    return 2 * (samples - unit * growth**m), "==", samples - unit


def with_and_without_forgetting(check: Check, stream: str) -> tuple[np.ndarray, np.ndarray]:
    runs = check.study(HEAVY_TAILS, stream)
    return runs["mu1, 0.01"][:, -1], runs["mu1, forgetting, 0.01"][:, -1]


def undone(variant: str, *policies: str) -> statistics:
    """The algorithm as printed against a factor times the regret of a variant, run against run, in all panels."""

    def tests(check: Check, stream: str) -> list[Test]:
        printed, varied = check.study(COMPARED, stream), check.study(ABLATED, stream)
        samples = {
            f"{policy} against {variant}: {panel}": (
                printed[f"{policy}, {panel}"][:, -1],
                varied[f"{policy}, {variant}, {panel}"][:, -1],
            )
            for policy in policies
            for panel in map(", ".join, panels())
        }
        if "DP-IMED" in policies:  # in the closest panel, the many runs there are
            samples[f"DP-IMED against {variant}: mu1, 0.01"] = with_and_without_forgetting(check, stream)
        factor, probability = float(check.constants.get("factor", 1)), check.constants["probability"]
        return [below(name, a, factor * b, probability) for name, (a, b) in samples.items()]

    return statistics(tests, routes=("runs as printed and with one decision undone", "claimed order"))


@claim(
    "BDP-S5.1/forgetting",
    undone("forgetting", "DP-IMED", "DP-KLUCB"),
    false={"probability": "0.995"},
    studies=[COMPARED, ABLATED, HEAVY_TAILS],
)
def forgetting_costs(instance: Instance, epsilon: Budget, probability=Fraction(1, 2)):
    r"""in every panel a run without forgetting has less regret than one with it with probability at least $1/2$, for
    both algorithms ($T=10^6$, $n_0=1$, $\alpha=2$)"""


@claim(
    "BDP-S5.1/exploration-level", undone("3 log t", "DP-KLUCB"), false={"factor": "1/5"}, studies=[COMPARED, ABLATED]
)
def exploration_costs(instance: Instance, epsilon: Budget, probability=Fraction(1, 2), factor=1):
    r"""in every panel a run of DP-KLUCB at exploration level $\log(t)/N$ has less than the regret of one at
    $3\log(t)/N$ with probability at least $1/2$ ($T=10^6$, $n_0=1$, $\alpha=2$)"""


def coins(check: Check, stream: str) -> list[Test]:
    """Each pair of runs is rounded to 0 or 1 at random, with a probability that is affine in its difference.

    The regrets X, Y lie in [0, T gap], so a coin with bias 1/2 + (X - Y) / (2 T gap) is fair exactly when the means
    agree, and an exact binomial interval is valid whatever the tails.
    """
    kept, dropped = with_and_without_forgetting(check, stream)
    largest = 0.05 * HORIZON
    heads = check.rng("coins", stream).random(kept.size) < 0.5 + (kept - dropped) / (2 * largest)
    return [event_test("coin biased towards the larger regret", heads, "<=", check.constants["share"])]


@claim(
    "BDP-S5.1/forgetting-in-the-mean",
    statistics(coins, routes=("mean difference of regrets, by fair rounding to coins", "claimed order of means")),
    role="reading",
    studies=[HEAVY_TAILS],
)
def forgetting_in_the_mean(instance: Mu1, epsilon: Hundredth, share=Fraction(1, 2)):
    r"""the same for the plotted means, where noise is largest: on $\mu_1$ at $\epsilon=0.01$ the mean regret of DP-IMED
    is at most that of DP-IMED with forgetting ($T=10^6$, $n_0=1$, $\alpha=2$)

    A possible reason: with forgetting a sum contains one Laplace term, without it m + 1, and a single extreme term
    misleads the algorithm for longer.
    """


def run_against_run(check: Check, stream: str) -> list[Test]:
    kept, dropped = with_and_without_forgetting(check, stream)
    return [below("without forgetting below", kept, dropped, check.constants["probability"])]


@claim(
    "BDP-S5.1/forgetting-in-the-mean-repaired",
    statistics(run_against_run, routes=("runs with and without forgetting", "claimed order")),
    false={"probability": "2/3"},
    repairs="BDP-S5.1/forgetting-in-the-mean",
    studies=[HEAVY_TAILS],
)
def forgetting_run_against_run(instance: Mu1, epsilon: Hundredth, probability=Fraction(1, 2)):
    r"""on $\mu_1$ at $\epsilon=0.01$ a run of DP-IMED has less regret than one with forgetting with probability at
    least $1/2$ ($T=10^6$, $n_0=1$, $\alpha=2$); that its mean is larger is due to rare runs"""


@figure(
    "bernoulli-dp-figure-1",
    studies=[BENCHMARK, COMPARED, EARLIER, LAZY["mu1"], LAZY["mu2"]],
    caption=rf"Figure 1, reproduced. {SHOWN}",
    claims=["BDP-E5.1", "BDP-E5.1/price-of-privacy", "BDP-E5.1/vs-lazy-dp-ts", "BDP-E5.1/twice-below-the-closest"],
)
def figure_1(free: Arrays, *private: Arrays) -> Drawing:
    """Regret over time at the budget of the main text."""
    return draw_panels([("mu1", "0.25"), ("mu2", "0.25")], 1, free, private)
