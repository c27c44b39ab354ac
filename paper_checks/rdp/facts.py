"""What several sections of the RDP paper share: its dictionary to zCDP, and its range of beta."""

from typing import Annotated, Any

DICTIONARY = r"$\rho=\frac\epsilon\alpha$"
AboveThree = Annotated[Any, "(3, inf)"]
