"""Private bandits as somebody else writes them: 50 with a privacy bug, 25 that only look suspicious."""
