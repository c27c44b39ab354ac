"""Section 6.2, page 136: the game with a fixed target, its metrics, and the game with a random one."""

from functools import partial
from typing import Any

from banditproof.verify.kernel import games
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.meanings import function_of, when
from banditproof.verify.kernel.policies import every
from banditproof.verify.kernel.rules import eq, mean
from banditproof.verify.kernel.terms import Formula, var

TARGET = var("z")


@word
def joint_density(M: Any, Z: Any, n: Any, bit: int) -> Formula:
    """E[F(z*, o) | b] is the integral of F with the density of o given z* by the law of z* and base(z*)."""
    average, fixed = games.Crafter(M, Z, n), games.Crafter(M, Z, n, target=TARGET)
    F, z, o = partial(function_of, "F"), games.code(TARGET), var("o")
    joint = mean("z", Z, games.by_base(z, games.density(bit, z, o) * F(z, o)))
    known = *(games.places(n) if bit else ()), games.densities_of_outputs(fixed)[1 - bit]
    return when(*known, then=every(("F",), (), eq(average.mean_given(bit, F), joint)))
