"""The sentence that a tree says: which part is claimed, which assumed, and the ranges of all variables."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile, zip_longest
from math import inf
from typing import Any

from lark import Token, Tree

from banditproof.verify.judge.formulas.formula import PI, lies_in
from banditproof.verify.judge.formulas.powers import zero_powers
from banditproof.verify.judge.formulas.sentence import (
    COUNTED,
    POSSIBLE,
    SIGNS,
    All,
    Compare,
    Curved,
    Exists,
    Expression,
    Iff,
    Limit,
    Monotone,
    Order,
    Private,
    Range,
    Reading,
    Sentence,
    Unread,
    which,
)
from banditproof.verify.judge.reading import latex_building, vectors
from banditproof.verify.judge.reading.building import (
    CONSTANTS,
    FLIPPED,
    INFINITY,
    NO_RANGE,
    ONE,
    QUANTILE,
    SIGNS_OF_ORDERS,
    ZERO,
    Assumptions,
    Scope,
    binary,
    call,
    called_names,
    constant,
    depends,
    exponent,
    expression,
    first_token,
    has_links,
    has_value_for_all,
    is_count,
    names_in,
    negative,
    number,
    place,
    plain_name,
    put,
    refuse,
    sentence_in_brackets,
    squared_name,
    squared_names,
    variable,
    within,
)
from banditproof.verify.judge.reading.fields import in_field, names_of
from banditproof.verify.judge.reading.latex_signs import ALIKE, DEFINES
from banditproof.verify.judge.reading.laws import solved
from banditproof.verify.judge.reading.orders import by_itself, order_in, without
from banditproof.verify.judge.reading.quantities import NUMBER
from banditproof.verify.judge.reading.vectors import LOEWNER
from banditproof.verify.judge.reading.words import CALLED, COUNTS, GREEK, OF_ONE_NUMBER, STANDARD

# What a promise of privacy is printed for where no range is: every budget that makes sense.
_POSITIVE = Range(ZERO, INFINITY, True, True)
_BUDGETS = {**dict.fromkeys(("eps", "epsilon", "rho", "mu"), _POSITIVE), "delta": Range(ZERO, ONE, True, True)}
_DEFINES = re.compile(rf"[^=]*?(?::=|\\(?:{'|'.join(DEFINES)})(?![a-z]))")  # before another equation
_NORMAL = re.compile(r"Phi|(?:normal|Gaussian)\s+(?:density|pdf|p\.d\.f\.)")
_CALLED = re.compile(r"(?<![A-Za-z\\])([f-hF-H])\s*\(\s*([a-z])\s*\)")
SIGN_OF = {"positive": ">", "nonnegative": ">=", "negative": "<", "nonpositive": "<="}  # "f is positive"
LARGEST = 5000  # nodes of a statement after definitions are put in
STEEPEST = 250  # nodes within nodes


def build(tree: Any, form: str, text: str, where: Mapping[str, Any]) -> Reading:
    """The reading of a tree.

    Args:
        tree: of the rule `statement`.
        form: "plain" or "latex".
        text: what was printed.
        where: what fields of their own say of names, as trees of the rule `items`.
    """
    scope = Scope(
        known=frozenset(names_of(*where)),
        tex=form == "latex",
        latex=latex_building,
        normal=bool(_NORMAL.search(text)),
        called=dict(_CALLED.findall(text)),
        defines=bool(_DEFINES.match(text)),
    )
    scope.squared = squared_names(tree)
    assume = Assumptions(scope)
    for items in (*where.values(), *tree.find_data("items")):
        _share(items, scope)
    for field, items in where.items():
        try:
            _assume([list(items.children)], scope, assume)
        except Unread as error:
            raise in_field(field, error) from None
    beside = {name: replace(bounds) for name, bounds in assume.bounds.items()}
    scope.ranges, scope.conditions = assume.bounds, assume.conditions
    parts = _Parts(tree, {_printed(item) for items in where.values() for item in _items(items)}, scope.known)
    parts.assumed = [_without_numbers(listed, scope) for listed in parts.assumed]
    _assume(parts.assumed, scope, assume)
    assume.ranged()
    for name, bounds in beside.items():
        if assume.bounds[name] != bounds:
            whole = ", whole numbers alone" if assume.bounds[name].integer else ""  # as 0..1 says
            scope.say(f"the text and the field of ranges both speak of {name}: what both allow is taken{whole}")
    statement = _Statement(parts, scope, assume)
    if tree.data == "mechanism":
        from banditproof.verify.judge.reading.mechanisms import mechanism

        return statement.closed(mechanism(tree, scope, assume))
    return statement.reading()


def _items(items: Any) -> list[Any]:
    return [i for i in items if not isinstance(i, Token)] if isinstance(items, list) else _items(list(items.children))


def _share(items: Any, scope: Scope) -> None:
    """Says "0 < a, b < 1" of a and of b."""
    listed = items.children
    for i, item in enumerate(listed):
        if isinstance(item, Token) or not (ended := _half(item, 1)):
            continue
        names, j = [ended[1]], i + 2
        while j < len(listed) and listed[j - 1].type == "COMMA" and len(listed[j].children) == 1:
            names.append(listed[j].children[0])
            j += 2
        if j >= len(listed) or listed[j - 1].type != "COMMA" or not (begun := _half(listed[j], 0)):
            continue
        names.append(begun[0])
        said = [plain_name(name) for name in names]
        if ended[2][0] != begun[2][0] or not all(said) or len({*said}) < len(said):
            continue
        if _has_names(begun[1]):
            raise refuse(
                f"is {first_token(ended[0])} {ended[2]} said of {said[-1]} too? Write one range for each", item
            )
        scope.say(f"what stands around {', '.join(said)} is said of each")
        for at, name in zip(range(i, j + 1, 2), names, strict=True):
            links = [Tree("compare", [ended[2], name]), Tree("compare", [begun[2], begun[1]])]
            marks = [c for c in item.children if isinstance(c, Token) and c.type == "MARK"]
            listed[at] = Tree("item", [*marks, ended[0], *links])


def _half(item: Any, name: int) -> tuple[Any, Any, str] | None:
    """The two sides of "0 < a" (the name is side 1) or "b < 1" (it is side 0), and the sign."""
    sides, links = _sides(item)
    if len(sides) != 2 or len(links) != 1 or links[0].children[0] == "==":
        return None
    if plain_name(sides[name]) in ("", *CONSTANTS) or (name and _has_names(sides[0])):
        return None
    return sides[0], sides[1], links[0].children[0]


def _assume(lists: Sequence[list[Any]], scope: Scope, assume: Assumptions) -> None:
    """Takes definitions and names of vectors first, then all the rest."""
    for items in lists:
        waiting: list[str] = []
        for item in _items(items):
            _define(item, scope, assume)
            waiting = _name_entries(item, scope, waiting)
        _describe([item for item in _items(items) if getattr(item, "taken", False)], assume)
    for items in lists:
        for item in [i for i in _items(items) if not getattr(i, "taken", False)]:
            assume.add(item)
        assume.close()


def _describe(defined: Sequence[Any], assume: Assumptions) -> None:
    """Takes what marks say of vectors and matrices, in the plural of those before or behind it too."""
    marks = [[str(c) for c in item.children if isinstance(c, Token) and c.type == "MARK"] for item in defined]
    for i, (item, own) in enumerate(zip(defined, marks, strict=True)):
        behind = getattr(item.children[-1], "type", "") == "MARK"
        of_others = "each" in own and (marks[:i] if behind else marks[i + 1 :])
        for others in [m for m in of_others or () if not m]:
            others += own
    for item, own in zip(defined, marks, strict=True):
        assume.of_entries(_without_marks(item)[0], own)


def _define(item: Any, scope: Scope, assume: Assumptions) -> None:
    """Takes definitions before all formulas, since they may stand behind their use."""
    inner = _without_marks(item)
    ordered = len(inner) == 3 and getattr(inner[2], "data", "") == "compare" and inner[2].children[0] in LOEWNER
    if len(inner) == 1 and STANDARD in item.children and (name := plain_name(inner[0])):
        scope.laws[name] = (ZERO, ONE)
        item.taken = True  # type: ignore[attr-defined]
    elif (ordered or len(inner) == 2) and assume._defined(inner[0], inner[1:2]):
        item.taken = True  # type: ignore[attr-defined]
        if ordered:
            sign, right = inner[2].children
            assume.in_loewner_order(inner[0], sign, right, item)
    elif len(inner) == 3 and getattr(inner[2], "data", "") == "member":  # x = (a, b) in R^2
        assume._defined(inner[0], [inner[1]])


def _without_marks(item: Any) -> list[Any]:
    return [c for c in item.children if not isinstance(c, Token) or c.type != "MARK"]


def _name_entries(item: Any, scope: Scope, waiting: list[str]) -> list[str]:
    """Names the entries of the vectors of "x, y in R^2" before all formulas; the names that stand alone before."""
    inner = _without_marks(item)
    name = plain_name(inner[0])
    if not name or len(inner) == 1:
        return [*waiting, name] if name else []
    for where in inner[1].children if len(inner) == 2 and inner[1].data == "member" else ():
        power = where.children[-1] if isinstance(where, Tree) else None
        if isinstance(power, Tree) and power.data == "power" and where.data != "listed":
            for vector in (*waiting, name):
                vectors.named_entries(vector, exponent(power, scope), where, scope)
    return []


class _Parts:
    """A statement in its parts: what is claimed, what is assumed, where a limit is taken, what is said to exist."""

    def __init__(self, tree: Any, told: Container[str] = (), known: Container[str] = ()) -> None:
        self.told = told  # what fields beside the statement assume
        self.known = known  # the names of these fields
        self.count = [str(t) for t in tree.scan_values(lambda t: isinstance(t, Token) and t.type == "NAME")].count
        self.sums = any(t in ("sum", "harmonic", "H") for t in tree.scan_values(lambda t: isinstance(t, Token)))
        self.claimed: list[Any] = []
        self.other_side: list[Any] | None = None
        self.assumed: list[list[Any]] = []
        self.limits: list[Any] = []
        self.exists: list[Any] | None = None
        self.equality: list[Any] | None = None  # where both sides are equal, and nowhere else
        self.attained: tuple[str, Any] | None = None  # where a supremum or infimum has its value
        self.positive = False
        self.before: list[list[Any]] = []  # lists of ranges before what is claimed, and behind it
        self.after: list[list[Any]] = []
        # lists of ranges that may belong to a premise, or to one side of "iff", and whether they are of "all"
        self.within: list[tuple[list[Any], bool]] = []
        early: list[tuple[list[Any], bool]] = []  # those behind what may turn out to be one
        self.on: list[Any] = []
        self.behind: dict[str, Any] = {}  # names that a comparison with numbers behind the claim bounds
        joined, premised = None, False  # `joined`: a comparison behind a range, which may be a second claim
        leads: list[tuple[Any, list[Any]]] = []
        if tree.data == "mechanism":
            self.assumed = [list(c.children) for c in tree.children if isinstance(c, Tree) and c.data == "items"]
            return
        for part, behind in zip_longest(tree.children, tree.children[1:]):
            if part.data == "items":
                premises = behind is not None and getattr(behind.children[0], "type", "") == "IMPLIES"
                self._claim(list(part.children)) if not premises else self.claimed.extend(_items(part.children))
                continue
            key = part.children[0]
            items = part.children[1]
            if key.type == "ON":
                self.on.append(items)
                continue
            listed = list(items.children)
            if key.type == "ASSUME" or (key.type == "WITH" and self.exists is None):
                of_all = (key.end_pos or 0) - (key.start_pos or 0) > len("for")
                if not self.claimed:
                    leads.append((key, listed))
                elif key == "for" and joined:
                    raise refuse("does this belong to a second claim? Settle them one at a time", joined)
                defined = any(lead == "let" for lead, _ in leads)  # "let eta = 1: A for x, y > 0 for all eta > 0"
                joined = _joined(listed, defined) if key == "for" and self.claimed else None
                if joined is not None and [str(t) for t in listed[-3:-1]] == [",", "and"] and not _is_assumed(joined):
                    raise refuse(
                        "is this part claimed or assumed? Write 'when' before it, or 'A and B for ...'", joined
                    )
                if key == "for":
                    self._asked_once(listed)
                    said = self.claimed or any(not all(map(_only_ranges, _items(of))) for _, of in leads)
                    (self.within if premised else early).extend([(listed, of_all)] * bool(premised or said))
                premised = premised or key == "when" or key != "for" and not all(map(_only_ranges, _items(listed)))
                self.assumed.append(listed)
                (self.after if self.claimed else self.before).append(listed)
            elif key.type == "EXISTS":
                if self.exists is not None:
                    raise refuse("only one number is said to exist at a time", key)
                if self.assumed:
                    raise refuse(
                        "what exists may depend on what stands before it: write there is c with ... for x in ...", key
                    )
                self.exists, self.positive = listed, key == "+"
            elif key.type == "AS" and not self.claimed and _begins(listed, leads):  # "as n -> inf, A"
                self.limits.append(listed[:1])
                self._claim(listed[2:])
            elif key.type == "AS":
                self.limits.append(listed)
            elif key.type == "EQUALITY":
                if leads and not self.claimed:
                    self._from_leading(leads)
                if self.equality is not None or not self.claimed or len(listed) > 1:
                    raise refuse("where equality holds is one equation behind what is claimed", key)
                self.equality = listed
            elif key.type == "ATTAINED":
                if leads and not self.claimed:
                    self._from_leading(leads)
                if self.attained is not None or len(self.claimed) != 1 or len(listed) > 1:
                    raise refuse("where a supremum is attained is one equation behind what is claimed of it", key)
                self.attained = str(key), listed[0]
            elif key.type in ("THEN", "WITH"):
                if self.claimed:
                    raise refuse("a second claim begins here", key)
                self.within = [(of, True) for of, _ in self.within]  # of the premise
                self._claim(listed)
            elif key.type == "IMPLIES":
                self.within, premised = [(of, True) for of, _ in (*self.within, *early)], True
                if self.other_side is not None:
                    raise refuse("=> and <=> do not stand in one sentence", key)
                if leads and not self.claimed:
                    self._from_leading(leads)
                if not self.claimed:
                    raise refuse("nothing stands before =>", key)
                self.assumed.append(self.claimed)
                self.claimed = []
                self._claim(listed)
            elif key.type == "IFF":
                if self.other_side is not None:
                    raise refuse("a second 'if and only if' begins here", key)
                self.within, premised = [*self.within, *early], True
                if leads and not self.claimed:
                    self._from_leading(leads)
                kept, self.claimed = self.claimed, []
                self._claim(listed)
                self.claimed, self.other_side = kept, self.claimed
        if leads and not self.claimed:
            self._from_leading(leads)
        if len(self.claimed) > 1 and (twice := _ranged(self.before) & _ranged(self.after)):
            raise Unread("each claim has ranges of its own: settle them one at a time", min(twice))
        if not self.claimed:
            raise Unread("nothing is claimed: a comparison, a limit or a property is missing")
        for listed, of_all in self.within:
            self._refuse_within(listed, of_all)

    def _refuse_within(self, listed: list[Any], of_all: bool) -> None:
        """Refuses "k <= 0 iff x^2 >= k for all x": what is said of all x is one side, and not the sentence.

        Names that have one range together are behind "iff" in both sides or in none; behind a premise they are in the
        claim, if the list is one of all of them or stands before what is claimed, and else some name of it is.
        """
        sides = [_stems(Tree("items", side)) for side in (self.claimed, self.other_side) if side is not None]
        groups = _together(listed)
        if len(sides) == 1 and not of_all:
            groups = [set().union(*groups)]
        for names in groups:
            inside = [bool(names & side) for side in sides]
            if inside == [False] or len({*inside}) > 1:
                raise refuse(
                    f"is all of it said for these {min(names)}, or one part of it? Begin with 'for'", listed[0]
                )

    def _from_leading(self, leads: list[tuple[Any, list[Any]]]) -> None:
        """ "for all x > 0, A": what stands behind the last comma is claimed."""
        ends = [listed for key, listed in leads if key != "let" and len(listed) > 1 and not _is_range(listed[-1])]
        if len(leads) > 1 and len(ends) != 1:
            raise refuse("which part is claimed? Write 'we have' before it", leads[-1][1][0])
        leading = ends[0] if len(leads) > 1 else leads[0][1]
        at = next(i for i, (_, listed) in enumerate(leads) if listed is leading) + 1
        self.before, self.after = [listed for _, listed in leads[:at]], [listed for _, listed in leads[at:]]
        pairs = zip_longest(leading, leading[1:])  # ", and" is "and"
        leading[:] = [p for p, q in pairs if [getattr(t, "type", "") for t in (p, q)] != ["COMMA", "AND"]]
        while len(leading) > 2 and (
            sentence_in_brackets(leading[-1].children[-1]) is not None or _defines(leading[-1], leading[-3])
        ):  # "A (n >= 1)", "A, f(x) = x^2"
            self.assumed.append([leading.pop()])
            leading.pop()
        self.claimed = [leading.pop()]
        while len(leading) > 3 and leading[-1].type == "AND" and not _is_assumed(leading[-2]):
            leading.pop()  # "for x > 0, A and B"
            asked = "is this part claimed or assumed? Write 'and' or 'when' before it"
            if which(asked, first_token(leading[-1]), place(leading[-1]), 2):
                leading.append(Token("COMMA", ","))
                break
            self.claimed.insert(0, leading.pop())
        while leading and isinstance(leading[-1], Token):
            if leading.pop().type == "AND" and leading:
                raise refuse("where the assumptions end is not clear: write 'A for x > 0'", self.claimed[0])

    def _claim(self, listed: list[Any]) -> None:
        """Divides a list behind a claim into what is claimed too (joined by 'and') and what is assumed."""
        while behind := _behind_definition(listed):
            self.assumed.append(listed[:1])
            listed = behind
        claimed, assumed = [listed[0]], []
        comma = False
        for i in range(1, len(listed)):
            item = listed[i]
            if isinstance(item, Token):
                comma = comma or item.type == "COMMA"
                continue
            if assumed or comma:
                assumed.append(item)
            else:
                claimed.append(item)
        before = {id(item): token for token, item in zip(listed, listed[1:], strict=False)}
        also: list[Any] = []
        bare_claim = all(_is_range(c) for c in claimed)
        for j, item in enumerate(assumed):
            if _is_range(item) or _is_definition(item) or _printed(item) in self.told:
                continue
            told = str(before[id(item)]) != "and" and all(name in self.known for name in _names_of(item))
            beside = j > 0 and _is_range(assumed[j - 1]) or told
            weights = _is_conjugate(item) or beside and _sums_to_a_number(item)  # "p, q >= 0, p + q = 1"
            if (_is_condition(item) or weights) and not bare_claim:
                continue
            why = "is this part claimed or assumed? Write 'and' or 'when' before it"
            if bare_claim:
                raise refuse(why, item)
            if which(why, first_token(item), place(item), 2) == 0:
                also.append(item)
        claimed, assumed = [*claimed, *also], [item for item in assumed if all(item is not one for one in also)]
        self.claimed = claimed
        if assumed:
            self.assumed.append(assumed)
        self.behind |= {name: item for item in assumed for name in _bounded(item)}
        self._asked_once(assumed)

    def _asked_once(self, ranges: Sequence[Any]) -> None:
        """Refuses "A, x >= 1/2 for x in [0, 1]": what has an interval of its own may be claimed as well."""
        names: list[str] = []
        for item in ranges:
            if isinstance(item, Token):
                continue
            sides, links = _sides(item)
            names.append(plain_name(sides[0]))
            inside = [c.data for link in links for c in link.children if isinstance(c, Tree) and link.data == "member"]
            if again := self.behind.keys() & set(names if "interval" in inside else ()):
                why = "is this part claimed or assumed? Write 'and' or 'when' before it"
                raise refuse(why, self.behind[min(again)])
            names = [] if links else names


def _ranged(lists: Sequence[list[Any]]) -> set[str]:
    """The names that have a range in lists."""
    ranges = [item for listed in lists for item in _items(listed) if _is_range(item) and _sides(item)[1]]
    return {name for item in ranges for side in _sides(item)[0] if (name := plain_name(side))}


def _printed(node: Any) -> str:
    return "".join(map(str, node.scan_values(lambda t: isinstance(t, Token))))


def _begins(listed: list[Any], leads: Sequence[tuple[Any, list[Any]]]) -> bool:
    """Whether a claim stands behind the comma in "as n -> inf, A", before which there are only ranges."""
    if len(listed) < 3 or listed[1].type != "COMMA":
        return False
    before = [i for _, items in leads for i in _items(items)]
    goes = [_sides(i)[1][-1:] for i in (*before, listed[2])]
    only_ranges = all(map(_is_range, before)) and not any(link and link[0].data == "goes" for link in goes[:-1])
    return only_ranges and not (goes[-1] and goes[-1][0].data == "goes" and plain_name(_sides(listed[2])[0][0]))


def _sides(item: Any) -> tuple[list[Any], list[Any]]:
    inner = _without_marks(item)
    return [inner[0], *(link.children[1] for link in inner[1:] if link.data == "compare")], inner[1:]


def _is_range(item: Any) -> bool:
    """x > 0, 0 < x <= 1, x in [0, 1], a name alone, h -> 0: what can only be an assumption behind a claim."""
    sides, links = _sides(item)
    if not links:
        return bool(plain_name(sides[0])) or sentence_in_brackets(sides[0]) is not None
    if any(link.data in ("member", "goes") for link in links):
        return all(link.data != "shaped" for link in links)
    if any(link.data != "compare" for link in links):
        return all(link.data in ("compare", "dots") for link in links)
    names = [s for s in sides if plain_name(s.children[1] if _is_bars(s) else s) not in ("", *CONSTANTS)]
    return len(names) >= 1 and all(s in names or not _has_names(s) for s in sides) and not _is_definition(item)


def _bounded(item: Any) -> list[str]:
    """The name that is compared with numbers alone, as in x >= 1/2."""
    sides, links = _sides(item)
    names = [name for side in sides if (name := plain_name(side)) not in ("", *CONSTANTS)]
    plain = bool(links) and all(link.data == "compare" and link.children[0] != "!=" for link in links)
    return names if plain and len(names) == 1 and sum(map(_has_names, sides)) == 1 else []


def _joined(listed: list[Any], strict: bool) -> Any:
    """The last part of a list of ranges behind a claim, if it may be a claim too: no "x in ...", and behind a range."""
    is_set = any(isinstance(c, Tree) and c.data == "member" for c in listed[-1].children)
    ranged = any(_sides(c)[1] for c in listed[:-1] if isinstance(c, Tree))
    named = not strict and not ranged and _is_range(listed[-1])  # "x, y >= 0"
    return None if is_set or named or len(listed) == 1 or not _sides(listed[-1])[1] else listed[-1]


def _is_bars(node: Any) -> bool:
    """|x|"""
    return isinstance(node, Tree) and node.data == "abs" and bool(plain_name(node.children[1]))


def _names_of(node: Any) -> set[str]:
    """The names in a part of a sentence."""
    return {str(t) for t in _tokens_of(node) if t.type == "NAME" and t not in CONSTANTS}


def _stems(node: Any) -> set[str]:
    """The names in a part of a sentence, without their indexes."""
    return {name.split("_")[0] for name in _names_of(node)}


def _together(listed: list[Any]) -> list[set[str]]:
    """The names of a list that have one range together: n and m of "integers n, m >= 1, real z", and z."""
    groups, names, marked = list[set[str]](), set[str](), False
    for item in _items(listed):
        kinds = {t.type for t in _tokens_of(item)} & {"MARK", "SIGN", "IN"}
        if marked and kinds & {"MARK", "IN"}:
            groups, names = [*groups, names], set()
        names, marked = names | _stems(item), kinds == {"MARK"}
        if kinds & {"SIGN", "IN"}:
            groups, names = [*groups, names], set()
    return [*groups, names] if marked or not groups else [*groups[:-1], groups[-1] | names]


def _only_ranges(item: Any) -> bool:
    return _is_range(item) or _is_definition(item)


def _is_condition(item: Any) -> bool:
    """A comparison of a name with a formula."""
    sides, links = _sides(item)
    pairs = zip(sides, sides[1:], strict=False)
    return all(link.data == "compare" for link in links) and all(plain_name(a) or plain_name(b) for a, b in pairs)


def _is_assumed(item: Any) -> bool:
    """Whether a part behind ranges can only be an assumption."""
    return _is_range(item) or _is_condition(item) or _is_definition(item) or _sums_to_a_number(item)


def _sums_to_a_number(item: Any) -> bool:
    """p + q + r = 1 and p + q < 1"""
    sides, links = _sides(item)
    if len(sides) != 2 or links[0].data != "compare" or _has_names(sides[1]):
        return False
    terms = sides[0].children[::2] if isinstance(sides[0], Tree) and sides[0].data == "sum" else []
    return len(terms) > 1 and all(map(plain_name, terms))


def _conjugates(c: Sentence) -> Sequence[str]:
    """p and q of 1/p + 1/q = 1, of which one tells the other."""
    match c:
        case Compare(Expression("add", (Expression("div", (one, p)), Expression("div", (other, q)))), "==", right):
            if one == other == right == ONE and p.head == q.head == "var":
                return p.args[0], q.args[0]
    return ()


def _is_conjugate(item: Any) -> bool:
    """1/p + 1/q = 1, as it stands behind what holds of conjugate exponents."""
    return (
        re.fullmatch(
            r"(?:\\frac\{1\}\{(\w+)\}|1/(\w+))\+(?:\\frac\{1\}\{(\w+)\}|1/(\w+))==1",
            _printed(item).replace("\\tfrac", "\\frac"),
        )
        is not None
    )


def _is_definition(item: Any) -> bool:
    sides, links = _sides(item)
    if len(links) != 1 or links[0].data != "compare" or links[0].children[0] != "==":
        return False
    return bool(plain_name(sides[0]) or called_names(sides[0])[0] or squared_name(sides[0]))


def _behind_definition(listed: list[Any]) -> list[Any]:
    """What stands behind a first part that says what a function of it is; nothing where it says something else."""
    rest = list(dropwhile(lambda item: isinstance(item, Token), listed[1:]))
    return rest if rest and _defines(listed[0], rest[0]) else []


def _defines(item: Any, after: Any) -> bool:
    """Whether a part says what a function is that stands in the part behind it: "f(x) = x^2, f(x) <= 1"."""
    sides, links = _sides(item)
    name, parameters = called_names(sides[0])
    used = any(t == name for t in _tokens_of(after))
    return bool(parameters) and used and [str(link.children[0]) for link in links] == ["=="]


def _without_numbers(listed: list[Any], scope: Scope) -> list[Any]:
    """Assumptions without what quantity a variable is the value of: "h = H^2(P, Q) in [0, 2]" is "h in [0, 2]"."""
    kept: list[Any] = []
    for item in listed:
        names: list[str] = [] if isinstance(item, Token) else [plain_name(side) for side in _sides(item)[0]]
        at = next((i for i, name in enumerate(names) if re.fullmatch(NUMBER, name)), -1)
        if isinstance(item, Token) or at < 0 or len(names) != 2 or not names[1 - at]:
            kept.append(item)
            continue
        scope.numbers[names[1 - at]] = names[at]
        kept += [_without_side(item, at)] * (len(item.children) > 2)
    return kept


def _is_chain(item: Any) -> bool:
    """Whether a claim compares three formulas or more, or a property is claimed behind an equation."""
    sides, links = _sides(item)
    shaped = len(sides) == 2 and [link.data for link in links[:2]] == ["compare", "shaped"]
    return shaped or 2 < len(sides) == len(item.children)


def _without_side(item: Any, i: int) -> Any:
    """A chain without one of its sides, which a sign of equality joins to another; None where none does."""
    sides, links = _sides(item)
    equal = [link.data == "compare" and link.children[0] == "==" for link in links]
    if i and equal[i - 1]:
        return Tree("item", [sides[0], *links[: i - 1], *links[i:]])
    if i >= len(links) or not equal[i]:
        return None
    first = (
        [sides[1]] if not i else [sides[0], *links[: i - 1], Tree("compare", [links[i - 1].children[0], sides[i + 1]])]
    )
    return Tree("item", [*first, *links[i + 1 :]])


def _has_names(node: Any) -> bool:
    return any(t.type == "NAME" and t not in CONSTANTS for t in _tokens_of(node))


def _tokens_of(node: Any) -> Iterable[Any]:
    return [node] if isinstance(node, Token) else node.scan_values(lambda t: isinstance(t, Token))


class _Statement:
    """Puts the parts together."""

    def __init__(self, parts: _Parts, scope: Scope, assume: Assumptions) -> None:
        self.parts, self.scope, self.assume = parts, scope, assume

    def reading(self) -> Reading:
        parts, assume = self.parts, self.assume
        claimed = [self._without_aside(self._without_definition(self._with_argument(c))) for c in parts.claimed]
        other = None if parts.other_side is None else [self._without_aside(c) for c in parts.other_side]
        for listed in parts.limits:
            if reason := next((i for i in _items(listed) if {k.data for k in _sides(i)[1]} == {"compare"}), None):
                raise refuse("is this part claimed or assumed? Write 'and' or 'when' before it", reason)
            assume.list(Tree("items", listed))
        wanted = self._existing()
        if wanted:
            self.scope = within(self.scope, wanted[0])
        for where in parts.on:
            self._on(where, claimed)
        sentence = self._all(claimed) if parts.attained is None else self._attained(claimed[0], *parts.attained)
        if assume.goes and not any(isinstance(s, Limit | Order) for s in _parts_of(sentence)):
            raise Unread(
                f"what holds as {assume.goes[0]} goes there? Write a limit, O(...), or a range", assume.goes[0]
            )
        if parts.equality is not None:
            sentence = self._with_equality(sentence, parts.equality[0])
        if other is not None:
            sentence = Iff(sentence, self._all(other))
        return self.closed(sentence, wanted)

    def _with_equality(self, sentence: Sentence, item: Any) -> Sentence:
        """A <= B, with equality just where an equation holds."""
        where = self._claim(item)
        if not isinstance(sentence, Compare) or sentence.sign not in ("<=", ">="):
            raise refuse("of which two sides is the equality? One comparison by <= or >= is expected before it", item)
        if not isinstance(where, Compare) or where.sign != "==":
            raise refuse("where equality holds is an equation, such as x = 0", item)
        return All((sentence, Iff(replace(sentence, sign="=="), where)))

    def _attained(self, item: Any, bound: str, where: Any) -> Sentence:
        """sup f = v, attained at x = a: the formula is v at a, which lies in the range of x; or sup f by itself.

        `bound`: "sup" or "inf" where words behind the formula f say of which it is, in the range that x has.
        """
        (at, *_), equation = _sides(where)
        name = plain_name(at)
        if not name or [str(e.children[0]) for e in equation if e.data == "compare"] != ["=="]:
            raise refuse("where it is attained is an equation of its variable: x = 1/2", where)
        sides, links = _sides(item)
        built, place = [expression(side, self.scope) for side in sides], expression(equation[0].children[1], self.scope)
        if bound in ("sup", "inf"):
            built = [Expression(bound, (name, self._over(name, place), *built))]
        of = next((e for e in built if e.head in ("sup", "inf") and e.args[0] == name), None)
        printed = self._claim(item) if links else None
        if of is None or len(built) > 1 and not (isinstance(printed, Compare) and printed.sign == "=="):
            raise refuse("what is attained is a supremum, infimum, maximum or minimum: sup(f, x in [0, 1]) = v", item)
        _, over, body = of.args
        (value,) = [e for e in built if e is not of] or [of]
        inside = [*lies_in(place, over), *([Compare(call("floor", place), "==", place)] if over.integer else [])]
        return All((*([printed] if printed else ()), Compare(value, "==", put(body, {name: place})), *inside))

    def _over(self, name: str, place: Expression) -> Range:
        """The range of a variable, which is one of a supremum from now on."""
        if name not in self.assume.bounds:
            raise Unread(NO_RANGE.format(name), name)
        bounds = self.assume.bounds[name]
        bounds.real = bounds.real or not bounds.integer and (bool(list(names_in(place))) or constant(place) % 1 != 0)
        over = self.assume.range_of(name)
        del self.assume.bounds[name]
        return over

    def _without_definition(self, item: Any) -> Any:
        """f(x) = x^2 <= 1: what f is, and a comparison of it; a claim where f is defined before, also of its slope."""
        item = self._without_names(item)
        sides, links = _sides(item)
        if (
            len(sides) < 3
            or called_names(sides[0])[0].rstrip("'") in self.scope.functions
            or any(link.data == "shaped" for link in links)
            or not self.assume._defined(sides[0], links[:1])
        ):
            return item
        name, parameters = called_names(sides[0])
        if name:
            self.scope.say(f"the first equation says what {name}({', '.join(parameters)}) is")
        marks: list[Any] = [c for c in item.children if isinstance(c, Token)]
        return Tree("item", [*marks, sides[1], *links[1:]])

    def _without_names(self, item: Any) -> Any:
        """A <= B of "g = A <= B" and "A <= g = B", where g is new; "A is convex" of "g = A is convex"."""
        while _is_chain(item) and self.parts.exists is None and self.parts.other_side is None:
            sides = _sides(item)[0]
            new = [i for i, side in enumerate(sides) if self._is_new(side) and _without_side(item, i) is not None]
            if not new:
                break
            name, item = plain_name(sides[new[0]]), _without_side(item, new[0])
            self.scope.say(f"{name} is taken for what it is printed equal to: that equation is not judged")
        return item

    def _with_argument(self, item: Any) -> Any:
        """f(x) is positive, where f is, and x is its letter."""
        _, body = self.scope.functions.get(plain_name(item.children[0]), ((), None))
        marked = body is not None and all(c in SIGN_OF for c in item.children[1:])
        return Tree("item", [body, *item.children[1:]]) if marked else item

    def _is_new(self, side: Any) -> bool:
        """Whether a name has no range, stands nowhere else, and is no other spelling of one that has."""
        name, assume = plain_name(side), self.assume
        given = {*assume.bounds, *assume.values, *assume.related, *assume.implied, *self.scope.known, *CONSTANTS}
        if not name or name in given or self.parts.count(name) > 1 or name == "gamma" and self.parts.sums:
            return False
        spare = [other for other in self.scope.known if not self.parts.count(other)]
        return not any(_alike(name, other) or _starts(name, other) for other in spare)

    def _without_aside(self, item: Any) -> Any:
        """f -> L (n -> inf): what stands in brackets behind the claim is assumed."""
        last = item.children[-1]
        above: Any = item
        holder: Any = item
        while isinstance(last, Tree) and last.data in ("compare", "goes", "run", "term", "sum", "item"):
            above, holder, last = holder, last, last.children[-1]
        aside = sentence_in_brackets(last)
        if aside is None or holder.data != "run":
            return item
        holder.children.pop()
        if len(holder.children) == 1:
            above.children[-1] = holder.children[0]
        self.assume.list(aside)
        return item

    def _existing(self) -> tuple[str, Range] | None:
        if self.parts.exists is None:
            return None
        given = Assumptions(self.scope)
        items = _items(self.parts.exists)
        for item in items:
            given.add(item)
        for node, marks in given.waiting:
            given._mark(plain_name(node), [*marks, "real"])
        given.waiting = []
        name, r = given.only(items[0])
        told = given.of(name)
        if told.by_sign and not told.real and not told.integer and is_count(name):
            raise refuse(f"is {name} a whole number or a real one? Write integer {name} or real {name}", items[0])
        if self.parts.positive and r.low != ZERO:
            given.of(name).above(ZERO, True)
            name, r = given.only(items[0])
        return name, r

    def _on(self, where: Any, claimed: Sequence[Any]) -> None:
        """ "on (0, 1)": the range of the variable of a property, or of the only one that has no range yet."""
        if (
            len(claimed) == 1
            and any(k.data == "shaped" for k in _sides(claimed[0])[1])
            and (pair := self._pair(claimed[0]))
        ):
            if where.data == "product":
                return self.assume.in_product(pair, where)
            power = next((c for c in where.children if isinstance(c, Tree) and c.data == "power"), None)
            if power is None or exponent(power, self.scope) != number(2):
                raise refuse("the range of two variables is (0, 1)^2 or (0, 1) x R: or write 'for x in'", where)
            for name in pair:
                self.assume.inside(name, Tree(where.data, [c for c in where.children if c is not power]), [])
            return
        name = next((n for c in claimed if (n := self._shaped_name(c))), "")
        if not name:
            used = {n for c in claimed for side in _sides(c)[0] for n in names_in(expression(side, self.scope))}
            names = used - self.assume.bounds.keys() - self.assume.values.keys()
            name = names.pop() if len(names) == 1 else ""
        if not name:
            raise refuse("whose range is this? Write 'for x in'", where)
        self.assume.inside(name, where, [])

    def _shaped_name(self, item: Any) -> str:
        """The variable in which a claim is increasing or convex."""
        links = _sides(item)[1]
        if not any(link.data == "shaped" for link in links):
            return ""
        for link in links:
            if link.data == "member":
                marks = [str(c) for c in link.children if isinstance(c, Token) and c.type == "MARK"]
                where = next((c for c in link.children if isinstance(c, Tree)), None)
                if where is None or where.data != "named" or len(where.children) != 1:
                    raise refuse("a variable is expected behind 'in'", link)
                name = str(where.children[0])
                if marks:
                    self.assume._mark(name, marks)
                return name
        body, parameters, _ = self._property(item)
        names = parameters or dict.fromkeys(n for n in names_in(expression(body, self.scope)))
        if len(names) != 1:
            raise refuse("in which variable? Write 'is increasing in x'", body)
        return next(iter(names))

    def _all(self, items: Sequence[Any]) -> Sentence:
        claims = [self._claim(i) for i in items]
        parts = [p for c in claims for p in (c.parts if isinstance(c, All) else [c])]
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _claim(self, item: Any) -> Sentence:
        sides, links = _sides(item)
        first = sides[0]
        if mark := next((c for c in item.children if isinstance(c, Token) and c.type == "MARK"), None):
            if not links and mark in vectors.DEFINITE:
                minors = vectors.in_order(first, vectors.DEFINITE[mark], Token("NUMBER", "0"), item, self.scope)
                for entry in names_in(tuple(minors)):
                    self.assume.of(entry).real = True
                return All(tuple(minors))
            if not links and mark in SIGN_OF and item.children[-1] is mark:
                return Compare(expression(first, self.scope), SIGN_OF[mark], ZERO)
            raise refuse(f"{str(mark)!r} claims nothing that is read: write a comparison", mark)
        if limit := latex_building.as_limit(first):
            return self._printed_limit(limit, links, item)
        if not links:
            if inner := sentence_in_brackets(first):
                return self._all(_items(inner))
            raise refuse("nothing is claimed of this formula: a comparison is missing", first)
        kinds = [link.data for link in links]
        if "shaped" in kinds:
            return self._shape(item)
        if kinds == ["goes"]:
            return self._limit(expression(first, self.scope), links[0])
        if kinds == ["compare"]:
            if order := self._order(first, links[0]):
                return order
        if any(k != "compare" for k in kinds):
            return self._mixed(item, first, links)
        if links[0].children[0] in LOEWNER:
            return self._semidefinite(sides, links, item)
        built = [expression(s, self.scope) for s in sides]
        signs = [str(link.children[0]) for link in links]
        if sign := next((s for s in signs if s not in SIGNS), ""):
            raise refuse(f"{sign} stands alone: one side before it and one behind it", links[signs.index(sign)])
        if self.scope.tex and {s[0] for s in signs} >= {"<", ">"}:
            raise refuse("a chain that turns round: write a comma before a range", links[-1])
        chain = [Compare(a, s, b) for a, s, b in zip(built, signs, built[1:], strict=False)]
        if len(chain) > 1 and signs[0] == "==" and _is_divergence(built[0]) and not any(map(_is_divergence, built[1:])):
            asked = "is the first equation claimed, or does it say what d_epsilon is? Leave out what is not claimed"
            if told := _is_defined(*built[:2]):
                self.scope.say("the first equation says what d_epsilon is")
            told = told or self.scope.defines
            chain = chain[1 if told else which(asked, first_token(first), place(first), 2) :]
        pairs: list[Sentence] = [*chain]
        if any(QUANTILE in repr(side) for side in built):
            pairs = [part for pair in chain for part in solved(pair, item, self.scope)]
        return pairs[0] if len(pairs) == 1 else All(tuple(pairs))

    def _semidefinite(self, sides: Sequence[Any], links: Sequence[Any], item: Any) -> Sentence:
        """A - B is positive semidefinite."""
        if len(links) != 1:
            raise refuse("the order of matrices stands alone: one side before it and one behind it", links[1])
        return All(tuple(vectors.in_order(sides[0], str(links[0].children[0]), sides[1], item, self.scope)))

    def _mixed(self, item: Any, first: Any, links: Sequence[Any]) -> Sentence:
        if len(links) == 1 and links[0].data == "member":
            where = next((c for c in links[0].children if isinstance(c, Tree)), None)
            if where is not None and where.data == "interval" and not getattr(where.children[-1], "data", ""):
                ends: list[Any] = where.children[:5]
                opening, low, _, high, closing = ends
                e = expression(first, self.scope)
                below, above = expression(low, self.scope), expression(high, self.scope)
                return All(
                    (
                        Compare(e, ">" if opening.type == "LPAR" else ">=", below),
                        Compare(e, "<" if closing.type == "RPAR" else "<=", above),
                    )
                )
        raise refuse("this is no comparison", links[0])

    def _property(self, item: Any) -> tuple[Any, Sequence[str], Sequence[Any]]:
        """The formula whose property is claimed, the variables of "f(x) = ..." or of a function f, and the property."""
        sides, links = _sides(item)
        if len(sides) == 2 and links[0].data == "compare" and links[0].children[0] == "==":
            name, parameters = called_names(sides[0])
            if name and name not in self.scope.known:
                return sides[1], parameters, links[1:]
            index = plain_name(sides[0]).partition("_")[2]  # a_n = ...
            if index and any(True for _ in sides[1].scan_values(lambda t: t == index)):
                return sides[1], (index,), links[1:]
        if (name := plain_name(sides[0])) in self.scope.functions:
            parameters, body = self.scope.functions[name]
            return body, parameters, links
        if getattr(sides[0], "type", "") in ("NAME", "FUNC"):
            return (*self._applied(sides[0], links), links)
        return sides[0], (), links

    def _applied(self, token: Token, links: Sequence[Any]) -> tuple[Any, Sequence[str]]:
        """The call Phi(x), and x, of a function of one number that is printed without its argument."""
        known = CALLED.get(token, "")
        if known not in OF_ONE_NUMBER or (token == "gamma" and self.scope.tex):
            if links[-1].data == "shaped":
                raise refuse(f"{token} is a letter here: say what {token}(x) is", token)
            return token, ()
        at = next(iter(self.assume.bounds)) if len(self.assume.bounds) == 1 else "x"
        inside = Tree("items", [Tree("item", [Token("NAME", at)])])
        brackets = [Token(kind, sign) for kind, sign in (("LPAR", "("), ("RPAR", ")"))]
        return Tree("call", [Token("CALL", known), brackets[0], inside, brackets[1]]), (at,)

    def _pair(self, item: Any) -> Sequence[str]:
        """The two variables in which a claim is convex, or concave, at once."""
        _, parameters, links = self._property(item)
        words = [str(c) for link in links if link.data == "shaped" for c in link.children if c.type == "SHAPE"]
        if len(words) != 1 or not words[0].endswith(("convex", "concave")):
            return ()
        for link in links if sum(link.data == "member" for link in links) < 2 else ():
            if link.data == "member":
                where = next((c for c in link.children if isinstance(c, Tree)), None)
                if where is None or where.data != "interval" or getattr(where.children[-1], "data", ""):
                    return ()
                pair = [plain_name(c) for c in where.children[1:4:2]]
                return pair if all(pair) else ()
        if len(parameters) == 2:
            return parameters
        if not words[0].startswith("jointly"):
            return ()
        names = dict.fromkeys(names_in(expression(_sides(item)[0][-1], self.scope)))
        if len(names) != 2:
            raise refuse("in which two variables? Write 'is jointly convex in (x, y)'", item)
        return [*names]

    def _jointly(self, item: Any, pair: Sequence[str]) -> Sentence:
        """Convex in two variables at once: the matrix of second derivatives is positive semidefinite."""
        first, _, links = self._property(item)
        if any(c.type == "STRICTLY" for c in links[0].children):
            raise refuse("strict convexity is read in one variable: convex in two, or strictly in each", links[0])
        body, word = expression(first, self.scope), str(links[0].children[-1])
        x, y = pair
        if not {x, y} <= {*names_in(body)}:
            raise refuse(f"{x} and {y} do not both stand in the formula", first)
        if not _is_smooth(body):
            raise refuse("joint convexity is read of formulas that have second derivatives", first)
        for name in pair:
            r = self.assume.bounds.get(name)
            open_ = r is not None and all(
                o or abs(constant(end)) == inf for end, o in ((r.low, r.low_open), (r.high, r.high_open))
            )
            if name in self.assume.related or not open_ or r is None or r.integer:
                raise refuse(f"joint convexity is read on open ranges: write {name} in (0, 1), or another one", item)
        curved = [Curved(body, name, word.endswith("convex")) for name in pair]
        xx, xy, yy = (
            Expression("diff", (Expression("diff", (body, one)), other)) for one, other in ((x, x), (x, y), (y, y))
        )
        self.scope.say(f"jointly in {x} and {y}: the matrix of second derivatives is semidefinite")
        return All((*curved, Compare(binary("mul", xx, yy), ">=", binary("pow", xy, number(2)))))

    def _shape(self, item: Any) -> Sentence:
        if pair := self._pair(item):
            return self._jointly(item, pair)
        first, parameters, links = self._property(item)
        kinds = [link.data for link in links]
        if kinds[:2] == ["shaped", "member"] and kinds[2:] in (["compare"], ["member"]):  # "is increasing in n >= 1"
            self.assume.list(Tree("items", [Tree("item", [*links[1].children[-1].children, links[2]])]))
        elif kinds not in (["shaped"], ["shaped", "member"]):
            raise refuse("a property stands alone: f is increasing in x", links[0])
        words = [str(c) for c in links[0].children if c.type in ("STRICTLY", "SHAPE")]
        name = self._shaped_name(item)
        body = expression(first, self.scope)
        if CALLED.get(name) in OF_ONE_NUMBER and self.parts.on and kinds == ["shaped"]:
            raise refuse(f"{name} is a function: write {name}(x)", first)
        if name not in names_in(body) or (parameters and name not in parameters and kinds == ["shaped"]):
            raise refuse(f"{name} does not stand in the formula", first)
        shapes: list[Sentence] = []
        for before, word in zip(["", *words], words, strict=False):
            strict = before == "strictly"
            if word in ("convex", "concave"):
                shapes.append(Curved(body, name, word == "convex", strict))
            elif word != "strictly":
                shapes.append(Monotone(body, name, word == "increasing", strict))
        return shapes[0] if len(shapes) == 1 else All(tuple(shapes))

    def _goes(self, names: Sequence[str], node: Any) -> tuple[str, Expression, int]:
        if self.assume.goes:
            return self.assume.goes
        counts = [n for n in names if n in self.assume.bounds and self.assume.bounds[n].integer]
        if len(counts) == 1 and self.assume.bounds[counts[0]].high == INFINITY:
            self.scope.say(f"the limit is taken as {counts[0]} -> inf")
            return counts[0], INFINITY, 0
        if len(names) == 1 and names[0] == "n":
            self.scope.say("the limit is taken as n -> inf")
            return "n", INFINITY, 0
        raise refuse("as which variable goes where? Write 'as n -> inf'", node)

    def _limit(self, body: Expression, link: Any) -> Sentence:
        value = expression(link.children[1], self.scope)
        if any(isinstance(c, Token) and c.type == "SIDE" for c in link.children):
            raise refuse("a side stands behind the variable: as x -> 0+", link)
        name, to, side = self._goes(list(dict.fromkeys(names_in(body))), link)
        if body.head == "var" and value == to:
            raise refuse(f"nothing is claimed: this says where {name} goes, and no formula does", link)
        return self._limit_of(body, name, to, value, side)

    def _printed_limit(self, limit: Any, links: Sequence[Any], item: Any) -> Sentence:
        """lim f = L, with what goes where below the sign."""
        below, body = limit
        if [link.data for link in links] != ["compare"] or links[0].children[0] != "==":
            raise refuse("a limit is \\lim_{n\\to\\infty} f = L", item)
        self.assume.list(below)
        if not self.assume.goes:
            raise refuse("what goes where? \\lim_{n\\to\\infty}", item)
        name, to, side = self.assume.goes
        self.assume.goes = None
        return self._limit_of(
            expression(body, self.scope), name, to, expression(links[0].children[1], self.scope), side
        )

    def _limit_of(self, body: Expression, name: str, to: Expression, value: Expression, side: int) -> Sentence:
        for other in (*names_in(body), *names_in(value)):
            if depends(other, [name]):
                raise Unread(f"{other} is one number for each {name}: such a family is not read", other)
        return Limit(body, name, to, value, side)

    def _order(self, first: Any, link: Any) -> Sentence | None:
        sign, right = str(link.children[0]), link.children[1]
        if sign in SIGNS_OF_ORDERS:
            kind = SIGNS_OF_ORDERS[sign]
            left, bound = expression(first, self.scope), expression(right, self.scope)
        elif sign in ("==", "<=", ">=") and (found := order_in(right)) is not None:
            kind, bound = str(found.children[0]), expression(found.children[2], self.scope)
            left, right = expression(first, self.scope), expression(without(right, found), self.scope)
            left, bound = by_itself(left, sign, right, kind, bound, found)
        else:
            return None
        names = dict.fromkeys([*names_in(left), *names_in(bound)])
        if "gamma" not in self.assume.bounds and _has_harmonic(left):
            names.pop("gamma", None)  # Euler's constant
        name, to, side = self._goes(list(names), link)
        return Order(left, kind, bound, name, to, side)

    def closed(self, sentence: Sentence, wanted: tuple[str, Range] | None = None) -> Reading:
        """The reading of a sentence: every variable has a range, every definition is put in."""
        assume, scope = self.assume, self.scope
        printed = tuple(_distinct((*assume.conditions, *scope.intervals)))
        conditions: tuple[Sentence, ...] = tuple(c for c in printed if not _is_zero_log(c))
        zero_log = len(conditions) < len(printed)
        for pair in map(_conjugates, conditions):
            if len(pair) == 2 and len({*pair} - assume.bounds.keys()) == 1:
                assume.related.update(pair)
        values = dict(assume.values)
        for name in list(values):
            if name in assume.bounds or name in assume.related:
                conditions += (Compare(variable(name), "==", values.pop(name)),)
        for _ in range(len(values)):
            values = {k: put(v, {n: w for n, w in values.items() if n != k}) for k, v in values.items()}
            self._small(*values.values())
        for name, value in values.items():
            if set(names_in(value)) & values.keys():
                raise Unread(f"the value of {name} depends on itself", name)
        self._small(sentence)
        for name, value in values.items():
            words = [w for w in (name, *names_in(value)) if _is_word(w) and w not in assume.bounds]
            if words and name not in (*names_in(sentence), *names_in(conditions), *names_in(tuple(values.values()))):
                raise Unread(f"the word {words[0]!r} is not read here", words[0])
        sentence, conditions = put(sentence, values), put(conditions, values)
        self._small(sentence, conditions)
        conditions = tuple(c for c in conditions if not _says_nothing(c))
        if "gamma" not in assume.bounds and _has_harmonic(sentence):
            if "gamma" in names_in((sentence, conditions)):
                scope.say("\\gamma is Euler's constant, 0.577..."[not scope.tex :])
            euler = {"gamma": Expression("const", ("euler",))}
            sentence, conditions = put(sentence, euler), put(conditions, euler)
        limited = {s.name: s.to for s in _parts_of(sentence) if isinstance(s, Limit | Order)}
        from banditproof.verify.judge.formulas.printing import plain, plain_range, said

        used = dict.fromkeys([*names_in(sentence), *names_in(conditions)])
        if wanted and wanted[0] not in names_in(sentence) and self._least(wanted[0], conditions):
            wanted = None  # "there is n_0 such that ... for all n >= n_0"
        if wanted:
            if wanted[0] not in used:
                raise Unread(f"{wanted[0]} does not stand in the statement", wanted[0])
            sentence = Exists(wanted[0], wanted[1], sentence)
            used.pop(wanted[0])
        ranges: dict[str, Range] = {}
        least: dict[str, str] = {}
        twins: list[str] = []
        for name in used:
            if name in assume.bounds:
                if name in assume.implied:
                    assume.take_implied(name)
                ranges[name] = assume.range_of(name)
            elif twin := self._twin(name, used):
                ranges[name] = assume.range_of(twin)
                scope.say(f"{twin} is another spelling of {name}: its range is that of {name}")
                twins.append(twin)
            elif name in limited:
                if name in scope.integers and limited[name] == INFINITY:
                    scope.say(f"{name} is a whole number")
                    ranges[name] = Range(ONE, INFINITY, integer=True, high_open=True)
            elif name in assume.implied:
                assume.take_implied(name)
                ranges[name] = assume.range_of(name)
            elif name in names_in(tuple(scope.intervals)):
                ranges[name] = _ANY
            elif (
                r := _usual(sentence, name, assume) or self._of_a_law(name) or self._of_kl(name, sentence)
            ) is not None:
                ranges[name] = r
                scope.say(f"{name} has no printed range: {plain_range(name, r)} is taken")
            elif bounded := self._least(name, conditions):
                least[name] = bounded
            elif name not in (*assume.related, *assume.unequal) and (low := _first_of_sum(name, sentence)) is not None:
                ranges[name] = Range(number(low), INFINITY, high_open=True, integer=True)
                scope.say(f"{name} has no printed range: {plain_range(name, ranges[name])} is taken")
            elif name in assume.related or name in assume.unequal:
                if other := next((n for n in used if _alike(n, name)), ""):
                    raise Unread(f"{name} has no range, and {other} is another spelling of it: write one of them", name)
                if any(n in assume.bounds and n not in (*used, *twins) for n in scope.known):
                    raise self._ask(name, used)  # a field may mean it
                assume.of(name)
                ranges[name] = assume.range_of(name)
            elif (
                name in assume.unsaid and not is_count(name) and all(map(_defined_everywhere, (sentence, *conditions)))
            ):
                assume.of(name)
                ranges[name] = assume.range_of(name)
                scope.say(f"{name} is any real number")
            elif not assume.unsaid or name in assume.unsaid and is_count(name):
                ranges[name] = self._unsaid(name, used)
        self._free(ranges)
        for name, node in assume.unsaid.items():
            if name not in ranges or used.keys() - ranges.keys() - least.keys() - limited.keys():
                raise refuse(NO_RANGE.format(name), node)
        for name, bounded in least.items():
            sentence, conditions, ranges = self._from(name, bounded, sentence, conditions, ranges)
        for p in scope.coins.values():
            _of_a_coin(p, ranges)
        if isinstance(sentence, Private):
            for name in {str(p.args[0]) for p in _deltas(sentence)} & ranges.keys():
                if ranges[name] == _POSITIVE:
                    ranges[name] = _BUDGETS["delta"]
                    scope.say(f"{name} is a probability: {plain_range(name, ranges[name])} is taken")
            _can_be(sentence, ranges, conditions)
        if random := {*scope.laws, *scope.coins, *scope.others} & {*assume.bounds, *assume.related, *assume.unequal}:
            raise Unread(f"{min(random)} has a law: a condition on it is not read", min(random))
        for _, variance in scope.laws.values():
            for name in names_in(variance):
                if (r := ranges.get(name)) and (constant(r.low) < 0 or (constant(r.low) == 0 and not r.low_open)):
                    raise Unread(f"the variance of a normal law is positive: write {name} > 0", name)
        for name in assume.bounds:
            if name not in used and name not in twins:
                if _is_word(name) and name not in scope.known:
                    raise Unread(f"the word {name!r} is not read here", name)
                # A letter whose range is printed, and not given beside the text, may be the one that is meant.
                alone = name[0] == "p" or all(n in scope.known for n in used)
                of_pi = name in scope.known and alone and PI in _formulas_in(sentence)
                if of_pi and not any(_starts(n, name) for n in used):
                    why = f"pi is the constant, and {name}, which has a range, does not stand in the formula"
                    raise Unread(f"{why}: if they are one, write {name} for pi", name)
                scope.say(f"{name} does not stand in the statement: its range is left out")
        order = [n for n in assume.bounds if n in ranges]
        others = [n for n in (wanted[:1] if wanted else ranges) if n != assume.large]
        if assume.large and others:
            raise Unread(
                f"how large {assume.large} is may depend on {others[0]}, or not: write for all n >= n_0", others[0]
            )
        ranges = {n: ranges[n] for n in [*order, *(n for n in ranges if n not in order)]}
        if scope.kl_is_printed and not zero_log:
            _inside_of_kl(sentence, ranges)
        for e in zero_powers((sentence, conditions), ranges):
            scope.say(f"0^0 is 1, where {plain(e)} comes to that")
        text = said(sentence, ranges, conditions)
        if QUANTILE in text:
            raise Unread("Phi^-1 is read in comparisons that can be solved for it", "Phi")
        return Reading(sentence, ranges, conditions, text, "", tuple(scope.assumed), zero_log)

    def _free(self, ranges: Mapping[str, Range]) -> None:
        """Refuses the value of a quantity beside other variables than counts: one of them may say more of the other."""
        numbers = self.scope.numbers
        for name, quantity in numbers.items():
            if other := next((n for n, r in ranges.items() if n != name and not r.integer), ""):
                raise Unread(f"{name} is {quantity}, which is not read: is it free beside {other}?", name)
            self.scope.say(f"{name} is any number of its range, as {quantity} may be")

    def _small(self, *what: Any) -> None:
        for e in what:
            size, depth = _measure(e)
            if size > LARGEST or depth > STEEPEST:
                raise Unread("the statement is too large, or nested too deep, to be read")

    def _least(self, name: str, conditions: Sequence[Sentence]) -> str:
        """n, if the only thing printed of the name is that n >= name."""
        if name in self.assume.in_sets:
            return ""
        for c in conditions:
            if isinstance(c, Compare) and c.right == variable(name) and c.left.head == "var":
                if sum(n == name for n in names_in(tuple(conditions))) == 1 and c.sign in (">", ">="):
                    return str(c.left.args[0])
        return ""

    def _from(
        self, name: str, bounded: str, sentence: Sentence, conditions: tuple[Sentence, ...], ranges: dict[str, Range]
    ) -> Any:
        """ "for all n >= n_0" asks for n_0."""
        at = next(i for i, c in enumerate(conditions) if isinstance(c, Compare) and c.right == variable(name))
        c = conditions[at]
        assert isinstance(c, Compare)
        if name in names_in(sentence):
            raise self._ask(name, ranges)
        r = ranges.get(bounded) or Range(Expression("neg", (INFINITY,)), INFINITY, True, True)
        if not r.integer and self.assume.bounds.get(bounded) and not self.assume.bounds[bounded].real:
            if bounded in COUNTS:
                self.scope.say(f"{bounded} is a whole number from 1 on (write real {bounded} if it is not)")
                r = Range(Expression("num", (ZERO.args[0] + 1,)), INFINITY, False, True, True)
        ranges[bounded] = Range(variable(name), r.high, c.sign == ">", r.high_open, r.integer)
        return Exists(name, r, sentence, "least"), (*conditions[:at], *conditions[at + 1 :]), ranges

    def _twin(self, name: str, used: Iterable[str]) -> str:
        """The one name with a range that no formula has, if it is another spelling of the same Greek letter.

        In a field of ranges this may be the initial: all that is named there stands in the formula.
        """
        given = [other for other in self.assume.bounds if _alike(name, other)]
        free = [n for n in used if n not in self.assume.bounds]
        spare = [other for other in self.scope.known if other in self.assume.bounds and other not in used]
        given += [other for other in spare if [n for n in free if _starts(n, other)] == [name]]
        return given[0] if len(given) == 1 and not any(_alike(other, name) for other in used) else ""

    def _unsaid(self, name: str, used: Container[str]) -> Range:
        """The range of a variable that has none printed: each of the usual ones is a reading. Raises what is asked."""
        from banditproof.verify.judge.formulas.printing import plain_range

        asked = self._ask(name, used)
        random = name in (*self.scope.laws, *self.scope.coins, *self.scope.others)
        if self.assume.bounds or random or not _VARIABLE.fullmatch(name) or name in self.scope.called:
            raise asked
        k = which(str(asked), name, -1, len(USUAL), of="ranges that are not printed")
        found = (USUAL[k], USUAL_COUNTS[k])[name[0] in COUNTS]
        self.scope.say(f"no range is printed: {plain_range(name, found)}")
        return found

    def _of_a_law(self, name: str) -> Range | None:
        """The range of a mean, or of the variance, of a normal law that has none."""
        if name in self.assume.related:
            return None
        if any(name in names_in(variance) for _, variance in self.scope.laws.values()):
            return _POSITIVE
        for kind, parameters in self.scope.others.values():
            if variable(name) not in parameters or kind in ("U", "Rad"):
                continue
            if kind in ("Bin", "ChiSquare") and variable(name) == parameters[0]:
                return Range(ONE, INFINITY, high_open=True, integer=True)
            return Range(ZERO, ONE, kind == "Geom", False) if kind in ("Bin", "Geom") else _POSITIVE
        if variable(name) in self.scope.coins.values():
            return Range(ZERO, ONE)
        means = [mean for mean, _ in self.scope.laws.values()]
        return Range(negative(INFINITY), INFINITY, True, True) if variable(name) in means else None

    def _of_kl(self, name: str, sentence: Sentence) -> Range | None:
        """The range of an argument of kl of which nothing is printed."""
        given = self.assume.bounds
        bare = [n for n in self.assume.related if n not in given or given[n].endless()]  # "p < q" alone is no range
        of = (sentence, *self.assume.conditions)
        found = None if any(_argument_of_kl(n, of) for n in bare) else _argument_of_kl(name, of)
        if found and name.isupper():
            raise Unread(
                f"{name} stands for a law here: divergences are read of two numbers, which are Bernoulli means, such as"
                " kl(p, q), and of laws that are named, such as N(0, 1)",
                name,
            )
        return found

    def _ask(self, name: str, used: Container[str]) -> Unread:
        from banditproof.verify.judge.formulas.printing import plain_range

        if len(name) > 1 and name.isalpha() and all(c in self.assume.bounds for c in name):
            product = " ".join(name)
            return Unread(f"{name} is one name here, and has no range: write {product} for the product", name)
        if name in (*self.scope.laws, *self.scope.coins, *self.scope.others):
            return Unread(f"{name} is random: write P(...) for a probability, or E[...] for a mean")
        if (x := self.scope.called.get(name)) is not None:
            return Unread(
                f"what is {name}({x})? Add 'where {name}({x}) = ...', or write {name}*{x} for a product", name
            )
        hint = _HINTS.get(name.split("_")[0], "")
        if _is_word(name):
            why = f"{name} is a word, and has no range: write the formula that it stands for,"
            return Unread(f"{why} or for a variable 'for {name} in [0, 1]'{hint}", name)
        spare = next((n for n in self.assume.bounds if n not in used), "")
        stem = re.split("[_']", name)[0]
        if spare and not hint and (len(stem) == 1 or stem.lower() in (*GREEK, "eps")):
            told = plain_range(name, r := self.assume.range_of(spare))
            of = f"{'integer in ' * r.integer}{told.partition(' in ')[2]}"
            option = f"--where '{name}={of}', in Python where={{{name!r}: {of!r}}}"
            instead = option if spare in self.scope.known else f"'for {told}'"
            why = f"{name} has no range, and {spare}, which has one, does not stand in the formula"
            return Unread(f"{why}: if they are one, write {instead}", name)
        return Unread(f"{name} has no range: add for example 'for {name} in [0, 1]'{hint}", name)


def _alike(name: str, other: str) -> bool:
    """Whether two names are two spellings of one, such as eps_1 and epsilon_1."""
    return name != other and any(_in_shape(name, group) == _in_shape(other, group) != "" for group in ALIKE)


def _starts(name: str, initial: str) -> bool:
    """Whether a letter is the initial of a Greek one, such as D of Delta and m_1 of mu_1."""
    (stem, _, index), (letter, _, other) = name.partition("_"), initial.partition("_")
    return len(letter) == 1 and stem[0] == letter and stem.lower() in GREEK and index == other


def _in_shape(name: str, group: Sequence[str]) -> str:
    """A name with the first shape of its letter; nothing for other letters."""
    stem = re.split("[_']", name)[0]
    return group[0] + name.removeprefix(stem) if stem in group else ""


def _first_of_sum(name: str, of: Any) -> int | None:
    """The first index of the sums and products whose last one has this name."""
    if isinstance(of, Expression) and of.head in ("sum", "prod") and of.args[2] == variable(name):
        low = constant(of.args[1]) if not list(names_in(of.args[1])) else inf
        return int(low) if low in (0.0, 1.0, 2.0) else None
    parts = of.args if isinstance(of, Expression) else vars(of).values() if isinstance(of, Sentence) else of
    inside = (p for p in parts if isinstance(p, Expression | Sentence | tuple)) if not isinstance(parts, str) else ()
    return next((first for p in inside if (first := _first_of_sum(name, p)) is not None), None)


def _argument_of_kl(name: str, of: Any) -> Range | None:
    """The range of an argument of kl that has none: [0, 1], and (0, 1) for a second argument."""
    if isinstance(of, Expression) and of.head == "call" and of.args[0] == "kl":
        if variable(name) in of.args[1:]:
            return Range(ZERO, ONE, *[of.args[2] == variable(name)] * 2)
    parts = of.args if isinstance(of, Expression) else vars(of).values() if isinstance(of, Sentence) else of
    found = [_argument_of_kl(name, p) for p in parts if isinstance(p, Expression | Sentence | tuple)]
    return next((r for r in found if r and r.low_open), next(filter(None, found), None))


def _is_smooth(e: Any) -> bool:
    """Whether a formula has second derivatives inside of its domain, by its functions."""
    if e.head in ("sum", "prod", "inf", "sup", "diff"):
        return False
    if e.head == "call" and e.args[0] not in OF_ONE_NUMBER - {"abs"} | {"kl"}:
        return False
    return all(_is_smooth(a) for a in e.args if isinstance(a, Expression))


def _usual(sentence: Sentence, name: str, assume: Assumptions) -> Range | None:
    """The range of a number of a mechanism that has none: every value that makes sense."""
    if not isinstance(sentence, Private) or _is_word(name):
        return None
    given, usual = sentence.parameters, _BUDGETS.get(name.split("_")[0].rstrip("'0123456789"))
    if sentence.mechanism == "named":
        return usual or _POSITIVE
    for word, least in COUNTED.items():
        if given.get(word) == variable(name):
            return Range(number(least), INFINITY, high_open=True, integer=True)
    if any(name in names_in(given.get(word, ())) for word in ("scale", "deviation", "variance", "sensitivity")):
        return _POSITIVE
    if name in assume.related:
        return None
    if variable(name) in [p.budget.get("alpha") for p in (sentence, given.get("of")) if p]:
        return Range(ONE, INFINITY, True, True)
    return usual


def _deltas(sentence: Private) -> Iterator[Expression]:
    """The variables that are the delta of a promise."""
    promises = (sentence, sentence.parameters.get("of"), *sentence.parameters.get("parts", ()))
    yield from (d for p in promises if p and (d := p.budget.get("delta")) is not None and d.head == "var")


def _can_be(sentence: Private, ranges: Mapping[str, Range], conditions: Iterable[Sentence]) -> None:
    """Refuses numbers of a mechanism that none can have: noise of scale -1, a delta of 2, eps in [-2, -1]."""
    from banditproof.verify.judge.formulas.printing import plain

    given = sentence.parameters
    promises = (sentence, given.get("of"), *given.get("parts", ()))
    numbers = [*given.items(), *(part for p in promises if p for part in p.budget.items())]
    for word, e in numbers:
        if word not in POSSIBLE or not isinstance(e, Expression):
            continue
        least, sign, most = POSSIBLE[word]
        r = ranges.get(e.args[0]) if e.head == "var" else Range(e, e) if not list(names_in(e)) else None
        if r is None:
            continue
        below = [  # "eps > rho", where rho > 0
            ranges[c.right.args[0]].low
            for c in conditions
            if isinstance(c, Compare) and c.sign in (">", ">=") and c.left == e and c.right.args[0] in ranges
        ]
        low, high, alone = max(map(constant, (r.low, *below))), constant(r.high), e.head != "var"
        if low < least or high > most or alone and (low == least and sign == ">" or word in COUNTED and low % 1):
            whole = "whole " if word in COUNTED else ""
            raise Unread(
                f"the {word} of a mechanism is a {whole}number {sign} {least}{f' and <= {most}' * (most < inf)}, and"
                f" {plain(e)} is not seen to be one"
            )


def _is_divergence(e: Expression) -> bool:
    """Whether this is d_epsilon of letters, which papers define from either side."""
    return e.head == "call" and e.args[0] == "d_eps" and all(a.head == "var" for a in e.args[1:])


def _is_defined(e: Expression, by: Expression) -> bool:
    """Whether an infimum is what d_epsilon of these letters means here: of kl(z, y) + epsilon |x - z| over [0, 1]."""
    _, x, y, epsilon = e.args
    if by.head != "inf" or by.args[1] != Range(ZERO, ONE):
        return False
    z = variable(by.args[0])
    far = [binary("mul", epsilon, call("abs", binary("sub", *pair))) for pair in ((x, z), (z, x))]
    near = call("kl", z, y)
    return by.args[2] in [binary("add", *pair) for f in far for pair in ((near, f), (f, near))]


def _of_a_coin(p: Expression, ranges: Mapping[str, Range]) -> None:
    """Refuses p of Ber(p) that is not seen to be a probability."""
    r = ranges.get(p.args[0]) if p.head == "var" else Range(p, p) if not list(names_in(p)) else None
    if r is None or constant(r.low) < 0 or constant(r.high) > 1:
        raise Unread("the p of Ber(p) or Bin(n, p) is a number, or a letter whose printed range lies in [0, 1]")


_VARIABLE = re.compile(rf"(?:[a-zNKT]|eps|{'|'.join(GREEK)})(?:_\w+|'*)")
_ANY = Range(Expression("neg", (INFINITY,)), INFINITY, True, True)
_WHOLE = Range(ONE, INFINITY, False, True, True)
_ABOVE_ONE = Range(ONE, INFINITY, True, True)
# Readings of a range that is not printed, and those of a count in the same reading.
USUAL = _POSITIVE, Range(ZERO, ONE, True, True), _ABOVE_ONE, _WHOLE, _ANY
USUAL_COUNTS = _WHOLE, _WHOLE, _WHOLE, _WHOLE, _POSITIVE
_HINTS = {
    "H": "; a harmonic number is written harmonic(n)",
    "regret": " (banditproof bounds regret knows bounds of it)",
}


def _distinct(conditions: Sequence[Sentence]) -> Iterator[Sentence]:
    """The conditions without those that stand before already, also from right to left."""
    seen: list[Sentence] = []
    for c in conditions:
        turned = Compare(c.right, FLIPPED[c.sign], c.left) if isinstance(c, Compare) and c.sign in FLIPPED else c
        if c not in seen and turned not in seen:
            seen.append(c)
            yield c


def _says_nothing(condition: Sentence) -> bool:
    """Whether a condition is an equation of a sum with itself, such as what a harmonic number is."""
    if not isinstance(condition, Compare) or condition.sign != "==":
        return False
    left, right = condition.left, condition.right
    if left.head == right.head == "sum" and left.args[1:3] == right.args[1:3]:
        return left.args[3] == put(right.args[3], {right.args[0]: variable(left.args[0])})
    return False


def _is_word(name: str) -> bool:
    """Whether a name is rather a word of a sentence."""
    return bool(re.fullmatch(r"[A-Za-z]{3,}", name)) and name.lower() not in (*GREEK, "eps")


def _is_zero_log(condition: Sentence) -> bool:
    """Whether a condition is the convention 0 log 0 = 0, in any base."""
    match condition:
        case Compare(Expression("mul", (Expression() as zero, Expression() as of)), "==", right):
            of = of.args[0] if of.head == "div" else of
            if zero == ZERO and of == Expression("call", ("log", ZERO)):
                if right != ZERO:
                    raise Unread("0 log 0 counts as 0 here: write another convention into the formula")
                return True
    return False


def _inside_of_kl(sentence: Sentence, ranges: Mapping[str, Range]) -> None:
    """Refuses the end 0 or 1 of a range where the text says what kl is, and not that 0 log 0 is 0."""
    for name in set(_in_kl(sentence)) & ranges.keys():
        r = ranges[name]
        if any(end in (ZERO, ONE) and not is_open for end, is_open in ((r.low, r.low_open), (r.high, r.high_open))):
            raise Unread(f"is 0 log 0 counted as 0 in kl, as {name} may be 0 or 1? Write with 0 log(0) = 0", name)


def _formulas_in(e: Any) -> Iterator[Expression]:
    """Every formula of a sentence, and every part of one."""
    if isinstance(e, Expression):
        yield e
    parts = e.args if isinstance(e, Expression) else e if isinstance(e, tuple) else vars(e).values() if e else ()
    for part in parts:
        if isinstance(part, Expression | Sentence | tuple):
            yield from _formulas_in(part)


def _in_kl(e: Any) -> Iterator[str]:
    """The names that stand in what kl is taken of."""
    return (name for f in _formulas_in(e) if f.head == "call" and f.args[0] == "kl" for name in names_in(f))


def _has_harmonic(e: Any) -> bool:
    """Whether a sum of 1/k stands in a sentence, beside which \\gamma is Euler's constant."""
    sums = (f for f in _formulas_in(e) if f.head == "sum")
    return any(f.args[3] == Expression("div", (ONE, variable(f.args[0]))) for f in sums)


