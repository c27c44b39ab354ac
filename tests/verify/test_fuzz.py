"""Every public function of the checks with arguments of another kind: an answer, or InvalidInput by name, and soon."""

import json
from fractions import Fraction
from functools import partial
from inspect import signature

import numpy as np
import pytest

from banditproof import theory
from banditproof import verify as rooms
from banditproof.algorithms import EXP3, AdaPUCB, BernoulliBandit, NoiseSource, Policy
from banditproof.algorithms.training.descent import Transcript
from banditproof.theory import Budget
from banditproof.verify.testing import assertions

PURE, HALF = Budget.pure(1.0), Fraction(1, 2)
BANDIT = BernoulliBandit([0.2, 0.7])
AUTOMATON = rooms.PolicyAutomaton([(HALF, HALF)], [[(0, 0), (0, 0)]])
KERNEL = rooms.randomised_response_kernel(2, 2, Fraction(3))
CHANNEL = rooms.randomised_response(Fraction(3))
LAW, OTHER = {0: HALF, 1: HALF}, {0: Fraction(1, 4), 1: Fraction(3, 4)}
LAWS = {"left": LAW, "right": OTHER}
DOMAIN = rooms.Domain.of(x="[0, 1]")


def private(noise, generator):
    return AdaPUCB(2, PURE, noise)


def policies(rows, generator):
    return AdaPUCB(2, PURE, NoiseSource(generator), replications=rows.stop - rows.start)


def policy_for(arms, budget, horizon, noise, generator, replications):
    return AdaPUCB(arms, budget, noise, replications=replications)


def policies_of(noise, generator, replications=1):
    return AdaPUCB(2, PURE, noise, replications=replications)


class First(Policy):
    """Pulls the first arm of two, and names the second one at once."""

    def __init__(self, *_, replications=1):
        super().__init__(2, replications)

    def next_batch(self):
        return np.zeros(self.replications, dtype=int), np.ones(self.replications, dtype=int)

    def observe(self, *_):
        pass

    stopped = property(lambda self: np.ones(self.replications, dtype=bool))
    recommendation = property(lambda self: np.ones(self.replications, dtype=int))


def coins(size, generator):
    return generator.integers(2, size=size)


def coins_of(count, generator):
    return generator.random(count)


def laplace(world, size, generator):
    return world + generator.laplace(0, 1, size)


def below(x):
    return x, "<=", 1 + x


PROOF = rooms.prove(rooms.stating(below, DOMAIN, {}))
RUN = rooms.record(private, [0.0, 1.0, 1.0], 1)


def found(arms, generator, replications):
    return First(arms, replications=replications)


def train(x, y, noise, generator):
    return Transcript(np.zeros((2, 2)), np.ones(1))


