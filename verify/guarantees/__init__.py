"""Statistical guarantees of policies: regret, identification, concentration, and the bugs that must be noticed."""
