"""What checks: provers, privacy of policies (recorded runs, exact laws, audits), statistical tests, evidence.

The public names are loaded when they are first used, so that importing this package is cheap.
"""

from banditproof.theory.face import face

_MODULE_OF = {
    "Domain": "proof.domain",
    "Relation": "proof.compare",
    "holds": "proof.compare",
    "decided": "proof.compare",
    "SymbolicArgument": "proof.symbolic",
    "real": "proof.symbols",
    "positive": "proof.symbols",
    "nonnegative": "proof.symbols",
    "Formula": "proof.symbols",
    "prove": "proof.prover",
    "recheck": "proof.recheck",
    "binomial_interval": "proof.statistics",
    "event_test": "proof.statistics",
    "mean_interval": "proof.statistics",
    "quantile_interval": "proof.statistics",
    "FiniteChannel": "finite.channels",
    "channel_delta": "finite.channels",
    "channel_ratio": "finite.channels",
    "hockey_stick": "finite.channels",
    "likelihood_ratio": "finite.channels",
    "post_process": "finite.channels",
    "random_channel": "finite.channels",
    "randomised_response": "finite.channels",
    "renyi_divergence": "finite.channels",
    "total_variation": "finite.channels",
    "zcdp_rho": "finite.channels",
    "FiniteKernel": "finite.kernels",
    "adversaries": "finite.kernels",
    "random_kernel": "finite.kernels",
    "random_law": "finite.kernels",
    "randomised_response_kernel": "finite.kernels",
    "replacements": "finite.kernels",
    "reward_lists": "finite.kernels",
    "reward_tables": "finite.kernels",
    "history_law": "finite.output_laws",
    "table_law": "finite.output_laws",
    "view_law": "finite.output_laws",
    "EventWitness": "privacy.policy_privacy",
    "PolicyPrivacy": "privacy.policy_privacy",
    "largest_delta": "privacy.policy_privacy",
    "largest_divergence": "privacy.policy_privacy",
    "largest_ratio": "privacy.policy_privacy",
    "privacy_curve": "privacy.policy_privacy",
    "verify_policy_privacy": "privacy.policy_privacy",
    "table_delta": "privacy.enumeration",
    "table_epsilon": "privacy.enumeration",
    "view_delta": "privacy.enumeration",
    "view_epsilon": "privacy.enumeration",
    "audit": "privacy.audit",
    "action_sampler": "privacy.audit",
    "MembershipGame": "privacy.membership",
    "StatisticalReport": "guarantees.report",
    "check_regret": "guarantees.regret",
    "compare_regret": "guarantees.regret",
    "check_theorem": "guarantees.theorems",
    "check_delta_correct": "guarantees.identification",
    "identification_instances": "guarantees.identification",
    "check_concentration": "guarantees.concentration",
    "REGRET_BUGS": "guarantees.regret_bugs",
    "align": "runs.alignment",
    "check_privacy": "runs.alignment",
    "find_violation": "runs.alignment",
    "audit_ledger": "runs.ledger",
    "PLANTED": "runs.planted",
    "plant": "runs.planted",
    "PolicyMaker": "runs.recorder",
    "RecordingNoise": "runs.recorder",
    "Release": "runs.recorder",
    "far_neighbour": "runs.recorder",
    "record": "runs.recorder",
    "replay": "runs.recorder",
    "largest_change": "runs.sensitivity",
}

__all__ = list(_MODULE_OF)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = face(__name__, _MODULE_OF)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
