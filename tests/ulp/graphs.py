# SPDX-License-Identifier: Apache-2.0
"""graphs.py - encodings of graphs: distances by Floyd and Warshall, walks by powers, spectra by
mpmath's symmetric eigensolver. Eigenvalues are compared where they do not repeat."""

import itertools

import numpy as np
from mpmath import mp, mpf

from formulas import graphs
from formulas.numbers import EXACT
from measure import Case, Loose, loose, named


class Graph:
    """A connected graph with unequal weights (so that no eigenvalue repeats)."""

    def __init__(self, draw, weighted=True, loops=True):
        self.n = draw.randint(2, 6)
        self.edges = [[draw.randint(0, i - 1), i] for i in range(1, self.n)]
        for pair in itertools.combinations(range(self.n), 2):
            if list(pair) not in self.edges and draw.random() < 0.3:
                self.edges.append(list(pair))
        self.weights = [draw.real(0.5, 2) if weighted else 1 for _ in self.edges]
        self.params = {"nodes": self.n, "edges": self.edges}
        if len(self.edges) == 1:
            self.params["edges"] = "0,1"
        if weighted:
            self.params["edge_weights"] = self.weights
        self.adjacency = graphs.adjacency(EXACT, self.n, self.edges, self.weights)
        if loops and draw.chance():  # an edge of a node with itself counts when it is kept
            node, w = draw.randrange(self.n), draw.real(0.5, 2) if weighted else 1
            self.params["edges"] = self.edges + [[node, node]]
            if weighted:
                self.params["edge_weights"] = self.weights + [w]
            if draw.chance():
                self.params["self_loops"] = "kept"
                self.adjacency[node, node] = mpf(w)
        self.degrees = self.adjacency.sum(1)

    def distances(self):
        return graphs.distances(EXACT, self.adjacency)

    def spectrum(self, kind):
        """Eigenvalues ascending and their vectors; 120 bits are more than enough."""
        with mp.workprec(120):
            values, vectors = mp.eigsy(mp.matrix(graphs.laplacian(EXACT, self.adjacency, kind).tolist()))
            return np.array(list(values)), np.array(vectors.tolist())


def shortest_path(draw):
    whole = Graph(draw, False)
    yield Case("hops", whole.params, whole.distances().astype(int))
    g = Graph(draw)
    yield Case("distances", g.params, relative(g.distances(), g.n * mpf(2) ** -53))


def relative(values, slack):
    return loose(values, values * slack)


def degree(draw):
    g = Graph(draw)
    yield Case("degrees", g.params, np.stack([relative(g.degrees, g.n * mpf(2) ** -53)] * 2, -1))


def anchor_distance(draw):
    g = Graph(draw)
    anchors = [sorted(draw.sample(range(g.n), 2)) for _ in range(2)]
    nearest = np.stack([g.distances()[:, group].min(-1) for group in anchors], -1)
    yield Case("nearness", dict(g.params, anchors=anchors),
               loose(1 / (1 + nearest), g.n * mpf(2) ** -53))


def dag_depth(draw):
    g = Graph(draw, False, False)
    draw.maybe(g.params, self_loops="kept")  # where there are none
    depth = [0] * g.n
    for i, j in sorted(g.edges, key=lambda edge: edge[1]):
        depth[j] = max(depth[j], depth[i] + 1)
    yield Case("depth", g.params, depth)


def random_walk_pe(draw):
    g, steps = Graph(draw), draw.randint(1, 6)
    returns = graphs.walk(EXACT, g.adjacency, steps)
    yield Case("returns", dict(g.params, steps=steps), relative(returns, mpf(10) ** -12))


def shortest_ways(n, joined):
    """Floyd 1962: {(i, j): nodes after i}; of equal ways the last that made one shorter."""
    hops = [[0 if i == j else 1 if joined(i, j) else mp.inf for j in range(n)] for i in range(n)]
    middle = {}
    for k, i, j in itertools.product(range(n), repeat=3):
        if hops[i][k] + hops[k][j] < hops[i][j]:
            hops[i][j], middle[i, j] = hops[i][k] + hops[k][j], k

    def way(i, j):
        return way(i, middle[i, j]) + way(middle[i, j], j) if (i, j) in middle else [j]
    return {(i, j): [] if i == j else way(i, j) for i in range(n) for j in range(n)
            if hops[i][j] < mp.inf}


def graphormer_bias(draw):
    """Ying et al. 2021, section 3; nodes that no path joins are 510 edges apart."""
    n, heads, directed = draw.randint(2, 6), draw.randint(1, 3), draw.chance()
    places = [[i, j] for i, j in itertools.combinations(range(n), 2)]
    edges = sorted(draw.sample(places, draw.randint(2, len(places)) if n > 2 else 1))
    number = {tuple(e): at for at, e in enumerate(edges)}
    if not directed:
        number.update({(j, i): at for (i, j), at in list(number.items())})
    ways, far = shortest_ways(n, lambda i, j: (i, j) in number), draw.choice([2, 3, 20])

    def table(rows):
        return [draw.singles(heads) for _ in range(rows)]
    graph = {"nodes": n, "edges": edges if len(edges) > 1 else "%d,%d" % tuple(edges[0]),
             "directed": directed}
    spatial, token = table(n + 2), draw.singles(heads)
    params = dict(graph, spatial_table=spatial, token_bias=token, spatial_pos_max=far,
                  mask_value="-inf")

    def answer(between):
        rows = [[[mpf(t)] * (n + 1) for _ in range(n + 1)] for t in token]
        for h, i, j in itertools.product(range(heads), range(n), range(n)):
            hops = len(ways[i, j]) if (i, j) in ways else 510
            if hops >= far:
                rows[h][i + 1][j + 1] = mp.ninf
                continue
            value, size = between(i, j, h)
            node = mpf(spatial[hops + 1][h])
            rows[h][i + 1][j + 1] = Loose(node + value, (abs(node) + size) * mpf(2) ** -93)
        return rows
    yield Case("bias", params, answer(lambda i, j, h: (mpf(0), mpf(0))))
    yield from graphormer_edges(draw, params, edges, number, ways, table, answer)
    z_in, z_out = [[draw.singles(2) for _ in range(n + 1)] for _ in range(2)]
    degrees = [sum(i == v for i, _ in number) for v in range(n)]
    yield Case("centrality", dict(graph, z_in=z_in, z_out=z_out), [
        [mpf(a) + mpf(b) for a, b in zip(z_in[d + 1], z_out[d + 1])] for d in degrees])


