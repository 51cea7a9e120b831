# SPDX-License-Identifier: Apache-2.0
"""graphs.py - cases of encodings of graphs: eigenvectors up to sign and basis, random walks,
distances, degrees, heat."""

import numpy as np

from case import Case, RIGHT, f32, narrowed

GRAPHS = [  # nodes and edges; eigenvalues that are kept do not repeat
    (6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]),
    (7, [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 6), (1, 4), (0, 6)]),
    (8, [(0, 1), (0, 2), (0, 3), (3, 4), (4, 5), (4, 6), (6, 7), (2, 5)]),
    (10, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9), (0, 4), (2, 7)])]
TIED = [(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]),  # a ring, whose eigenvalues repeat
        (5, [(0, 1), (0, 2), (0, 3), (0, 4)])]                   # a star


def claim_of(encoding, graph, **more):
    nodes, edges = graph
    return {"encoding": encoding, "nodes": nodes, "edges": ";".join("%d,%d" % e for e in edges),
            **more}


def adjacency(graph):
    nodes, edges = graph
    a = np.zeros((nodes, nodes))
    for i, j in edges:
        a[i, j] = a[j, i] = 1
    return a


def laplacian(graph, kind="sym"):
    a = adjacency(graph)
    degree = a.sum(1)
    if kind == "none":
        return np.diag(degree) - a
    root = degree ** -0.5
    return np.eye(len(a)) - root[:, None] * a * root[None]


def vectors(graph, count, kind="sym", drop=1):
    """Dwivedi and Bresson 2021: eigenvectors of the smallest eigenvalues after the first."""
    values, columns = np.linalg.eigh(laplacian(graph, kind))
    return values[drop:drop + count], columns[:, drop:drop + count]


def positive(columns):
    """The entry of the largest size is positive, the first of nearly equal ones."""
    turned = columns.copy()
    for column in turned.T:
        size = abs(column)
        column *= np.sign(column[np.argmax(size > size.max() - 1e-9)])
    return turned


def noisy(random, values):
    return narrowed(values, random.choice(["f32", "f32", "f32", "f64", "f16"]))


def right_vectors(random):
    graph, kind = random.choice(GRAPHS), random.choice(["sym", "none"])
    count = random.choice([2, 3, 4])
    values, columns = vectors(graph, count, kind)
    claim = claim_of("laplacian-pe", graph, max_freqs=count, laplacian=kind)
    tensors = {"vectors": noisy(random, positive(columns))}
    if random.choice([False, True]):
        tensors["eigenvalues"] = f32(values)
    return Case("graphs/right-vectors", claim, tensors, RIGHT)


def right_signs(random):
    """Signs as a solver left them, or random ones of training: another basis of the same spaces."""
    graph, count = random.choice(GRAPHS), random.choice([2, 3, 4])
    _, columns = vectors(graph, count)
    signs = np.array([random.choice([-1, 1]) for _ in range(count)])
    signs[random.choice(range(count))] = -1
    claim = claim_of("laplacian-pe", graph, max_freqs=count)
    return Case("graphs/right-up-to-sign", claim,
                {"vectors": noisy(random, positive(columns) * signs)}, RIGHT)


def right_basis(random):
    """Two eigenvectors of one eigenvalue, turned in their plane."""
    graph, angle = TIED[0], random.choice([0.3, 1.1, 2.5])
    values, columns = vectors(graph, 2)
    assert abs(values[0] - values[1]) < 1e-9
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    claim = claim_of("laplacian-pe", graph, max_freqs=2)
    return Case("graphs/right-up-to-basis", claim, {"vectors": noisy(random, columns @ turn)},
                RIGHT)


def right_eigenvalues(random):
    graph, kind = random.choice(GRAPHS + TIED), random.choice(["sym", "none"])
    values, _ = vectors(graph, 4, kind)
    return Case("graphs/right-eigenvalues", claim_of("laplacian-pe", graph, max_freqs=4,
                                                     laplacian=kind),
                {"eigenvalues": noisy(random, values)}, RIGHT)


def vectors_wrong(random):
    """Another Laplacian, the constant vector kept, or another norm."""
    graph, count = random.choice(GRAPHS[1:]), 3
    _, columns = vectors(graph, count)
    name, found, values = random.choice([
        ("laplacian", {"laplacian"}, vectors(graph, count, "none")[1]),
        ("drop", {"drop"}, vectors(graph, count, drop=0)[1]),
        ("abs-max", {"vector_norm"}, columns / abs(columns).max(0)),
        ("l1", {"vector_norm"}, columns / abs(columns).sum(0))])
    return Case("graphs/vectors-" + name, claim_of("laplacian-pe", graph, max_freqs=count),
                {"vectors": f32(positive(values))}, found)


def eigenvalues_wrong(random):
    graph = random.choice(GRAPHS[1:])
    name, found, values = random.choice([
        ("laplacian", {"laplacian"}, vectors(graph, 4, "none")[0]),
        ("drop", {"drop"}, vectors(graph, 4, drop=0)[0])])
    return Case("graphs/eigenvalues-" + name, claim_of("laplacian-pe", graph, max_freqs=4),
                {"eigenvalues": f32(values)}, found)


# ---- random walks and heat -----------------------------------------------------------------


def walk(graph, steps):
    """Probabilities to be back: the diagonals of the powers of D^-1 A."""
    a = adjacency(graph)
    step, power, columns = a / a.sum(1)[:, None], np.eye(len(a)), []
    for _ in range(steps):
        power = power @ step
        columns.append(np.diag(power))
    return np.stack(columns, -1)


