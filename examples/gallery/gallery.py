"""Libraries of others, as they come from the package index: what is checked, what comes out, and in what time.

    pip install banditproof mabwiser ... (README.md)
    python gallery.py [--page README.md] [part of a name ...]

Every adapter is at most five lines. The status is 1 where a verdict is not the one that is right. A library that does
not import is named, and left out. With a page, the table is written between its marks.
"""

import argparse
import inspect
import sys
from importlib import import_module
from pathlib import Path
from time import process_time

import numpy as np

from banditproof.algorithms import BernoulliBandit
from banditproof.theory import Budget
from banditproof.verify import audit_mechanism, audit_private, check_regret
from banditproof.verify.testing.adapters import Adapted, predict_partial_fit, smpybandits

BEGIN, END = "<!-- gallery.py writes from here -->", "<!-- to here -->"
HORIZON, BOUND = (
    200,
    40.0,
)  # pulls, and the regret after them that a policy which learns stays below; at worst it is 160
CONTEXT = np.ones((1, 1))  # the same one in every round


# --------------------------------------------------------------------------------------------------- policies: adapters


def mabwiser(seed):
    library = import_module("mabwiser.mab")
    return predict_partial_fit(library.MAB([0, 1], library.LearningPolicy.UCB1(alpha=1.0), seed=seed), 2)


def river(seed):
    player = import_module("river.bandit").UCB(delta=1, seed=seed)
    return Adapted(player, 2, lambda p: p.pull([0, 1]), lambda p, arm, reward: p.update(arm, reward))


def pymab(seed):
    player, rng = import_module("pymab.policies").UCBPolicy(n_arms=2), np.random.default_rng(seed)
    player.reset()
    return Adapted(
        player, 2, lambda p: p.select_action(rng=rng), lambda p, a, reward: p.update(action=a, reward=reward)
    )


def mabby(seed):
    player, rng = import_module("mabby.strategies").UCB1Strategy(alpha=1.0), np.random.default_rng(seed)
    player.prime(2, HORIZON)
    return Adapted(player, 2, lambda p: p.choose(rng), lambda p, arm, reward: p.update(arm, reward, rng))


def smpybandits_klucb(seed):
    special = import_module("scipy.special")
    special.__dict__["btdtri"] = special.betaincinv  # the name that it imports; SciPy 1.14 dropped it
    return smpybandits(import_module("SMPyBandits.Policies").klUCB(2), 2)


def contextualbandits(seed):
    player = import_module("contextualbandits.online").LinUCB(2, random_state=seed)
    return Adapted(
        player, 2, lambda p: p.predict(CONTEXT), lambda p, *told: p.partial_fit(CONTEXT, *np.array([told]).T)
    )


# ------------------------------------------------------------------------------------------------- mechanisms: adapters


def opendp(scale):
    dp = import_module("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    return dp.m.make_laplace(*space, scale=scale)


def opendp_gaussian(scale):
    dp = import_module("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    return dp.m.make_gaussian(*space, scale=scale)


def diffprivlib(epsilon):
    return import_module("diffprivlib.mechanisms").Laplace(epsilon=epsilon, sensitivity=1).randomise


def diffprivlib_geometric(epsilon):
    mechanism = import_module("diffprivlib.mechanisms").Geometric(epsilon=epsilon, sensitivity=1)
    return lambda x: mechanism.randomise(int(x))


# -------------------------------------------------------------------------------------------------- what is asked of it


def regret(make):
    """Whether the expected regret is at most BOUND after HORIZON pulls of arms with means 0.9 and 0.1."""

    def made(rows, generator):
        return make(int(generator.integers(1, 2**31)))

    return check_regret(made, BernoulliBandit([0.9, 0.1]), HORIZON, BOUND, seconds=10)


def actions(make):
    """Whether the arms alone betray a reward: none of these libraries promises that they do not."""
    return audit_private(lambda noise, generator: make(int(generator.integers(1, 2**31))), Budget.pure(1.0))


def kept(make, budget):
    """Whether a mechanism with parameter 1 keeps this budget on true answers 0 and 1."""
    mechanism = make(1.0)

    def answers(world, size, generator):
        return np.array([mechanism(float(world)) for _ in range(size)], dtype=float)

    return audit_mechanism(answers, budget, samples=10_000)


GALLERY = [
    *[
        (make, what, expected)
        for make in (mabwiser, river, pymab, mabby, smpybandits_klucb, contextualbandits)
        for what, expected in (("regret", "ok"), ("privacy of the arms", "violation"))
    ],
    *[
        (make, budget, expected)
        for make in (opendp, diffprivlib, diffprivlib_geometric)
        for budget, expected in ((Budget.pure(1.0), "not refuted"), (Budget.pure(0.5), "violation"))
    ],
    (opendp_gaussian, Budget.zcdp(0.5), "not refuted"),
    (opendp_gaussian, Budget.zcdp(0.125), "violation"),
]
"""What is checked, and the verdict that is right: arms of a policy without noise tell rewards, the Laplace mechanism
with scale 1 keeps epsilon = 1 and not 0.5, the Gaussian one with scale 1 keeps rho = 0.5 and not 0.125."""


def row(make, what, expected):
    """A line of the table, and whether the verdict is right."""
    lines, began = len(inspect.getsource(make).splitlines()) - 1, process_time()
    try:
        if isinstance(what, Budget):
            report = kept(make, what)
        else:
            report = {"regret": regret, "privacy of the arms": actions}[what](make)
    except ImportError as error:
        why = str(error).splitlines()[0].split(" (")[0]
        return f"| {make.__name__} | {what} | {lines} | not imported: {why} | | |", True
    right = report.verdict == expected
    seconds = process_time() - began
    said = "right" if right else f"wrong: {expected} is right"
    return f"| {make.__name__} | {what} | {lines} | {report.verdict} | {said} | {seconds:.1f} |", right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help="parts of names; all by default")
    parser.add_argument("--page", type=Path, help="a page for the table")
    given = parser.parse_args()
    table = ["| library | what is checked | lines | verdict | | seconds |", "|---|---|---|---|---|---|"]
    fine = True
    for make, what, expected in GALLERY:
        if not given.parts or any(part in make.__name__ for part in given.parts):
            line, right = row(make, what, expected)
            fine &= right
            table.append(line)
            print(line, flush=True)
    if given.page is not None:
        before, rest = given.page.read_text().split(BEGIN)
        text = "\n".join(table)
        given.page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
