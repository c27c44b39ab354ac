"""Proofs in the kernel of the regret of AdaP-KLUCB: AdaP-UCB with an index by a divergence (`coins.py`)."""

from __future__ import annotations

from banditproof.verify.kernel.episodes import adap_klucb, bernoulli_rewards, noisy_mean, optimistic
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.adap_ucb import NOISE, cost_of_gaps, split_at_a_gap
from banditproof.verify.theorems.coins import *
from banditproof.verify.theorems.consistent_regret import by_its_chance, mean_of_bernoulli
from banditproof.verify.theorems.doubling import *
from banditproof.verify.theorems.hoeffding import two_values
from banditproof.verify.theorems.optimism import smaller_root
from banditproof.verify.theorems.tails import laplace_tail

a, b, c, g, k, m, n, p, q, r, s, v, w, x, z = map(var, "abcgkmnpqrsvwxz")
T, K, epsilon, few, level = map(var, ("T", "K", "epsilon", "few", "level"))
X = law("X")


def is_low(p: Any, y: Any, c: Any) -> Term:
    """1 where the index of y at c is below p."""
    return 1 - ind(p, largest(y, c))


@lemma("p q r c", *OF_LARGEST, le(0, c))
def low_or_little() -> Theorem:
    """An index of q + r is low only where that of q is, or where r is at most 0."""
    goal = le(is_low(p, q + r, c), ind(r, 0) + is_low(p, q, c))
    first, second = largest(q, c), largest(q + r, c)
    little = auto(goal, at_most(assume(le(r, 0))))
    above = assume(lt(0, r))
    more = instance(grows_with_the_mean(), {"q": q + r, "p": q}, auto(le(q, q + r), above))
    both = at_most(auto(le(p, second), more, assume(le(p, first)))), indicator(r, 0, 3)
    high = auto(goal, *both)
    below = auto(goal, not_at_most(assume(lt(first, p))))
    return cases(little, cases(high, below, p, first), r, term(0))


OF_CHANCE = nat(m), le(1, m), lt(0, n), le(n, m), lt(0, level), lt(0, epsilon)


@lemma("X p m n epsilon level", REWARD, *IN_UNIT, *OF_LARGEST, *OF_CHANCE)
def rarely_low() -> Theorem:
    """The index of m >= n rewards with the noise for n is below their mean with a chance of at most 3/2 e^-level."""
    at, scale = level / n, 1 / (epsilon * n)
    shift = at / epsilon
    noisy = noisy_mean(X, m, laplace(scale))
    values = {"q": v / m, "r": w + shift, "c": at}
    either = mono(mono(instance(low_or_little(), values), "w", laplace(scale)), "v", noisy.args[1])
    of_noise = instance(laplace_tail(-1), {"z": shift, "b": scale})
    of_mean = instance(seldom_low(), {"s": m, "c": at})
    wide = exp_monotone(auto(le(-m * at, -level)))
    goal = le(mean("r", noisy, is_low(p, r + shift, at)), 3 * exp(-level) / 2)
    return auto(goal, either, of_noise, of_mean, wide)


def reward_of(of: Term) -> Theorem:
    """What is said of the reward of an arm: it is a coin."""
    return instance(assume(COINS), {"a": of}, *arm(of))


COINS = All(("a",), is_arm(a, K), replace(REWARD, {"X": fn("", nu(a)), "p": centre(a)}))
IN_RANGE = tuple(All(("a",), is_arm(a, K), f) for f in (le(0, centre(a)), le(centre(a), 1)))
INDEX = assume(adap_klucb(pi, release, nu, epsilon, beta, T, K)[-1])
LARGEST_GIVEN = tuple(map(assume, OF_LARGEST))


def low_index(m: Any, y: Any, s: Any) -> Term:
    """1 where the index of the best arm in round s is below its mean, after m plays with y released."""
    at = beta * log(s) / (m / 2)
    return is_low(centre(best), y + at / epsilon, at)


