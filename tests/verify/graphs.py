# SPDX-License-Identifier: Apache-2.0
"""graphs.py - cases of encodings of graphs: eigenvectors up to sign and basis, random walks,
distances, degrees, heat."""

import numpy as np

from case import Case, RIGHT, f32, narrowed
from formulas import graphs
from formulas.numbers import DOUBLE, positions
from kinds import Kind, said, single

GRAPHS = [  # nodes and edges; eigenvalues that are kept do not repeat
    (6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]),
    (7, [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 6), (1, 4), (0, 6)]),
    (8, [(0, 1), (0, 2), (0, 3), (3, 4), (4, 5), (4, 6), (6, 7), (2, 5)]),
    (10, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9), (0, 4), (2, 7)])]
TIED = [(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]),  # a ring, whose eigenvalues repeat
        (5, [(0, 1), (0, 2), (0, 3), (0, 4)])]                   # a star


APART = (7, [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (0, 2)])  # two parts
DTYPES = ["f32", "f32", "f32", "f64", "f16"]


def of(encoding, graphs, **more):
    """Parameters of a claim of one of some graphs."""
    return {"encoding": encoding, "nodes edges": graphs, **more}


class Graphs(Kind):
    def case(self, random, name, p, values, found, repair=None, both=None, write=None, **tensors):
        tensors = {self.out: (write or self.write)(random, values), **tensors}
        return Case("graphs/" + name, {**p, "edges": ";".join("%d,%d" % e for e in p["edges"])},
                    tensors, found, repair)


def noisy(random, values):
    return narrowed(values, random.choice(DTYPES))


def adjacency(p):
    return graphs.adjacency(DOUBLE, p["nodes"], p["edges"], directed=p.get("directed"))


def spectrum(p):
    """Dwivedi and Bresson 2021: eigenvalues and eigenvectors of the smallest ones after the first."""
    values, columns = np.linalg.eigh(graphs.laplacian(DOUBLE, adjacency(p), p.get("laplacian", "sym")))
    drop = p.get("drop", 1)
    return values[drop:drop + p["max_freqs"]], columns[:, drop:drop + p["max_freqs"]]


def vectors(p):
    """Eigenvectors by a norm, their largest entries positive."""
    columns = spectrum(p)[1]
    size = {"abs_max": abs(columns).max(0), "l1": abs(columns).sum(0)}.get(p.get("vector_norm"), 1)
    return graphs.positive(columns / size)


VECTORS = Graphs("graphs", "vectors", vectors, noisy)
VALUES = Graphs("graphs", "eigenvalues", lambda p: spectrum(p)[0], noisy)


def right_vectors(random):
    graph, kind = random.choice(GRAPHS), random.choice(["sym", "none"])
    p = said(random, **of("laplacian-pe", [graph]), max_freqs=[2, 3, 4], laplacian=kind)
    values = noisy(random, vectors(p))
    more = {"eigenvalues": f32(spectrum(p)[0])} if random.choice([False, True]) else {}
    return VECTORS.case(random, "right-vectors", p, values, RIGHT, write=lambda random, v: v, **more)


def right_signs(random):
    """Signs as a solver left them, or random ones of training: another basis of the same spaces."""
    p = said(random, **of("laplacian-pe", GRAPHS), max_freqs=[2, 3, 4])
    signs = np.array([random.choice([-1, 1]) for _ in range(p["max_freqs"])])
    signs[random.choice(range(len(signs)))] = -1
    return VECTORS.case(random, "right-up-to-sign", p, vectors(p) * signs, RIGHT)


def right_basis(random):
    """Two eigenvectors of one eigenvalue, turned in their plane."""
    p, angle = said(random, **of("laplacian-pe", TIED[:1]), max_freqs=2), random.choice([.3, 1.1, 2.5])
    values, columns = spectrum(p)
    assert abs(values[0] - values[1]) < 1e-9
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return VECTORS.case(random, "right-up-to-basis", p, columns @ turn, RIGHT)


# ---- random walks and heat -----------------------------------------------------------------


def walk(p):
    """The walk; a mistake's begins with no steps, or has factors of the dimension of space."""
    values = graphs.walk(DOUBLE, adjacency(p), p["steps"] - p.get("late", 0))
    if p.get("late"):
        return np.concatenate([np.ones((p["nodes"], 1)), values], -1)
    return values * (np.arange(p["steps"]) + 1.0) if p.get("space_dim") else values


def heat(p):
    values, columns = np.linalg.eigh(graphs.laplacian(DOUBLE, adjacency(p), p.get("laplacian", "none")))
    times = np.array(positions(p["times"]), float)
    made = (columns ** 2) @ np.exp(-values[:, None] * times[None])
    return made - 1 / p["nodes"] if p.get("drop_zero") else made


