"""How far one record moves a statistic: domains and statistics, and proofs of their sensitivities."""

from banditproof.theory.sensitivities import statistics as statistics