AUDIT = {"budget": PURE, "error": HALF}
CHECK = {"error": 0.1, "missed": 0.1, "seed": 1, "progress": False}
REGRET = {"make_policies": policies, "environment": BANDIT, "horizon": 20}
CANARIES = {"canaries": 20, "guesses": 4, "right": 3, "delta": 0.0}
KERNELS = {"kernel": KERNEL, "notion": "view"}
RANDOM = {"seed": 1, "horizon": 2, "arms": 2, "rewards": (0, 1), "smallest_weight": 1, "largest_weight": 9}
PRIVATE = {"make_policy": private, "budget": PURE, "seed": 1}
RECORD = {"make_policy": private, "rewards": [0.0, 1.0, 1.0], "seed": 1}
CALLS = {
    "Domain": {"variables": DOMAIN.variables, "where": ()},
    "Domain.of": {"where": ["x < 1"], "x": "[0, 1]"},
    "prove": {"statement": rooms.stating(below, DOMAIN, {}), "substitutions": None, "boxes": 9, "precision": 53,
              "routes": None, "searches": True},
    "recheck": {"data": json.loads(json.dumps(PROOF.to_json()))},
    "binomial_interval": {"successes": 1, "trials": 9, "error": HALF},
    "event_test": {"event": "heads", "occurred": [True], "operator": "<=", "probability": HALF},
    "mean_interval": {"sample": [0.5, 0.2], "largest": 1.0, "error": 0.1},
    "quantile_interval": {"sample": [0.5, 0.2], "quantile": 0.5, "error": 0.1},
    "FiniteChannel": {"records": 1, "alphabet": (0, 1), "laws": CHANNEL.laws},
    "channel_delta": {"channel": CHANNEL, "ratio": Fraction(2), "distance": 1},
    "channel_ratio": {"channel": CHANNEL, "distance": 1},
    "hockey_stick": {**LAWS, "ratio": Fraction(2)},
    "likelihood_ratio": LAWS,
    "post_process": {"channel": CHANNEL, "kernel": lambda output: {output: 1}},
    "random_channel": {"seed": 1, "records": 1, "alphabet": (0, 1), "outputs": 3, "smallest_weight": 1,
                       "largest_weight": 9},
    "randomised_response": {"ratio": Fraction(3)},
    "renyi_divergence": {**LAWS, "order": Fraction(2)},
    "total_variation": LAWS,
    "zcdp_rho": {**LAWS, "splits": 9},
    "FiniteKernel": {"horizon": 1, "arms": 2, "rewards": (0, 1), "probability": lambda history: (HALF, HALF)},
    "PolicyAutomaton": {"laws": [(HALF, HALF)], "moves": [[(0, 0), (0, 0)]], "rewards": (0, 1), "start": 0},
    "verify_every_horizon": {"automaton": AUTOMATON, "notion": "view"},
    "largest_ratio_over": {"automaton": AUTOMATON, "horizon": 3, "notion": "view"},
    "adversaries": {"kernel": KERNEL, "challenge_time": 1},
    "random_kernel": RANDOM,
    "random_law": {"seed": 1, "label": "a", "size": 3, "smallest_weight": 1, "largest_weight": 9},
    "randomised_response_kernel": {"horizon": 2, "arms": 2, "ratio": Fraction(3), "rewards": (0, 1)},
    "replacements": {"values": [0, 1], "choices": [0, 1]},
    "reward_lists": {"kernel": KERNEL},
    "reward_tables": {"kernel": KERNEL},
    "history_law": {"kernel": KERNEL, "reward_laws": (LAW, OTHER)},
    "table_law": {"kernel": KERNEL, "table": ((0, 1), (0, 1))},
    "view_law": {"kernel": KERNEL, "rewards": (0, 1)},
    "largest_delta": {**KERNELS, "ratio": Fraction(2)},
    "largest_divergence": {**KERNELS, "order": Fraction(2)},
    "largest_ratio": KERNELS,
    "privacy_curve": KERNELS,
    "verify_policy_privacy": KERNELS,
    "table_delta": {"kernel": KERNEL, "ratio": Fraction(2)},
    "table_epsilon": {"kernel": KERNEL},
    "view_delta": {"kernel": KERNEL, "ratio": Fraction(2)},
    "view_epsilon": {"kernel": KERNEL},
    "audit": {"left": coins, "right": coins, "samples": 20, "error": HALF, "seed": 1, "delta": 0.0},
    "action_sampler": {"make_policy": lambda noise, generator, size: None, "rewards": [0.0, 1.0]},
    "audit_private": {**PRIVATE, "samples": 20, "horizon": 5, "error": HALF},
    "audit_until_refuted": {"make_policy": policies_of, "budget": PURE, "runs": 20, "seed": 1, "horizon": 4,
                            "neighbours": [([0.0] * 4, [0.0, 0.0, 0.0, 1.0])], "error": HALF},
    "audit_mechanism": {**AUDIT, "mechanism": laplace, "samples": 20, "seed": 1},
    "audit_program": {"command": """sh -c 'while read -r line; do echo "{\\"arm\\": 0}"; done'""", "budget": PURE,
                      "seconds": 0.2, "samples": 5, "seed": 1, "arms": 2},
    "audit_inputs": {**AUDIT, "mechanism": laplace, "inputs": [(0, 1)], "samples": 20, "seed": 1},
    "neighbouring_answers": {"queries": 2},
    "neighbouring_databases": {"records": 2},
    "SequentialAudit": {"epsilon": 1.0, "error": 0.1, "delta": 0.0},
    "share_of_error": {"error": HALF, "audit": 1},
    "audit_one_run": {**AUDIT, "scores": np.arange(20.0), "inside": np.arange(20) > 9, "guesses": 4},
    "audit_descent": {**AUDIT, "train": lambda sent: train(0, 0, 0, 0), "known": lambda theta: np.zeros(2),
                      "candidates": np.eye(2)[[0, 1] * 10], "guesses": 4, "generator": np.random.default_rng(1)},
    "check_descent": {"train": train, "x": np.zeros((3, 2)), "y": np.zeros(3), "budget": Budget.zcdp(1.0),
                      "neighbours": 1, "seed": 1},
    "sampled_epsilon": {"rate": 1.0, "multiplier": 9.0, "steps": 1, "delta": 0.1},
    "one_run_error": {**CANARIES, "epsilon": 1.0},
    "one_run_epsilon": {**CANARIES, "error": 0.1},
    "MembershipGame": {"mechanism": CHANNEL, "data": LAW},
    "check_regret": {**REGRET, **CHECK, "bound": 5.0, "workers": None, "tested": None},
    "compare_regret": {**REGRET, "make_reference": policies, "factor": 2.0, "error": 0.1, "seed": 1},
    "check_theorem": {"make_policies": policy_for, "theorem": "adap-ucb", "budgets": [PURE], "horizons": [20],
                      "instances": {"one": ("0.8", "0.2")}, "reference": None, "factor": 2.0,
                      "error": 0.1, "seed": 1, "progress": False},
    "check_delta_correct": {**CHECK, "make_strategy": found, "environments": BANDIT, "delta": 0.1, "cap": 1000},
    "identification_instances": {"arms": 2},
    "against_rivals": {"ratio": lambda lead, own, other: 1.0},
    "check_stopping": {"make_strategy": First, "environments": [BANDIT], "runs": 1, "seed": 1, "cap": 1000,
                       "evidence": lambda means, counts: 1.0},
    "check_concentration": {**CHECK, "seconds": 0.01, "draw": coins_of, "mean": 0.5, "radius": 0.6, "delta": 0.1,
                            "side": "both"},
    "announced": {"make_strategy": found},
    "check_estimates": {"make_learner": lambda generator, replications: EXP3(
        2, generator, rate=0.1, mixing=0.1, replications=replications), "seed": 1},
    "align": {"run": RUN, "other": rooms.replay(private, RUN, [0.0, 1.0, 0.0], 1), "budget": PURE},
    "check_neighbours": {**RECORD, "budget": PURE, "neighbour": [0.0, 1.0, 0.0], "overruled": False, "far": False,
                         "released_on": None, "rewards_in": "[0, 1]"},
    "check_privacy": {**PRIVATE, "horizon": 20, "rewards_in": "[0, 1]"},
    "audit_ledger": {"run": RUN, "budget": PURE},
    "finite_policy": {"make_policy": First, "rewards": (0, 1), "key": lambda policy: policy.arms},
    "finite_kernel": {"make_policy": First, "horizon": 2, "rewards": (0, 1)},
    "plant": {"bug": lambda policy: policy, "make_policy": private},
    "RecordingNoise": {"generator": np.random.default_rng(1)},
    "far_neighbour": {"rewards": [0.0, 1.0], "time": 1, "rewards_in": "[0, 1]"},
    "record": {**RECORD, "overruled": False, "far": False, "rewards_in": "[0, 1]"},
    "replay": {**RECORD, "run": RUN},
    "largest_change": {"function": np.sum, "horizon": 3, "norm": "l1", "examples": 5, "seed": 1},
    "assert_certified": {"result": theory.g_optimal_design([[1.0]]), "within": (0, 2), "width": 1,
                         "allow_inconclusive": True},
    "assert_delta_correct": {"make_strategy": found, "environment": BANDIT, "delta": 0.1, "error": 0.1,
                             "allow_inconclusive": True},
    "assert_private": {**PRIVATE, "horizon": 20, "rewards_in": "[0, 1]", "black_box": False, "error": None,
                       "allow_inconclusive": True},
    "assert_regret": {"make_policies": policies, "theorem": None, "environment": BANDIT, "horizon": 20, "bound": 5.0,
                      "error": 0.1, "allow_inconclusive": True},
}  # fmt: skip
UNTRIED = {
    "Relation",
    "PolicyMaker",
    "holds",
    "decided",
    "stating",
    "replayed",
}  # kinds of functions; comparisons of anything with anything
MADE_HERE = {name for name in rooms.__all__ if name.endswith(("Report", "Audit", "_BUGS"))} | {
    *("Formula", "EventWitness", "EveryHorizon", "PolicyPrivacy", "Release", "PLANTED")
}  # answers and tables of bugs


TIMED = {name for name in CALLS if name in rooms.__all__ and "seconds" in signature(getattr(rooms, name)).parameters}


def test_every_public_name_is_tried():
    assert {*rooms.__all__} - {name.partition(".")[0] for name in CALLS} - MADE_HERE == UNTRIED


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_or_a_named_refusal(name, altered_call, monkeypatch):
    monkeypatch.setattr(assertions, "note", lambda *_: None)  # these are no assertions of this session
    function = rooms.Domain.of if name == "Domain.of" else getattr(rooms, name)
    function = partial(function, seconds=0.02) if name in TIMED or name == "compare_regret" else function
    assert not altered_call(function, CALLS[name], passes=AssertionError if name.startswith("assert_") else ())
