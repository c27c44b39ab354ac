"""A program that speaks JSON lines, in many ways that are right or wrong: `speaker.py KIND EPSILON`."""

import json
import os
import random
import sys
import time

kind, scale = sys.argv[1], 1 / float(sys.argv[2])
mine, sums, runs, largest = random.Random(), [0.0, 0.0], 0, 0.0


def write(answer):
    print(answer if isinstance(answer, str) else json.dumps(answer), flush=True)


def ask(law, **named):
    write({"draw": law, **named})
    return json.loads(sys.stdin.readline())["value"]


def noisy(total):
    if kind in ("located", "crashes late", "skips zeros"):
        return ask("laplace", location=total, scale=scale, line=24)
    if kind == "asks late" and mine.random() < 0.01:
        return ask("laplace", location=total, scale=scale)
    if kind in ("added", "kept"):
        return total + ask("laplace", scale=scale)
    if kind in ("seeded", "seeded in blocks", "asks late", "mixed", "system", "not anew"):
        return total + scale * (mine.expovariate(1) - mine.expovariate(1))
    if kind == "scaled":
        return ask("laplace", location=total / largest if largest else 0.0, scale=scale)
    return total


def lines():
    """Those of standard input; in blocks, whatever is there is taken for one line."""
    while kind == "seeded in blocks" and (block := os.read(0, 65536).decode()):
        yield block.splitlines()[0]
    yield from sys.stdin


for text in lines():
    line = json.loads(text)
    if "reset" in line:
        pulls, counts, means, arm, runs = 0, [0, 0], [2.0, 2.0], 0, runs + 1
        sums = sums if kind == "not anew" else [0.0, 0.0]
        if kind != "system":
            mine.seed(line["reset"])
        if kind.startswith("mechanism"):
            told = 0.0 if kind == "mechanism raw" else ask("laplace", scale=scale)
            write({"number": line["neighbour"] + told})
            continue
    else:
        pulls, counts[arm] = pulls + 1, counts[arm] + 1
        sums[arm] += line["reward"]
        largest = max(largest, line["reward"]) if counts[arm] > 1 else line["reward"]
        if kind == "dies" and line["reward"] not in (0, 1):
            raise SystemExit("no fractions please")
        if kind == "crashes late" and pulls == 20 and runs > 60:
            raise SystemExit("too many runs")
        if kind == "hangs" and pulls == 3:
            time.sleep(60)
        if counts[arm] == 4:
            means[arm] = 0.5 if kind == "skips zeros" and not sums[arm] else noisy(sums[arm]) / 4
            sums[arm], counts[arm] = 0.0, 0
            arm = means.index(max(means))
            if kind == "mixed" and ask("uniform") < 0.1:
                arm = ask("integer", of=2)
    if kind == "rubbish" and pulls == 3:
        write("{'arm': 0}")
    elif kind == "far arm" and pulls == 3:
        write({"arm": 2})
    elif kind == "twice" and pulls == 3:
        write('{"arm": 0}\n{"arm": 0}')
    elif kind == "kept":
        write({"arm": arm, "keeps": {"first": means[0], "second": means[1]}})
    else:
        write({"arm": arm})
