"""What runs: policies, noise mechanisms, environments, the simulator.

The public names are loaded when they are first used, so that importing this package is cheap.
"""

from banditproof.theory.face import face

_MODULE_OF = {
    "Policy": "policy",
    "Strategy": "policy",
    "NoiseSource": "noise",
    "BernoulliBandit": "environment",
    "DoublingBatches": "batches",
    "GeometricBatches": "batches",
    "AdaCUCB": "finite.episodic",
    "AdaPKLUCB": "finite.episodic",
    "AdaPUCB": "finite.episodic",
    "EpisodicUCB": "finite.episodic",
    "BatchedIndexPolicy": "finite.dp_index",
    "DPIMED": "finite.dp_index",
    "DPKLUCB": "finite.dp_index",
    "EXP3": "adversarial.learners",
    "EXP4": "adversarial.experts",
    "FTPL": "adversarial.learners",
    "HTINF": "adversarial.learners",
    "Learner": "adversarial.learners",
    "LossTable": "adversarial.losses",
    "Panel": "adversarial.experts",
    "PrivateBatches": "adversarial.conversion",
    "FromBandit": "adversarial.experts",
    "PrivateEXP4": "adversarial.experts",
    "hard_losses": "adversarial.losses",
    "play": "adversarial.losses",
    "simulate": "run.simulator",
    "simulate_per_pull": "run.simulator",
    "sweep": "run.sweep",
}

__all__ = list(_MODULE_OF)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = face(__name__, _MODULE_OF)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
