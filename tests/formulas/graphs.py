# SPDX-License-Identifier: Apache-2.0
"""graphs.py - matrices of graphs, whose edges are pairs of nodes: adjacency and Laplacian, random
walks, distances."""

import numpy as np


def adjacency(xp, nodes, edges, weights=None, directed=False):
    a = xp.real(np.zeros((nodes, nodes)))
    for (i, j), weight in zip(edges, weights or [1] * len(edges)):
        a[i, j] = xp.real(weight)
        if not directed:
            a[j, i] = a[i, j]
    return a


def laplacian(xp, a, kind="sym"):
    degree, one = a.sum(1), xp.real(np.eye(len(a)))
    if kind == "none":
        return one * degree - a
    root = degree ** -0.5
    return one - root[:, None] * a * root[None]


def walk(xp, a, steps):
    """Probabilities to be back: the diagonals of the powers of D^-1 A."""
    step, power, columns = a / a.sum(1)[:, None], xp.real(np.eye(len(a))), []
    for _ in range(steps):
        power = power @ step
        columns.append(np.diag(power))
    return np.stack(columns, -1)


def distances(xp, a):
    """Floyd 1962: the shortest ways along edges, infinite where there is none."""
    d = np.where(a > 0, a, xp.real(np.inf))
    np.fill_diagonal(d, xp.real(0))
    for k in range(len(a)):
        d = np.minimum(d, d[:, k:k + 1] + d[k:k + 1])
    return d


def positive(columns):
    """The entry of the largest size is positive, the first of nearly equal ones."""
    turned = columns.copy()
    for column in turned.T:
        size = abs(column)
        column *= 1 if column[np.argmax(size > size.max() - 1e-9)] > 0 else -1
    return turned
