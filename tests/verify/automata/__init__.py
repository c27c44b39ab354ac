"""Policies with finitely many states whose privacy is known, or is found by enumeration."""

from fractions import Fraction as F
from random import Random

from banditproof.verify import PolicyAutomaton

HALF = F(1, 2)


def randomised_response(ratio=F(2), arms=2):
    """Stay after a success, leave after a failure, through randomised response: the state is the arm to favour."""
    likely = ratio / (ratio + arms - 1)
    laws = [tuple(likely if a == s else (1 - likely) / (arms - 1) for a in range(arms)) for s in range(arms)]
    moves = [[((a + 1) % arms, a) for a in range(arms)] for _ in range(arms)]
    return PolicyAutomaton(laws, moves)


def explore_then_commit(pulls, ratio=F(2), private=True):
    """Both arms in turn, `pulls` times each; then one for ever, drawn by how many successes it is ahead."""
    laws, moves, place = [], [], {}

    def state(key, law):
        if key not in place:
            place[key] = len(laws)
            laws.append(law)
            moves.append(None)
        return place[key]

    def grow(t, ahead):
        key = t, ahead
        if key in place:
            return place[key]
        if t == 2 * pulls:
            odds = ratio**ahead if private else F(10) ** (6 * (ahead > 0) - 3)
            here = state(key, (odds / (1 + odds), 1 / (1 + odds)))
            moves[here] = [(grow("end", a),) * 2 for a in (0, 1)]
        elif t == "end":
            here = state(key, (F(1), F(0)) if ahead == 0 else (F(0), F(1)))
            moves[here] = [(here, here)] * 2
        else:
            arm = t % 2
            here = state(key, (F(1 - arm), F(arm)))
            after = [grow(t + 1, ahead + reward * (1 - 2 * arm)) for reward in (0, 1)]
            moves[here] = [tuple(after)] * 2
        return here

    return PolicyAutomaton(laws, moves, start=grow(0, 0))


def epsilon_greedy(levels, tremble=F(1, 10)):
    """The arm that is ahead by a counter that stops at its ends, but for a tremble: no noise on the counter."""
    middle = levels // 2
    laws = [(1 - tremble, tremble) if s > middle else (tremble, 1 - tremble) for s in range(levels)]

    def moved(s, step):
        return min(levels - 1, max(0, s + step))

    moves = [[(moved(s, -1), moved(s, 1)), (moved(s, 1), moved(s, -1))] for s in range(levels)]
    return PolicyAutomaton(laws, moves, start=middle)


def window(length, ratio=F(3, 2)):
    """The last rewards, read by how many are successes: a reward is read by so many decisions."""
    laws = [(o / (1 + o), 1 / (1 + o)) for o in (ratio ** bin(s).count("1") for s in range(2**length))]
    moves = [[(2 * s % 2**length, (2 * s + 1) % 2**length)] * 2 for s in range(2**length)]
    return PolicyAutomaton(laws, moves)


def episodes(seed, length, width, arms=2):
    """A random policy that forgets everything after so many rounds: layers of `width` states, then the start again."""
    draw = Random(f"episodes {seed}")
    states = 1 + (length - 1) * width

    def layer(t):
        return [0] if t % length == 0 else list(range(1 + (t % length - 1) * width, 1 + t % length * width))

    laws, moves = [], []
    for state in range(states):
        t = 0 if state == 0 else (state - 1) // width + 1
        weights = [draw.randint(1, 4) for _ in range(arms)]
        laws.append(tuple(F(w, sum(weights)) for w in weights))
        moves.append([tuple(draw.choice(layer(t + 1)) for _ in (0, 1)) for _ in range(arms)])
    return PolicyAutomaton(laws, moves)


def drawn(seed, states, arms=2, never=False):
    """A random automaton; with `never`, some arms have probability 0 in some states."""
    draw = Random(f"drawn {seed}")
    laws = []
    for _ in range(states):
        weights = [draw.randint(0 if never else 1, 3) for _ in range(arms)]
        weights[draw.randrange(arms)] += 1
        laws.append(tuple(F(w, sum(weights)) for w in weights))
    moves = [[tuple(draw.randrange(states) for _ in (0, 1)) for _ in range(arms)] for _ in range(states)]
    return PolicyAutomaton(laws, moves)


FINITE = {
    "response": lambda: randomised_response(),
    "response, three arms": lambda: randomised_response(F(5), 3),
    "explore 1": lambda: explore_then_commit(1),
    "explore 3": lambda: explore_then_commit(3),
    "explore 9": lambda: explore_then_commit(9, F(3, 2)),
    "window 1": lambda: window(1),
    "window 3": lambda: window(3),
    "window 7": lambda: window(7),
    **{f"episodes {n}": lambda n=n: episodes(n, 3 + n, 4 + n) for n in range(4)},
    "episodes of 200": lambda: episodes(5, 12, 18),
}
INFINITE = {
    "greedy 3": lambda: epsilon_greedy(3),
    "greedy 8": lambda: epsilon_greedy(8),
    "greedy 51": lambda: epsilon_greedy(51, F(1, 100)),
    "drawn 6": lambda: drawn(1, 6),
    "drawn 20": lambda: drawn(2, 20),
    "drawn 100": lambda: drawn(3, 100),
    "never 5": lambda: drawn(4, 5, never=True),
    "never 40": lambda: drawn(5, 40, 3, never=True),
}
ALL = FINITE | INFINITE
