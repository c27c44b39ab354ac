"""Running policies: the simulator, compiled loops, sweeps and their checkpoints."""
