"""Plays: what finite policies do in pairs of bandits, exactly; the constructions behind lower bounds."""
