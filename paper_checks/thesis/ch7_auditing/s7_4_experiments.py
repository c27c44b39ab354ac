"""Section 7.4, page 160: the experiments on two models, repeated on digits."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.verify.proof.statistics import event_test


@quantity
def parameters_of_a_layer(inputs: int, labels: int) -> int:
    """How many numbers a linear layer has."""
    from banditproof.algorithms.training import Network

    return Network((inputs, labels)).d


@claim(
    "MIA-E7.4/parameters",
    enumerated(side=28, labels=10, rational=True, routes=("the model's vector of parameters", "printed number")),
)
def parameters_of_the_linear_layer(
    side: Annotated[Any, "integer [28, 28]"], labels: Annotated[Any, "integer [10, 10]"]
):
    r"""A linear layer from $28\times28$ inputs to $10$ labels has $d_F=7850$ weights and biases.

    The length of the vector of parameters of such a model, as it is built and trained.
    """
    return parameters_of_a_layer(side**2, labels), "==", 7850


MODELS = {"softmax": ((64, 10), 0.02), "hidden": ((64, 16, 10), 0.0)}  # widths, ridge (covariances of 480 and 153 axes)
RESTRICTED = "to digits of 8 x 8 pixels, an epoch of two batches drawn afresh in every game, and one hidden layer"


def run_epochs(seed: np.random.SeedSequence, softmax: int, hidden: int) -> Arrays:
    """Whether pairs of epochs, with and without the target, were ordered rightly, by model, target and attack."""
    from banditproof.algorithms.training import Epoch, Network, attack_extremes, digits

    (x, y), generator, arrays = digits(), np.random.default_rng(seed), {}
    for (model, (widths, ridge)), games in zip(MODELS.items(), (softmax, hidden), strict=True):
        network = Network(widths)
        epoch = Epoch(network, network.initial(generator), x, y, 128, 64, 1e-3, network.parts[-1])
        attacked = attack_extremes(epoch, games, generator, ridge=ridge, attacks=("covariance", "scalar product"))
        arrays |= {f"{model}, {a.target}, {a.attack}": a.ordered() for a in attacked}
    return arrays


EPOCHS = Study("thesis-epochs", run_epochs, {"softmax": 1600, "hidden": 400}, {"softmax": 3000, "hidden": 8000})


def compared(check: Check, pairs: dict[str, tuple[str, ...]]) -> None:
    """Test that among pairs of epochs that one of two attacks orders rightly most are those of the first.

    With one attack alone: that it orders most pairs rightly.
    """
    from importlib.util import find_spec

    if find_spec("sklearn") is None:
        return check.could_not("statistics", "the digits need scikit-learn: pip install 'banditproof[train]'")
    printed = check.constants["sign"] == 1

    def tests(stream: str) -> list[dict[str, Any]]:
        found, listed = check.study(EPOCHS, stream), []
        for event, names in pairs.items():
            # a batch gradient of the other sign turns the order of all scores around that are linear in it
            first, *others = (found[n] ^ (printed and n.endswith("covariance")) for n in names)
            for second in others:
                both = min(len(first), len(second))
                first = first[:both][first[:both] != second[:both]]
            listed.append(event_test(event, first, ">=", Fraction(str(check.constants["share"]))))
        return listed

    check.statistics(tests, covers=check.domain.restrict(instance="all: the digits of scikit-learn"))


PRINTED = mutation("the printed sign", sign=1)
INSTANCE = Domain.of(instance="all: both data sets and models")


@claim(
    "MIA-E7.4/easy-target",
    domain=INSTANCE,
    constants={"share": Fraction(1, 2), "sign": -1},
    false=PRINTED,
    restricted=RESTRICTED,
    studies=[EPOCHS],
)
def easy_target(check: Check) -> None:
    r"""(a) Take the pairs of epochs, with and without a target, that the covariance attack with $g_{\rm
    batch}=-(\theta_{t+1}-\theta_t)/\eta_t$ orders rightly for only one of two targets. For at least $1/2$ of them this
    target is the point of the highest Mahalanobis score, not that of the lowest."""
    names = {model: tuple(f"{model}, {target}, covariance" for target in ("easy", "hard")) for model in MODELS}
    compared(check, {f"{model}: the easy target's": (easy, hard) for model, (easy, hard) in names.items()})


@claim(
    "MIA-E7.4/covariance",
    domain=INSTANCE,
    constants={"share": Fraction(1, 2), "sign": -1},
    false=[mutation(share="0.99"), PRINTED],
    restricted=RESTRICTED + ", whose hardest target is left out",
    studies=[EPOCHS],
)
def covariance_attack(check: Check) -> None:
    r"""(b) Take the pairs of epochs, with and without the target, that only one of the two attacks orders rightly. For
    at least $1/2$ of them this is the covariance attack with $g_{\rm batch}=-(\theta_{t+1}-\theta_t)/\eta_t$, not the
    scalar product."""
    cases = [("softmax", "easy"), ("softmax", "hard"), ("hidden", "easy")]
    compared(
        check,
        {
            f"{model}, {target}: the covariance attack's": (
                f"{model}, {target}, covariance",
                f"{model}, {target}, scalar product",
            )
            for model, target in cases
        },
    )


@claim(
    "MIA-E7.4/one-covariance",
    domain=INSTANCE,
    constants={"share": Fraction(1, 2), "sign": -1},
    false=PRINTED,
    restricted=RESTRICTED + ", whose easiest target is attacked",
    studies=[EPOCHS],
)
def one_covariance(check: Check) -> None:
    r"""(c) With one covariance matrix, of the last layer at the start of the epoch, at least $1/2$ of pairs of epochs,
    with and without the target, are ordered rightly by the covariance attack with $g_{\rm
    batch}=-(\theta_{t+1}-\theta_t)/\eta_t$."""
    compared(check, {"hidden, easy: pairs ordered rightly": ("hidden, easy, covariance",)})
