"""Linear bandits: optimal designs and the structured lower bound, with certificates."""
