# SPDX-License-Identifier: Apache-2.0
"""conditions.py - says which values of the chart a part of the manifests depends on. A part is known by the
sets of components in whose renderings it stands; the condition is one of a template's `if`."""

# The value that each component is chosen by.
SWITCHES = {"autoscaling": "autoscaling.enabled", "cache": "cache.enabled", "files": "files.enabled",
            "load": "autoscaling.load.enabled", "monitoring": "monitoring.enabled", "network": "network.enabled",
            "priority": "priority.enabled"}


class Inexpressible(Exception):
    """A part depends on components in a way that no condition here says."""


def switch(component):
    return ".Values." + SWITCHES[component]


def joined(word, terms):
    """`or a b`; a term of several words is put in parentheses."""
    terms = sorted(set(terms))
    if len(terms) == 1:
        return terms[0]
    return " ".join([word, *("(%s)" % term if " " in term else term for term in terms)])


def condition(present, among):
    """The condition for a part that stands in the renderings `present` of those `among`, which are sets of
    components; None: it always stands there."""
    present, among = set(present), set(among)
    if present == among:
        return None
    components = sorted(set().union(*among))
    without = [c for c in components if present == {one for one in among if c not in one}]
    if without:
        return "not " + switch(without[0])
    each = [c for c in components if {one for one in among if c in one} <= present]
    # A component that never stands without another one of them adds nothing.
    each = [c for c in each if not any(d != c and all(d in one for one in among if c in one) for d in each)]
    if each and present == {one for one in among if one & set(each)}:
        return joined("or", map(switch, each))
    all_of = frozenset.intersection(*present)
    if present == {one for one in among if all_of <= one}:
        return joined("and", map(switch, all_of))
    raise Inexpressible("no condition says where %s is, of %s" % (sorted(map(sorted, present)), components))


def either(one, other):
    """The condition that one of two holds, each of which may be None."""
    if one is None or other is None:
        return None
    return joined("or", [one, other])
