"""Sentences about mechanisms: noise, choices, composition, groups and conversions that keep a promise of privacy.

The words are attributes in any order, each with its formula. What no law needs is refused, and so is a law without what
it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark import Token, Tree

from banditproof.verify.judge.formulas.printing import WORDS_OF, plain
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Private, Promise, Unread, which
from banditproof.verify.judge.reading.building import (
    ONE,
    ZERO,
    Assumptions,
    Scope,
    bare,
    binary,
    call,
    constant,
    expression,
    first_token,
    names_in,
    number,
    place,
    plain_name,
    refuse,
)
from banditproof.verify.judge.reading.words import NAMED, SUMMED

LAWS = ("laplace", "gaussian", "geometric", "response", "reporting", "exponential", "sparse")
OF_MAXIMA = ("laplace", "gumbel", "waiting")  # whose upper tails fall by e^(-t/scale) at most, t higher up
NEIGHBOURS = ("replace", "add or remove")
# What may be said of a mechanism before what it promises.
ATTRIBUTES = tuple(
    "scale variance deviation sensitivity euclidean truth otherwise others each uniform flipped proportional mean total"
    " count histogram largest candidates rate numeric coordinates"
    " threshold query above monotone".split()
)
QUERIES = "mean", "total", "count", "histogram", "largest"
VALUED = tuple(
    (
        "scale variance deviation sensitivity truth otherwise others each flipped proportional group rate"
        " threshold query coordinates"
        f" {' '.join(SUMMED)}"
    ).split()
)
NUMBERS_OF = {"dp": ("epsilon", "delta"), "zcdp": ("rho",), "rdp": ("alpha", "epsilon"), "gdp": ("mu",)}


OF_PROMISES = ("group", "composition")  # what is said of promises alone, and not of noise


def mechanism(tree: Any, scope: Scope, assume: Assumptions) -> Private:
    """The sentence of a tree of the rule `mechanism`."""
    verb = next(i for i, c in enumerate(tree.children) if isinstance(c, Token) and c.type == "VERB")
    before = _Attributes(_attributes(tree.children[:verb]), scope, assume)
    after = _Attributes(_attributes(tree.children[verb + 1 :]), scope, assume)
    if len(after.promises) != 1:
        raise refuse("one promise of privacy is expected behind the verb", tree.children[verb])
    after.refuse_formulas()
    for name in after.found:
        if name not in (*OF_PROMISES, *NEIGHBOURS):
            raise refuse(f"{name} stands before what is promised", after.found[name])
    return _Sentence(before, after, scope).private()


def _is_delta(token: Any) -> bool:
    return isinstance(token, Token) and token.type == "NAME" and token.split("_")[0] == "Delta"


def _attributes(children: Sequence[Any]) -> list[Any]:
    return [c for c in children if isinstance(c, Tree) and c.data == "attribute"]


class _Attributes:
    """What one side of the verb says: words with their formulas, formulas without a word, promises."""

    def __init__(self, trees: Sequence[Any], scope: Scope, assume: Assumptions) -> None:
        self.scope, self.assume = scope, assume
        self.found: dict[str, Any] = {}
        self.promises: list[tuple[str, Any]] = []
        self.formulas: list[Any] = []
        self.where: Any | None = None
        for tree in trees:
            first = tree.children[0]
            if isinstance(first, Token) and first.type == "IN":
                if self.where is not None:
                    raise refuse("a second set stands here", tree)
                self.where = tree.children[1]
                continue
            key = str(first) if isinstance(first, Token) else ""
            formula = next((c for c in tree.children if isinstance(c, Tree)), None)
            promise = (
                formula is not None
                and isinstance(formula.children[-1], Token)
                and formula.children[-1].type == "PROMISE"
            )
            if key:
                if key in self.found:
                    if key != "composition":
                        raise refuse(f"{key} is said twice", tree)
                self.found[key] = tree
            if formula is None:
                continue
            if promise:
                self.promises.append((str(formula.children[-1]), formula.children[0]))
            elif key in VALUED:
                self.found[key] = self._valued(formula)
            else:
                self.formulas.append(formula)

    def _valued(self, formula: Any) -> Any:
        """The formula of `E` or of `sigma = E`, where sigma is E from then on."""
        if len(formula.children) == 1:
            return formula.children[0]
        left, sign, right = formula.children[:3]
        name = plain_name(left)
        if sign in (">", ">=") and name:  # with sigma >= E
            self.assume._compare(expression(left, self.scope), str(sign), expression(right, self.scope), left)
            return left
        if sign != "==" or not name:
            raise refuse("a value is expected here", formula)
        self.assume._value(name, expression(right, self.scope), left)
        return right

    def named(self, names: Sequence[str]) -> Any:
        """The value of one of these letters, where `sigma = E` stands without a word."""
        for formula in self.formulas:
            if len(formula.children) == 3 and plain_name(formula.children[0]) in names:
                self.formulas.remove(formula)
                return self._valued(formula)
        given = {*self.assume.bounds, *self.assume.related, *self.assume.values}
        return next((Token("NAME", n) for n in names if n in given), None)

    def refuse_formulas(self) -> None:
        """Takes definitions; any other formula without a word has no meaning."""
        for formula in self.formulas:
            name = plain_name(formula)
            if self.promises and name[:1].isupper() and name[1:2] in ("", "_") and name not in self.assume.bounds:
                self.scope.say(f"{name} is the mechanism")
            elif len(formula.children) != 3:
                raise refuse("what is this formula? A word is missing before it", formula)
            else:
                self._valued(formula)
        if self.where is not None:
            raise refuse("a set has no meaning here", self.where)


class _Sentence:
    def __init__(self, before: _Attributes, after: _Attributes, scope: Scope) -> None:
        self.before, self.after, self.scope = before, after, scope

    def private(self) -> Private:
        self._local()
        promise = self.promise(*self.after.promises[0])
        laws = [k for k in LAWS if k in self.before.found]
        if "noisiest" in self.before.found:
            laws = ["noisiest"]
        if len(laws) > 1:
            raise refuse(f"{laws[0]} and {laws[1]}: which law has the noise?", self.before.found[laws[1]])
        parameters: dict[str, Any] = {}
        if laws:
            self._with_delta()
        if named := next((k for k in NAMED if k in self.before.found), ""):
            if len(self.before.found) > 1 or self.before.promises or self.before.formulas:
                raise refuse(f"what is said of {named}? Write '{named} is eps-DP'", self.before.found[named])
            return Private("named", {"name": named}, promise.kind, promise.budget)
        if laws:
            name = laws[0]
            if self.before.promises or "composition" in self.before.found:
                raise refuse(
                    "a composition is one of promises, such as k compositions of rho-zCDP", self.before.found[name]
                )
            for node in (side[k] for side in (self.before.found, self.after.found) for k in OF_PROMISES if k in side):
                raise refuse("groups and compositions are of promises: eps-DP implies (k eps)-DP for groups of k", node)
            parameters = getattr(self, f"_{name}")()
        else:
            name, parameters = self._of_promises()
        for k in NEIGHBOURS:
            if k in self.before.found or k in self.after.found:
                if parameters.setdefault("neighbours", k) != k:
                    raise Unread("replacement and add or remove are both said")
        used = {name, *SUMMED, *ATTRIBUTES, "numbers", "composition", "group", "disjoint", *NEIGHBOURS}
        used |= {parameters["noise"]} if name == "noisiest" else {"processing"} if name == "conversion" else set()
        for k, tree in self.before.found.items():
            if k not in used:
                raise refuse(f"{k} has no meaning here", tree)
        self.before.refuse_formulas()
        return Private("response" if name == "reporting" else name, parameters, promise.kind, promise.budget)

    def _with_delta(self) -> None:
        """Takes Delta, which nothing else is said of, for the sensitivity that is not printed."""
        found = self.before.found
        names = {str(n) for tree in found.values() if isinstance(tree, Tree) for n in tree.scan_values(_is_delta)}
        if len(names) == 1 and not {"sensitivity", "numeric", *QUERIES} & {*found}:
            (name,) = names
            found["sensitivity"] = Token("NAME", name)
            self.scope.say(f"{name} is the sensitivity")

    def _local(self) -> None:
        """Refuses what is local beside what is not: each has neighbours of its own."""
        kinds = [kind for kind, _ in (*self.before.promises, *self.after.promises)]
        said = {"subsampling", "group"} & {*self.before.found, *self.after.found}
        if "ldp" in kinds and (said or set(kinds) != {"ldp"}):
            raise refuse("local privacy is of one user: it stands beside no other kind", self.after.promises[0][1])

    def promise(self, kind: str, node: Any) -> Promise:
        """(eps, delta)-DP and its kind."""
        if kind == "ldp":
            kind = "dp"
            self.scope.say("of local privacy any two inputs of a user are neighbours")
        values = _listed(node, self.scope)
        names = NUMBERS_OF[kind]
        if not (len(values) == len(names) or (kind == "dp" and len(values) == 1)):
            raise refuse(f"{WORDS_OF[kind]} has {' and '.join(names)}", node)
        return Promise(kind, dict(zip(names, values, strict=False)))

    def _take(self, key: str, letters: Sequence[str] = ()) -> Expression | None:
        node = self.before.found.get(key)
        if node is None or (isinstance(node, Tree) and node.data == "attribute"):
            node = self.before.named(letters)
        return None if node is None else expression(node, self.scope)

    def _need(self, law: str, key: str, letters: Sequence[str] = ()) -> Expression:
        value = self._take(key, letters)
        if value is None:
            raise Unread(f"{law} noise needs its {key}: write 'of {key} ...'".lstrip())
        return value

    def _only(self, *keys: str) -> None:
        """Refuses attributes that the law does not have."""
        for k in ATTRIBUTES:
            if k in self.before.found and k not in keys:
                raise refuse(f"{k} has no meaning for this law", self.before.found[k])

    def _sensitivity(self, neighbours: str, *laws: Expression) -> Expression:
        """The printed sensitivity, or that of a count, a sum or a mean of numbers in an interval, or any one."""
        found = self.before.found
        queries = [k for k in QUERIES if k in found]
        if "sensitivity" in found:
            if queries and queries != ["count"]:
                raise refuse("sensitivity is said twice", found[queries[0]])
            return self._need("", "sensitivity")
        if queries == ["histogram"]:
            return self._of_a_histogram(neighbours)
        if not queries:
            return self._of_any(*laws)
        if len(queries) != 1:
            raise Unread("two queries are named: to which one is the noise added?")
        if queries == ["count"]:
            self.scope.say("a count has sensitivity 1")
            return ONE
        where, formulas = self.before.where, [f for f in self.before.formulas if len(f.children) == 1]
        if where is None or where.data != "interval" or "numbers" not in found:
            raise refuse("the range of the numbers is missing: write 'n numbers in [0, 1]'", found[queries[0]])
        low, high = expression(where.children[1], self.scope), expression(where.children[3], self.scope)
        self.before.where = None
        if low.head == high.head == "var":
            self.scope.intervals.append(Compare(low, "<", high))
        neighbours = neighbours or self._changed("number", found[queries[0]])
        count = None
        if len(formulas) == 1:
            count = expression(formulas[0].children[0], self.scope)
            self.before.formulas.remove(formulas[0])
        if neighbours == "replace":
            spread = binary("sub", high, low)
        elif queries == ["total"]:
            spread = call("max", call("abs", low), call("abs", high))
        else:
            kind = "mean" if queries == ["mean"] else "largest or smallest number"
            raise refuse(f"a {kind} whose count changes is not read: say what is released", found[queries[0]])
        if queries != ["mean"]:
            what = "sum" if queries == ["total"] else "largest or smallest number"
            self.scope.say(f"the {what} has sensitivity {plain(spread)}")
            return spread
        if count is None:
            raise refuse("how many numbers? Write 'the mean of n numbers'", found[queries[0]])
        value = binary("div", spread, count)
        self.scope.say(f"the mean has sensitivity {plain(value)}")
        return value

    def _of_any(self, *laws: Expression) -> Expression:
        """The sensitivity of any query, of which nothing is printed: every positive number."""
        promised = {
            n
            for kind, node in self.after.promises
            for e in self.promise(kind, node).budget.values()
            for n in names_in(e)
        }
        laws = (*laws, *(e for key in ("scale", "deviation", "variance") if (e := self._take(key))))
        printed = {n for e in laws for n in names_in(e)}
        if other := printed - promised - {"delta", "sigma"}:
            raise Unread(
                f"is {min(other)} the sensitivity of the query? Write 'on sensitivity {min(other)}'", min(other)
            )
        name = next(n for n in ("Delta", "s", "Delta_f") if n not in promised)
        self.scope.say(f"nothing is printed of the sensitivity {name} of the query: it may be any positive number")
        return Expression("var", (name,))

    def _of_a_histogram(self, neighbours: str) -> Expression:
        """A record that is replaced leaves one bin for another; Laplace noise has the l1 norm, Gaussian the l2 norm."""
        neighbours = neighbours or self._changed("record", self.before.found["histogram"])
        moved = number(1 if neighbours != "replace" else 2)
        value = call("sqrt", moved) if "gaussian" in self.before.found and moved != ONE else moved
        self.scope.say(f"the histogram has sensitivity {plain(value)}")
        return value

    def _changed(self, what: str, node: Any) -> str:
        """How neighbours differ where that is not printed. Raises Ambiguous unless that is said."""
        why = f"is one {what} replaced, or added or removed? Write 'under replacement'"
        chosen = NEIGHBOURS[which(why, first_token(node), place(node), 2)]
        self.scope.say(f"one {what} is {('replaced', 'added or removed')[NEIGHBOURS.index(chosen)]}")
        return chosen

    def _neighbours(self) -> str:
        return next((k for k in NEIGHBOURS if k in self.before.found or k in self.after.found), "")

    def _laplace(self) -> dict[str, Any]:
        count = self._take("coordinates") if "euclidean" in self.before.found else None
        if "euclidean" in self.before.found and count is None:
            raise refuse(
                "Laplace noise needs the sensitivity in the sum of all entries", self.before.found["euclidean"]
            )
        self._only("scale", "deviation", "variance", "sensitivity", "numeric", "euclidean", "coordinates", *QUERIES)
        deviation, variance = self._take("deviation", ()), self._take("variance", ())
        if deviation is not None and variance is not None:
            raise Unread("the noise has a deviation and a variance: write the one")
        if variance is not None:
            scale = call("sqrt", binary("div", variance, number(2)))
        elif deviation is not None:
            scale = binary("div", deviation, call("sqrt", number(2)))
        else:
            scale = self._need("Laplace", "scale", ("b", "lambda"))
        if variance is not None or deviation is not None:
            self.scope.say(f"the scale of the noise is {plain(scale)}: its variance is 2 scale^2")
        moved = self._sensitivity(self._neighbours())
        if count is not None:
            self.scope.say("what moves by s in Euclidean norm moves by sqrt(d) s at most in the sum of its d entries")
            moved = binary("mul", call("sqrt", count), moved)
        return {"scale": scale, "sensitivity": moved}

    def _gaussian(self) -> dict[str, Any]:
        if "scale" in self.before.found:
            cure = "Gaussian noise has no scale: write 'of deviation ...' or 'of variance ...'"
            raise refuse(cure, self.before.found["scale"])
        self._only("deviation", "variance", "sensitivity", "euclidean", "numeric", "coordinates", *QUERIES)
        variance = self._take("variance", ())
        deviation = self._take("deviation", ("sigma",) if variance is None else ())
        if (variance is None) == (deviation is None):
            raise Unread("Gaussian noise needs its deviation or its variance")
        spread = {"variance": variance} if deviation is None else {"deviation": deviation}
        return {**spread, "sensitivity": self._sensitivity(self._neighbours())}

    def _response(self) -> dict[str, Any]:
        if "candidates" in self.before.found:
            return self._of_categories()
        self._only("truth", "otherwise", "flipped")
        truth, flipped, rest = self._take("truth"), self._take("flipped"), self._take("otherwise")
        if flipped is not None:
            if truth is not None or "otherwise" in self.before.found:
                raise Unread("is the true answer given with this probability, or flipped? Say one of the two")
            return {"truth": binary("sub", ONE, flipped)}
        if truth is None:
            raise Unread("randomised response needs its truth: write 'that tells the truth with probability p'")
        if rest is not None and not _equal(binary("add", truth, rest), ONE):
            raise refuse("the two probabilities are not seen to add up to 1", self.before.found["otherwise"])
        return {"truth": truth}

    def _of_categories(self) -> dict[str, Any]:
        """The true one of k categories with some probability, each of the others equally often."""
        self._only("truth", "candidates", "others", "uniform", "each")
        truth, each = self._take("truth"), self._take("each")
        alone = [f for f in self.before.formulas if len(f.children) == 1]
        if truth is None or len(alone) != 1:
            raise Unread("how many categories are there, and which probability has the true one?")
        self.before.formulas.remove(alone[0])
        count = expression(alone[0].children[0], self.scope)
        others = self._take("others")
        if others is not None and not _equal(others, binary("sub", count, ONE)):
            raise refuse("one category less than all are the others", self.before.found["others"])
        fewer = binary("sub", count, ONE)
        if each is not None and not _equal(binary("add", truth, binary("mul", fewer, each)), ONE):
            raise refuse("the probabilities are not seen to add up to 1", self.before.found["each"])
        return {"truth": truth, "candidates": count}

    def _reporting(self) -> dict[str, Any]:
        if not {"others", "uniform"} <= self.before.found.keys():
            raise Unread("what happens otherwise? Write 'and otherwise one of the k - 1 others uniformly'")
        return self._of_categories()

    def _geometric(self) -> dict[str, Any]:
        self._only("proportional", "sensitivity", "mean", "total", "count")
        letter = self._letter()
        law = self._law(letter, "k")
        rate = coefficient(law, call("abs", Expression("var", (letter or "k",))))
        if rate is None:
            raise Unread("the law of two-sided geometric noise is P(k) proportional to exp(-rate |k|)")
        return {"rate": _changed_sign(rate), "sensitivity": self._sensitivity(self._neighbours(), rate)}

    def _exponential(self) -> dict[str, Any]:
        self._only("proportional", "sensitivity", "candidates")
        letters = [n for f in self.before.formulas if len(f.children) == 1 and (n := plain_name(f.children[0]))]
        law_node = self.before.found.get("proportional")
        count = None
        if law_node is None:
            raise Unread("the exponential mechanism needs its law: write 'with probability proportional to exp(a*u)'")
        inside = set(names_in(self._law("", "u")))
        score = next((n for n in letters if n in inside), "u" if "u" in inside else "")
        for f in list(self.before.formulas):
            if len(f.children) == 1:
                if plain_name(f.children[0]) == score:
                    self.before.formulas.remove(f)
                elif "candidates" in self.before.found and count is None:
                    count = expression(f.children[0], self.scope)
                    self.before.formulas.remove(f)
        factor = coefficient(self._law(score, "u"), Expression("var", (score,)))
        if factor is None:
            raise Unread("the law of the exponential mechanism is exp(a*u), with u the score")
        if _is_negative(factor):
            factor = _changed_sign(factor)
            self.scope.say(f"the score is -{score or 'u'}, which moves as much as {score or 'u'}")
        sensitivity = self._take("sensitivity") or self._of_any(factor)
        return {"factor": factor, "sensitivity": sensitivity, **({} if count is None else {"candidates": count})}

    def _noisiest(self) -> dict[str, Any]:
        """The candidate whose score with noise is the largest."""
        noises = [k for k in OF_MAXIMA if k in self.before.found]
        if len(noises) != 1:
            raise Unread("noisy max is read with Laplace, Gumbel or exponential noise: which one is it?")
        self._only("scale", "sensitivity", "monotone")
        given = {"noise": noises[0], "scale": self._need("the", "scale", ("b",)), **self._monotone()}
        return {**given, "sensitivity": self._take("sensitivity") or self._of_any()}

    def _monotone(self) -> dict[str, Any]:
        return {"monotone": ONE} if "monotone" in self.before.found else {}

    def _sparse(self) -> dict[str, Any]:
        """Answers whether queries are above a noisy threshold, until some number of them are."""
        self._only("threshold", "query", "above", "sensitivity", "monotone")
        alone = [f for f in self.before.formulas if len(f.children) == 1]
        if len(alone) != 1 or "above" not in self.before.found:
            raise Unread("after how many does it stop? Write 'with c answers above'")
        self.before.formulas.remove(alone[0])
        given = {k: self._need("the", k) for k in ("threshold", "query", "sensitivity")}
        return {**given, "above": expression(alone[0].children[0], self.scope), **self._monotone()}

    def _letter(self) -> str:
        """k of P(k)."""
        for f in list(self.before.formulas):
            node = f.children[0]
            if len(f.children) == 1 and isinstance(node, Tree) and node.data == "run" and len(node.children) == 2:
                if isinstance(node.children[1], Tree) and node.children[1].data == "group":
                    self.before.formulas.remove(f)
                    return plain_name(node.children[1].children[1])
        return ""

    def _law(self, letter: str, usual: str) -> Expression:
        """The exponent of the printed law."""
        node = self.before.found.get("proportional")
        if node is None or (isinstance(node, Tree) and node.data == "attribute"):
            raise Unread("the law is missing: write 'with probability proportional to ...'")
        e = expression(node, self.scope)
        if e.head == "call" and e.args[0] == "exp":
            return e.args[1]
        if e.head == "pow":
            return (
                e.args[1]
                if e.args[0] == Expression("const", ("e",))
                else binary("mul", e.args[1], call("log", e.args[0]))
            )
        raise refuse("the law is written as exp(...)", node)

    def _of_promises(self) -> tuple[str, dict[str, Any]]:
        before = self.before
        if said := next((k for k in ("filter", *SUMMED) if k in before.found), ""):
            return "filter", self._filter(said)
        sampled = next((k for k in ("subsampling", "fixed") if k in before.found), "")
        self._only(*(("rate",) if sampled else ()))
        disjoint = "disjoint" in before.found
        if len(before.promises) > 1 and {"composition"} == {*before.found} - {"subsampling", "disjoint", *NEIGHBOURS}:
            parts = tuple(self.promise(*given) for given in before.promises)
            if disjoint and len({p.kind for p in parts}) > 1:
                raise refuse("promises of two kinds are composed", before.found["composition"])
            if disjoint:
                self.scope.say("the part in which a record is does not depend on its value")
            return "disjoint" if disjoint else "composition", {"parts": parts}
        if disjoint:
            raise refuse("which promises are kept on disjoint data?", before.found["disjoint"])
        if len(before.promises) != 1:
            raise Unread("what keeps this promise? Name the noise, or the promise that it follows from")
        kind, node = before.promises[0]
        if sampled:
            return sampled, {"of": self.promise(kind, node), "rate": self._rate(sampled)}
        group = self.after.found.get("group", before.found.get("group"))
        if "composition" in before.found or "composition" in self.after.found:
            if group is not None:
                raise refuse("groups and composition do not stand in one sentence", node)
            count, node = self._count(node)
            return "composition", {"of": self.promise(kind, node), "count": count}
        if group is not None:
            if isinstance(group, Tree) and group.data == "attribute":
                raise refuse("groups of how many?", group)
            return "group", {"of": self.promise(kind, node), "size": expression(group, self.scope)}
        return "conversion", {"of": self.promise(kind, node)}

    def _filter(self, said: str) -> dict[str, Any]:
        """What is kept of all that passes: pure promises whose squares add up to S are as zCDP of S/2."""
        both = {**self.before.found, **self.after.found}
        if other := next((k for k in both if k not in (said, *NEIGHBOURS)), ""):
            raise refuse(f"{other} has no meaning for a filter", both[other])
        self.scope.say("each release is chosen by the answers before, and passes while the budget is kept")
        if said == "filter":
            if len(self.before.promises) != 1:
                raise refuse("a filter has one budget, such as eps-DP", both[said])
            return {"of": self.promise(*self.before.promises[0])}
        if self.before.promises:
            raise refuse("a filter has one budget", both[said])
        most = self._need("the", said)
        if said == "squares":
            self.scope.say("what passes is pure")
            return {"of": Promise("zcdp", {"rho": binary("div", most, number(2))}), "squares": most}
        return {"of": Promise("dp", {"epsilon": most}) if said == "epsilons" else Promise("zcdp", {"rho": most})}

    def _rate(self, sampled: str) -> Expression:
        """The rate of subsampling, a number of [0, 1]."""
        before, said = self.before, {**self.before.found, **self.after.found}
        poisson = sampled == "subsampling"
        neighbours = "have one record more or less" if poisson else "differ in the value of one record"
        if k := next((k for k in ("composition", "group", NEIGHBOURS[not poisson]) if k in said), ""):
            raise refuse(f"{k} has no meaning here: neighbours of a subsample {neighbours}", said[k])
        node = said.get("rate")
        if node is None or (isinstance(node, Tree) and node.data == "attribute"):
            raise refuse("at which rate? Write 'with rate q'", said[sampled])
        rate = expression(node, self.scope)
        kept = "each record is kept with this rate, by itself" if poisson else "the sample is this part of the records"
        self.scope.say(f"{kept}, and neighbours {neighbours}")
        if before.where is not None and rate.head == "var":
            before.assume.inside(rate.args[0], before.where, [])
            before.where = None
        if not list(names_in(rate)) and not 0 <= constant(rate) <= 1:
            raise refuse("a rate lies in [0, 1]", node)
        if list(names_in(rate)):
            self.scope.say("a rate lies in [0, 1]")
            before.assume._compare(rate, ">=", ZERO, node)
            before.assume._compare(rate, "<=", ONE, node)
        return rate

    def _count(self, node: Any) -> tuple[Expression, Any]:
        """How many are composed: a number of its own, or the first factor before the promise."""
        alone = [f for f in self.before.formulas if len(f.children) == 1]
        alone = [f for f in alone if not plain_name(f).isupper()] or alone  # M is no count beside k
        if len(alone) == 1:
            self.before.formulas.remove(alone[0])
            return expression(alone[0].children[0], self.scope), node
        if isinstance(node, Tree) and node.data == "run" and len(node.children) == 2:
            self.scope.say(f"{first_token(node.children[0])} of them are composed")
            return expression(node.children[0], self.scope), node.children[1]
        raise refuse("how many are composed?", node)


def _listed(node: Any, scope: Scope) -> list[Expression]:
    """The formulas of (a, b), or the one formula."""
    if (
        isinstance(node, Tree)
        and node.data == "group"
        and isinstance(node.children[1], Tree)
        and node.children[1].data == "items"
    ):
        return [bare(c, scope) for c in node.children[1].children if not isinstance(c, Token)]
    return [expression(node, scope)]


def _equal(a: Expression, b: Expression) -> bool:
    """Whether SymPy sees that two formulas are equal."""
    import sympy

    from banditproof.verify.judge.formulas.formula import NoStatement
    from banditproof.verify.judge.formulas.symbolic import to_sympy

    symbols = {n: sympy.Symbol(n, real=True) for n in (*names_in(a), *names_in(b))}
    try:
        return sympy.simplify(to_sympy(a, symbols) - to_sympy(b, symbols)) == 0
    except NoStatement:
        return False


def coefficient(e: Expression, of: Expression) -> Expression | None:
    """a of an expression that is a times `of`, from products, quotients and signs."""
    if e == of:
        return ONE
    match e.head:
        case "neg":
            inner = coefficient(e.args[0], of)
            return None if inner is None else Expression("neg", (inner,))
        case "mul" | "div":
            left = coefficient(e.args[0], of)
            if left is not None and not _has(e.args[1], of):
                return e.args[1] if left == ONE and e.head == "mul" else binary(e.head, left, e.args[1])
            right = coefficient(e.args[1], of) if e.head == "mul" else None
            if right is not None and not _has(e.args[0], of):
                return e.args[0] if right == ONE else binary("mul", e.args[0], right)
    return None


def _has(e: Expression, of: Expression) -> bool:
    return set(names_in(of)) <= set(names_in(e))


def _is_negative(e: Expression) -> bool:
    """Whether a formula stands behind a minus sign."""
    if e.head in ("mul", "div"):
        return _is_negative(e.args[0]) != _is_negative(e.args[1])
    return e.head == "neg" or e.head == "num" and e.args[0] < 0


def _changed_sign(e: Expression) -> Expression:
    if e.head == "neg":
        return e.args[0]
    if e.head in ("mul", "div") and e.args[0].head == "neg":
        return Expression(e.head, (e.args[0].args[0], e.args[1]))
    if e.head == "num":
        return number(-e.args[0])
    return Expression("neg", (e,))
