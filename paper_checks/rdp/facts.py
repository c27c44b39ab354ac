"""What several sections of the RDP paper share: its dictionary to zCDP, and its range of beta."""

DICTIONARY = r"$\rho=\frac\epsilon\alpha$"