WALK, HEAT = Graphs("graphs", "returns", walk, noisy), Graphs("graphs", "heat", heat, noisy)


def walk_wrong(random):
    """The walk of no steps counted as the first; factors of the dimension of space; or rows that
    are not the nodes'."""
    p = said(random, **of("random-walk-pe", GRAPHS[1:]), steps=6)
    name, found, change, repair = random.choice([
        ("offset", {"position-offset", "times"}, {"late": 1}, None),
        ("space", "space_dim", {"space_dim": 2}, {"space_dim": (2, 0)}),
        ("nodes", "rows-shuffled", {}, None)])
    values = walk({**p, **change})
    values = values[random.order(p["nodes"])] if name == "nodes" else values
    return WALK.case(random, "walk-" + name, p, values, found, repair, write=single)


# ---- distances and degrees -----------------------------------------------------------------


def hops(p):
    d = graphs.distances(DOUBLE, adjacency(p))
    d = np.where(np.isinf(d), p.get("unreachable", -1), d).astype(np.int64)
    return d.T if p.get("turned") else d


HOPS = Graphs("graphs", "hops", hops, lambda random, values: values)


def hops_wrong(random):
    kind = random.choice(["unreachable", "directed", "most", "transposed"])
    p = said(random, **of("shortest-path", [APART if kind == "unreachable" else GRAPHS[3]]))
    change, found, repair = {"directed": 1}, kind, None
    if kind == "unreachable":
        change["unreachable"], p["unreachable"] = random.choice([(510, -1), (-1, 510), (0, -1)])
        change["directed"], repair = 0, {kind: (change[kind], p[kind])}
    elif kind == "directed":
        repair = {"directed": (1, 0)}
    elif kind == "most":
        p["max_distance"], change, found = 2, {}, "max_distance"
    else:
        p["directed"], change = 1, {"turned": 1}
    return HOPS.case(random, "hops-" + kind, p, hops({**p, **change}), found, repair)


def right_degrees(random):
    p = said(random, **of("degree", GRAPHS + TIED))
    degree = adjacency(p).sum(1)
    return DEGREES.case(random, "right-degrees", p, np.stack([degree, degree], -1), RIGHT)


def degrees_wrong(random):
    """In and out exchanged, or counted both ways, in a directed graph."""
    p = said(random, **of("degree", GRAPHS[1:]), directed=1)
    a = adjacency(p)
    both = np.stack([a.sum(0), a.sum(1)], -1)
    name, found, values, repair = random.choice([
        ("directed", "directed", np.repeat(both.sum(1)[:, None], 2, 1), {"directed": (0, 1)}),
        ("exchanged", {"columns-shuffled", "axes-swapped", "transposed", "frequencies-reversed"},
         both[:, ::-1], None)])
    return DEGREES.case(random, "degrees-" + name, p, values, found, repair)


DEGREES = Graphs("graphs", "degrees", None, single)
LAPLACIAN, HEATED = of("laplacian-pe", GRAPHS[1:], max_freqs=4), of(
    "heat-kernel-pe", GRAPHS[1:], times="0.5,1,2")
# Another Laplacian, the constant vector kept, or another norm.
OTHERS = [("laplacian", "laplacian", {"laplacian": "none"}), ("drop", "drop", {"drop": 0})]
ROWS = [right_vectors, right_signs, right_basis,
        VALUES.right("eigenvalues", **of("laplacian-pe", GRAPHS + TIED), max_freqs=4,
                     laplacian=["sym", "none"]),
        WALK.right("walk", **of("random-walk-pe", GRAPHS + TIED), steps=[4, 8, 16]),
        HEAT.right("heat", **of("heat-kernel-pe", GRAPHS + TIED), times="0.5,1,2",
                   laplacian=["none", "sym"]),
        HOPS.right("hops", lambda random, values: values.astype(random.choice(
            [np.int64, np.int32, np.float32])), **of("shortest-path", GRAPHS + TIED + [APART]),
                   unreachable=[(), 510]), right_degrees, right_signs,
        VECTORS.wrong("vectors-", *OTHERS, ("abs-max", "vector_norm", {"vector_norm": "abs_max"}),
                      ("l1", "vector_norm", {"vector_norm": "l1"}), write=single,
                      **dict(LAPLACIAN, max_freqs=3)),
        VALUES.wrong("eigenvalues-", *OTHERS, write=single, **LAPLACIAN), walk_wrong,
        HEAT.wrong("heat-", ("laplacian", "laplacian", {"laplacian": "sym"}),
                   ("times", "times", {"times": "1,2,4"}), ("drop-zero", "drop_zero", {"drop_zero": 1}),
                   write=single, **HEATED), hops_wrong, hops_wrong, degrees_wrong]
