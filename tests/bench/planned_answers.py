# SPDX-License-Identifier: Apache-2.0
"""planned_answers.py - answers that are computed whole, with their plan (fill.c, "planned"): eigenvectors of
a graph against SciPy, a table of patches at another size against PyTorch, on one core."""

import contest
from tables import TURNS, add, add_calls

SIDE, VECTORS = 16, 8  # the graph: a grid of SIDE x SIDE nodes
OLD, NEW, DIM = 37, 16, 1024  # patches along a side, and the width of their rows


def grid_edges():
    """Pairs of adjacent nodes of the grid."""
    nodes = [(row, col) for row in range(SIDE) for col in range(SIDE)]
    return [(row * SIDE + col, (row + down) * SIDE + col + right)
            for row, col in nodes for down, right in ((0, 1), (1, 0))
            if row + down < SIDE and col + right < SIDE]


def scipy_laplacian():
    """The first eigenvectors but one of the normalized Laplacian, as PyG computes them: by a dense
    solver for all of them, and by its solver for a subset."""
    import numpy
    from scipy.linalg import eigh
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import laplacian
    first, second = numpy.array(grid_edges()).T
    ones = numpy.ones(2 * len(first))
    ends = numpy.concatenate((first, second)), numpy.concatenate((second, first))
    graph = coo_matrix((ones, ends), shape=(SIDE * SIDE, SIDE * SIDE))

    def all_vectors():
        return eigh(laplacian(graph, normed=True).toarray())[1][:, 1:VECTORS + 1]

    def some_vectors():
        return eigh(laplacian(graph, normed=True).toarray(),
                    subset_by_index=(1, VECTORS))[1]
    return all_vectors, some_vectors


def eigenvectors():
    """8 eigenvectors of the Laplacian of a grid of 256 nodes: bytes/s of the answer"""
    result, turns = contest.Result("KB/s", 1e3), {}
    edges = ";".join("%d,%d" % pair for pair in grid_edges())
    add(result, turns, "posenc", "posenc", "planned",
        "laplacian-pe n=%d max_freqs=%d edges=%s" % (SIDE * SIDE, VECTORS, edges))
    result.commands["posenc"] = result.commands["posenc"].replace(edges, "EDGES")
    add_calls(result, turns, ("scipy", "scipy-some"), scipy_laplacian,
              SIDE * SIDE * VECTORS * 4)
    return contest.take_turns(result, turns, TURNS)


def torch_resize():
    """timm's resample_abs_pos_embed: bicubic, with antialias."""
    import torch
    torch.set_num_threads(1)
    table = torch.randn(1, OLD * OLD, DIM)

    def resize():
        grid = table.reshape(1, OLD, OLD, DIM).permute(0, 3, 1, 2)
        grid = torch.nn.functional.interpolate(grid, size=(NEW, NEW), mode="bicubic",
                                               antialias=True)
        return grid.permute(0, 2, 3, 1).reshape(1, NEW * NEW, DIM)
    return (resize,)


def resize():
    """a table of 37 x 37 patches x 1024 as 16 x 16, bicubic: bytes/s of the answer"""
    result, turns = contest.Result("MB/s", 1e6), {}
    add(result, turns, "posenc", "posenc", "planned",
        "resize-table-2d new_grid=%dx%d table=@f32:%d,%d" % (NEW, NEW, OLD * OLD, DIM))
    add_calls(result, turns, ("torch",), torch_resize, NEW * NEW * DIM * 4)
    return contest.take_turns(result, turns, TURNS)