def chance_of_low() -> Theorem:
    """After m plays and an episode the index of the best arm is low with a chance of at most 3/2 s^-beta."""
    late = instance(log_is_positive(), {}, assume(le(2, s)))
    high, natural_ = product(auto(lt(0, beta)), late), assume(nat(m))
    whole, some, more = (instance(f, {"N1": m}, natural_) for f in lengths())
    values = {"X": fn("", nu(best)), "p": centre(best), "m": next_length(m), "n": NEXT / 2, "level": beta * log(s)}
    size = auto(lt(0, NEXT / 2), some, nat_nonnegative(natural_)), auto(le(NEXT / 2, next_length(m)))
    ranges = [instance(assume(f), {"a": best}, *arm(best)) for f in IN_RANGE]
    known = reward_of(best), *ranges, *LARGEST_GIVEN, whole, some, *size, high, assume(lt(0, epsilon))
    tail = instance(rarely_low(), values, *known)
    told = instance(NOISE.told(), {"a": best, "N1": m, "g": fn("r", low_index(NEXT, r, s))}, *arm(best), natural_)
    shown = auto(le(told.conclusion.args[0], 3 * exp(-beta * log(s)) / 2), told, tail)  # type: ignore[union-attr]
    return for_all("m s", shown, *RARE[0].given)


@lemma("p q c r", *OF_LARGEST, le(0, c), le(q, largest(p, c)), le(0, r), lt(r, q), le(c, 2 * r * r))
def not_far_below() -> Theorem:
    """q - r <= p for q up to the largest mean of p at c, and c <= 2 r^2: by Pinsker's inequality, for clipped p."""
    U, own, v = largest(p, c), chance_of(p), var("v")
    ends = tuple(instance(f, {}) for f in LARGEST[:2])
    tilt = 4 * (own - U)
    u = tilt * ind(1, x) - tilt * U - tilt * tilt / 8
    feasible = instance(instance(LARGEST[2], {}), {"u": fn("x", u)})
    first, second = by_its_chance(p, u), mean_of_bernoulli(U, exp(u), *ends)
    two = instance(two_values(), {"p": U, "s": tilt}, *ends)
    near = auto(le(2 * (U - own) * (U - own), c), feasible, first, second, (exp(-tilt * tilt / 8), two))
    squares = auto(le((U - own) * (U - own), r * r), near)
    short = instance(smaller_root(), {"w": U - own, "v": r}, squares)
    enough = auto(le(q - r, own), short)
    goal, at_0 = le(q - r, p), unit(term(0), "v", auto(le(0, term(0))), auto(le(term(0), 1)))
    less = auto(le(ind(v, p), ind(v, 0)), at_most(assume(le(v, 0))))
    none = auto(le(ind(v, p), ind(v, 0)), not_at_most(auto(lt(p, v), assume(lt(p, 0)), assume(lt(0, v)))))
    gone = contradiction(mono(cases(less, none, v, term(0)), "v", UNIT), at_0, enough, assume(lt(r, q)))
    inside = auto(goal, enough, unit(p, "v", assume(le(0, p)), assume(le(p, 1))))
    beyond = auto(goal, enough, mono(indicator(v, p, 4), "v", UNIT), assume(lt(1, p)))
    return cases(cases(inside, beyond, p, term(1)), absurd(gone, goal), term(0), p)


def index_now(of: Term) -> tuple[Term, Theorem]:
    """The index of an arm that was played, by its c = beta log t/n."""
    half = pulled(n, z, of) / 2
    at = beta * log(ROUND_NOW) / half
    known = auto(eq(at * half, beta * log(ROUND_NOW)), reciprocal(auto(lt(0, half), begun(of))))
    return at, instance(INDEX, {"i": n, "a": of, "c": at}, PN, SOON, *arm(of), begun(of), known)


