"""How a name of code is set in LaTeX: a letter with scripts, or words."""

GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi psi omega".split()
)
SCRIPTS = GREEK | {"star", "prime"}


def symbol(name: str) -> str:
    r"""``mu_2_prime`` as ``{\mu_{2}'}``, ``mean_i`` as ``\mathrm{mean}_{i}``, ``odds_of_views`` as words."""
    head, *scripts = name.split("_")
    if len(head) > 1 and head not in GREEK and any(len(s) > 1 and s not in SCRIPTS for s in scripts):
        return rf"\text{{{' '.join((head, *scripts))}}}"
    primes = "'" * scripts.count("prime")
    below = ",".join(_letter(s) for s in scripts if s != "prime")
    printed = _letter(head) + (f"_{{{below}}}" if below else "")
    return f"{{{printed}{primes}}}" if primes else printed


def _letter(word: str) -> str:
    if word in GREEK or word == "star":
        return rf"\{word}"
    return word if len(word) == 1 or word.isdigit() else rf"\mathrm{{{word}}}"
