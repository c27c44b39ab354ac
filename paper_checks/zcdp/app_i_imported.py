"""Appendix I: imported tools, as far as finite arms use them: post-processing, Gaussian noise, tails, divergences."""

from banditproof.claims.register import claim
from banditproof.claims.sets import EveryVariable, Positive
from banditproof.claims.steps import in_kernel
from banditproof.verify.kernel.meanings import at_most_by_mean_size, chance, size
from banditproof.verify.theorems import mechanisms as kernel_proofs


@claim("ZCDP-L5", in_kernel(kernel_proofs.markov))
def markov_inequality(X: EveryVariable, epsilon: Positive):
    r"""Markov: $\mathbb P(|X|\ge\varepsilon)\le\mathbb E|X|/\varepsilon$ for $\varepsilon>0$."""
    return at_most_by_mean_size(chance(lambda x: (epsilon, size(x)), X), X, lambda c: c / epsilon)