def graphormer_edges(draw, params, edges, number, ways, table, answer):
    """The part of the bias that features of edges add, of all of a path or of the one."""
    count = draw.randint(1, 2)
    features = [[draw.randint(0, 2) for _ in range(count)] for _ in edges]
    weights, heads = table(4), len(params["token_bias"])
    most = draw.choice([1, 2, 5])
    dis = table(heads * max(min(most, params["nodes"] - 1), 1))
    asked = dict(params, edge_features=features if len(edges) > 1 else features[0],
                 edge_table=weights)

    def mean(edge, h):
        rows = [mpf(weights[f + 1][h]) for f in features[edge]]
        return sum(rows) / count, sum(map(abs, rows)) / count

    def single(i, j, h):
        return mean(number[i, j], h) if (i, j) in number else (mpf(0), mpf(0))

    def multi(i, j, h):
        way = [i] + ways[i, j]
        total = size = mpf(0)
        hops = list(zip(way, way[1:]))[:most]
        for k, step in enumerate(hops):
            for g in range(heads):
                value, large = mean(number[step], g)
                total += value * mpf(dis[k * heads + g][h])
                size += large * abs(dis[k * heads + g][h])
        return total / max(len(hops), 1), size / max(len(hops), 1)
    yield Case("bias", dict(asked, edge_type="single_hop"), answer(single))
    yield Case("bias", dict(asked, edge_dis=dis if len(dis) > 1 else dis[0],
                            multi_hop_max_dist=most), answer(multi))


FINE = mpf(10) ** -11


def heat_kernel_pe(draw):
    g, kind = Graph(draw), draw.choice(["none", "sym"])
    times = [draw.real(0.1, 3), draw.real(0.1, 3)]
    values, vectors = g.spectrum(kind)
    heat = (vectors ** 2) @ EXACT.exp(-values[:, None] * EXACT.real(times))
    yield Case("heat", dict(g.params, times=times, laplacian=kind), loose(heat, FINE))


def laplacian_pe(draw):
    g, kind = Graph(draw), draw.choice(["none", "sym"])
    values, vectors = g.spectrum(kind)
    k = g.n - 1
    params = dict(g.params, max_freqs=k, laplacian=kind)
    yield Case("eigenvalues", params, loose(values[1:], FINE / 10))
    steps = np.diff(values)
    yield Case("groups", params, [int(sum(steps[1:i + 1] >= mpf(10) ** -8)) for i in range(k)])
    if min(steps) < mpf(10) ** -6:  # two leaves of a node: which vectors span the space is a choice
        return
    columns, slack = graphs.positive(vectors[:, 1:]), FINE / 10 / min(steps) + FINE / 10
    yield Case("vectors", params, loose(columns, slack))
    yield Case("projector", params, loose(columns ** 2, slack + FINE))


def electrostatic_pe(draw):
    g = Graph(draw)
    values, vectors = g.spectrum("none")
    green = (vectors[:, 1:] / values[1:]) @ vectors[:, 1:].T
    potential = green - np.diag(green)
    step = g.adjacency / g.degrees[:, None]

    def facts(numbers):
        """Of each row."""
        mean = numbers.sum(-1, keepdims=True) / g.n
        deviation = EXACT.sqrt(((numbers - mean) ** 2).sum(-1) / (g.n - 1))
        return [numbers.min(-1), numbers.max(-1), mean[:, 0], deviation]
    features = np.stack([*facts(potential.T), *facts(potential), (step * potential).sum(0),
                         (step * potential).sum(1)], -1)
    for out, made, times in (("green", green, 1), ("potential", potential, 2),
                             ("features", features, 1)):
        most = abs(features if out == "features" else green).max()
        yield Case(out, g.params, loose(made, FINE * times * most))


def tree_path(draw):
    arity, depth, decay = draw.randint(1, 3), draw.randint(1, 4), draw.choice([1, draw.real(.1, 1)])
    parent, child = [-1, 0, 1, 0], [-1, 0, 0, arity - 1]
    paths = [[], [0], [0, 0], [arity - 1]]
    rows = []
    for path in paths:
        row = []
        for b in range(depth):
            own = path[-1 - b] if b < len(path) else None
            row += [mpf(decay) ** b if c == own else mpf(0) for c in range(arity)]
        rows.append(row)
    params = {"arity": arity, "depth": depth, "decay": decay, "parent": parent,
              "child_index": child}
    if arity == 1:  # siblings are one: a chain then
        params.update(parent=parent[:3], child_index=child[:3])
        rows = rows[:3]
    yield Case("steps", params, rows)


ROWS = named(anchor_distance, dag_depth, degree, electrostatic_pe, graphormer_bias,
             heat_kernel_pe, laplacian_pe, random_walk_pe, shortest_path, tree_path)