def decided() -> Theorem:
    """If the index of k is the larger one after `few` plays, that of the best arm is low, or the mean of k is off."""
    is_bad = NOISE.off(released(n, z, k) - centre(k), COUNT / 2, log(T))
    low = low_index(pulled(n, z, best), released(n, z, best), ROUND_NOW)
    goal, (_, of_best), (at, of_k) = le(1, low + is_bad), index_now(best), index_now(k)
    first, second = (f.conclusion.args[1] for f in (of_best, of_k))  # type: ignore[union-attr]
    below = auto(goal, not_at_most(assume(lt(first, centre(best)))))
    enough = assume(le(centre(best), first))
    larger = auto(le(centre(best), second), enough, of_best, of_k, assume(is_larger(optimistic)))
    apart, some, private = assume(lt(0, GAP)), auto(lt(0, COUNT), assume(le(1, COUNT))), assume(lt(0, epsilon))
    early, log_low, _ = levels_in_time()
    third = auto(le(3 * log(T), LEVEL), product(assume(lt(0, excess)), log_low))
    more, over, one = auto(le(0, COUNT - few), assume(le(few, COUNT))), reciprocal_positive(some), reciprocal(some)
    both = product(over, reciprocal_positive(private))
    many = auto(le(8 * LEVEL, COUNT * GAP * GAP), product(square(GAP), more))
    wide = auto(le(8 * LEVEL / COUNT, GAP * GAP), (over, many), (GAP * GAP, one))
    far = auto(le(8 * LEVEL, COUNT * GAP * epsilon), product(weak(product(apart, private)), more))
    deep = auto(le(8 * LEVEL / COUNT / epsilon, GAP), (both, far), (GAP * epsilon / epsilon, one))
    log_now = instance(log_is_positive(), {"s": ROUND_NOW}, auto(le(2, ROUND_NOW), of_arm(1, k), assume(le(1, COUNT))))
    at_low = product(product(auto(le(0, beta)), weak(log_now)), weak(over))
    half = 3 * GAP / 8
    small = auto(le(at, 2 * half * half), (over, early), wide, square(GAP))
    best_low = auto(lt(half, centre(best)), instance(assume(IN_RANGE[0]), {"a": k}, *arm(k)))
    values = {"p": released(n, z, k) + at / epsilon, "q": centre(best), "c": at, "r": half}
    near = instance(not_far_below(), values, *LARGEST_GIVEN, at_low, larger, best_low, small)
    own = auto(le(at / epsilon, GAP / 4), (both, early), deep)
    tail = auto(le(log(T) / epsilon / (COUNT / 2), GAP / 8), (both, third), deep)
    lead = auto(le(GAP / 4, released(n, z, k) - centre(k) - 1 / epsilon * log(T) / (COUNT / 2)), near, own, tail)
    n_ = COUNT / 2
    last = auto(
        le(n_ / 2 * log(T) / (n_ * n_), GAP / 4 * (GAP / 4)), (log(T) / COUNT, one), (over, third), wide, square(GAP)
    )
    sure = far_enough(GAP / 4, is_bad, auto(le(0, GAP / 4)), last, lead)
    above = auto(goal, sure)
    return for_all("n z", cases(above, below, centre(best), first), *in_time_and_larger(optimistic))


@shown
def plays() -> Theorem:
    """E N_k(T) <= 2 few + 5/2 + 3/excess, where 8 beta log T/gap^2 and 8 beta log T/(gap epsilon) are at most `few`."""
    suppose(lt(0, epsilon), lt(0, GAP))
    known = le(0, few), le(8 * LEVEL, few * GAP * GAP), le(8 * LEVEL, few * GAP * epsilon)
    suppose(*known)
    is_bad = NOISE.off(r - centre(k), m / 2, log(T))
    low = low_index(m, r, s)
    off = [for_all("m r s", auto(le(0, low))), for_all("m r", product(*(indicator(*f.args, 3) for f in is_bad.args)))]
    below = for_all("m r", product_at_most_one(is_bad))
    values = {"low": fn("m r s", low), "bad": fn("m r", is_bad), "factor": NOISE.factor}
    own = auto(le(0, NOISE.factor)), auto(le(NOISE.factor, 2))
    rare = chance_of_low(), NOISE.rarely_bad(below)
    whole = instance(plays_of_an_arm(optimistic), values, *off, below, *rare, decided(), *own)
    return for_all("few", whole, *known)


# ---------------------------------------------------------------------------------------------------------- regret


def rewards_are_coins() -> tuple[Theorem, Theorem]:
    """A Bernoulli reward is a coin, and in [0, 1] with this mean."""
    low, high = (instance(assume(f), {}, *arm(a)) for f in IN_RANGE)
    said = assume(bernoulli_rewards(nu, centre, K)[-1])
    value = instance(said, {}, *arm(a))
    names, given, goal = parts_of(COINS.then)
    coin = auto(goal, value, mean_of_bernoulli(centre(a), app("g", x), low, high))
    of_coins = for_all("a", for_all(names, coin, *given), *COINS.given)
    names, given, goal = parts_of(REWARDS.conclusion.then)  # type: ignore[union-attr]
    ends = [instance(assume(given[0]), {"x": term(k)}) for k in (0, 1)]
    inside = auto(goal, coin, (1 - centre(a), ends[0]), (centre(a), ends[1]))
    return of_coins, for_all("a", for_all(names, inside, *given), *COINS.given)


def of_rewards(proved: Theorem) -> Theorem:
    """The same, from what is said of the rewards."""
    return instance(for_all("", proved, COINS, REWARDS.conclusion), {}, *rewards_are_coins())


@proof
def by_gaps(statement: All) -> Theorem:
    """As for AdaP-UCB."""
    return of_rewards(cost_of_gaps(statement, plays))


@proof
def without_gaps(statement: All) -> Theorem:
    """As for AdaP-UCB."""
    return of_rewards(auto(statement.then, split_at_a_gap(plays, optimistic)))
