"""Figure 5.4 of the thesis and the conclusions drawn from it for finitely many arms: ALG-E5.4, ALG-S5.5a."""

from __future__ import annotations

from banditproof.paper_checks.adac_ucb_experiment import register_conclusions, register_experiment

register_experiment("ALG-E5.4", twin="ZCDP-E1")
register_conclusions("ALG-S5.5a", twin="ZCDP-S15")