def right_walk(random):
    graph, steps = random.choice(GRAPHS + TIED), random.choice([4, 8, 16])
    return Case("graphs/right-walk", claim_of("random-walk-pe", graph, steps=steps),
                {"returns": noisy(random, walk(graph, steps))}, RIGHT)


def walk_wrong(random):
    """The walk of no steps counted as the first; factors of the dimension of space; or edges of
    one direction."""
    graph, steps = random.choice(GRAPHS[1:]), 6
    kind = random.choice(["offset", "space", "nodes"])
    claim = claim_of("random-walk-pe", graph, steps=steps)
    if kind == "offset":
        values = np.concatenate([np.ones((graph[0], 1)), walk(graph, steps - 1)], -1)
        return Case("graphs/walk-offset", claim, {"returns": f32(values)},
                    {"position-offset", "times"})
    if kind == "space":
        values = walk(graph, steps) * (np.arange(steps) + 1.0)
        return Case("graphs/walk-space", claim, {"returns": f32(values)}, "space_dim",
                    {"space_dim": (2, 0)})
    values = walk(graph, steps)[random.order(graph[0])]
    return Case("graphs/walk-nodes", claim, {"returns": f32(values)}, "rows-shuffled")


def heat(graph, times, kind="none"):
    values, columns = np.linalg.eigh(laplacian(graph, kind))
    return (columns ** 2) @ np.exp(-values[:, None] * np.asarray(times, float)[None])


def right_heat(random):
    graph, kind = random.choice(GRAPHS + TIED), random.choice(["none", "sym"])
    return Case("graphs/right-heat", claim_of("heat-kernel-pe", graph, times="0.5,1,2",
                                              laplacian=kind),
                {"heat": noisy(random, heat(graph, [.5, 1, 2], kind))}, RIGHT)


def heat_wrong(random):
    graph = random.choice(GRAPHS[1:])
    claim = claim_of("heat-kernel-pe", graph, times="0.5,1,2")
    name, found, values = random.choice([
        ("laplacian", {"laplacian"}, heat(graph, [.5, 1, 2], "sym")),
        ("times", {"times"}, heat(graph, [1, 2, 4])),
        ("drop-zero", {"drop_zero"}, heat(graph, [.5, 1, 2]) - 1 / graph[0])])
    return Case("graphs/heat-" + name, claim, {"heat": f32(values)}, found)


# ---- distances and degrees -----------------------------------------------------------------


def hops(graph, unreachable=-1, directed=False):
    nodes, edges = graph
    far = nodes + 1
    d = np.full((nodes, nodes), far)
    np.fill_diagonal(d, 0)
    for i, j in edges:
        d[i, j] = 1
        if not directed:
            d[j, i] = 1
    for k in range(nodes):
        d = np.minimum(d, d[:, k:k + 1] + d[k:k + 1])
    return np.where(d >= far, unreachable, d)


APART = (7, [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (0, 2)])  # two parts


def right_hops(random):
    graph, more = random.choice(GRAPHS + TIED + [APART]), {}
    unreachable = random.choice([-1, 510])
    if unreachable != -1:
        more["unreachable"] = unreachable
    dtype = random.choice([np.int64, np.int32, np.float32])
    return Case("graphs/right-hops", claim_of("shortest-path", graph, **more),
                {"hops": hops(graph, unreachable).astype(dtype)}, RIGHT)


def hops_wrong(random):
    kind, graph = random.choice(["unreachable", "directed", "most", "nodes"]), GRAPHS[3]
    if kind == "unreachable":
        done, meant = random.choice([(510, -1), (-1, 510), (0, -1)])
        return Case("graphs/hops-unreachable", claim_of("shortest-path", APART, unreachable=meant),
                    {"hops": hops(APART, done)}, "unreachable", {"unreachable": (done, meant)})
    if kind == "directed":
        return Case("graphs/hops-directed", claim_of("shortest-path", graph),
                    {"hops": hops(graph, directed=True)}, "directed", {"directed": (1, 0)})
    if kind == "most":
        return Case("graphs/hops-most", claim_of("shortest-path", graph, max_distance=2),
                    {"hops": hops(graph)}, "max_distance")
    return Case("graphs/hops-transposed", claim_of("shortest-path", graph, directed=1),
                {"hops": hops(graph, directed=True).T}, "transposed")


def right_degrees(random):
    graph = random.choice(GRAPHS + TIED)
    degree = adjacency(graph).sum(1)
    return Case("graphs/right-degrees", claim_of("degree", graph),
                {"degrees": f32(np.stack([degree, degree], -1))}, RIGHT)


def degrees_wrong(random):
    """In and out exchanged, or counted both ways, in a directed graph."""
    nodes, edges = graph = random.choice(GRAPHS[1:])
    a = np.zeros((nodes, nodes))
    for i, j in edges:
        a[i, j] = 1
    both = np.stack([a.sum(0), a.sum(1)], -1)
    claim = claim_of("degree", graph, directed=1)
    if random.choice([False, True]):
        return Case("graphs/degrees-exchanged", claim, {"degrees": f32(both[:, ::-1])},
                    {"columns-shuffled", "axes-swapped", "transposed", "frequencies-reversed"})
    return Case("graphs/degrees-directed", claim,
                {"degrees": f32(np.repeat(both.sum(1)[:, None], 2, 1))}, "directed",
                {"directed": (0, 1)})


ROWS = [right_vectors, right_signs, right_basis, right_eigenvalues, right_walk, right_heat,
        right_hops, right_degrees, right_signs, vectors_wrong, eigenvalues_wrong, walk_wrong,
        heat_wrong, hops_wrong, hops_wrong, degrees_wrong]
