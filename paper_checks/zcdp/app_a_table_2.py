"""Appendix A: Table II, the bounds converted from pure DP beside those of the paper."""

from banditproof.claims.language import *


@claim("ZCDP-TB2/linear", deduced(), false={"factor": "1.1"})
def linear_smaller_than_converted(d: AtLeastOne, rho: Positive, M: AtLeastOne, factor=1):
    r"""Printed rates of the second row: $\frac d{\sqrt\rho}\log^{3/2}(KT)\le\frac{d^2}{\sqrt\rho}\log^2(KT)$ for
    $\log(KT)\ge1$, the other terms being the same; ours is the cell of Table I. (The third row, also that of Table I,
    has nothing to be compared with.)

    M is log(KT). The source of the converted bound is not available, so the conversion itself is not checked.
    """
    return factor**2 * d**2 * M**3 / rho, "<=", d**4 * M**4 / rho
