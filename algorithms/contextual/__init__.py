"""Linear contextual bandits: context sets, policies that see them before they choose, and their simulator."""