def _parts_of(s: Any) -> list[Any]:
    if isinstance(s, All):
        return [q for p in s.parts for q in _parts_of(p)]
    if isinstance(s, Iff):
        return [*_parts_of(s.left), *_parts_of(s.right)]
    return [s]


def _defined_everywhere(s: Any) -> bool:
    """Whether the sides of comparisons have values for all real numbers, by their form."""
    if not isinstance(s, Expression):
        return all(isinstance(c, Compare) and all(map(_defined_everywhere, (c.left, c.right))) for c in _parts_of(s))
    return has_value_for_all(s, lambda e: bool([*names_in(e)]))


def _measure(e: Any) -> tuple[int, int]:
    """The number of nodes and their depth, shared nodes counted as often as they stand."""
    known: dict[int, tuple[int, int]] = {}
    stack: list[tuple[Any, bool]] = [(e, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in known:
            continue
        if isinstance(node, Expression):
            children = [a for a in node.args if isinstance(a, Expression | Range)]
        elif isinstance(node, Range):
            children = [node.low, node.high]
        elif isinstance(node, Sentence):
            children = list(vars(node).values())
        elif isinstance(node, tuple):
            children = list(node)
        elif isinstance(node, Mapping):
            children = list(node.values())
        else:
            known[id(node)] = (0, 0)
            continue
        if ready:
            below = [known[id(c)] for c in children]
            known[id(node)] = (1 + sum(n for n, _ in below), 1 + max((d for _, d in below), default=0))
        else:
            stack.append((node, True))
            stack.extend((c, False) for c in children)
    return known[id(e)]


__all__ = ["build", "called_names", "first_token", "has_links"]
