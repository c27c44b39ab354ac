"""Section 7.4, page 160: the experiments on two models."""

from banditproof.claims.register import claim
from banditproof.claims.sets import Count
from banditproof.claims.steps import symbolic


@claim("MIA-E7.4", symbolic(), false={"labels": 9}, restricted="to the number of parameters")
def parameters_of_the_linear_layer(k: Count, labels=10):
    r"""A linear layer from $28\times28$ inputs to $<labels>$ labels has $784\cdot10+10=7850$ weights and biases (times
    $k$)."""
    return (28 * 28 * labels + labels) * k, "==", 7850 * k
