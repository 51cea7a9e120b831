/* SPDX-License-Identifier: Apache-2.0
 * graphs_paths.c - finds one shortest path for each pair of nodes: of several, that of Floyd
 * 1962, whose middle node is the last one that shortened the path. */
#include "core/encodings/graph/graphs.h"

bool graphs_paths_find(struct pe_build *build, const double *adjacency, size_t n,
                       struct graphs_paths *paths)
{
    int32_t *hops = pe_build_alloc(build, n * n * sizeof *hops);
    int32_t *middle = pe_build_alloc(build, n * n * sizeof *middle);

    *paths = (struct graphs_paths){n, hops, middle};
    if (!hops || !middle)
        return false;
    for (size_t at = 0; at < n * n; at++) {
        hops[at] = at % (n + 1) == 0 ? 0 : adjacency[at] != 0 ? 1 : GRAPHS_FAR;
        middle[at] = -1;
    }
    for (size_t k = 0; k < n; k++) {
        if (pe_build_stopped(build))
            return false;
        for (size_t i = 0; i < n; i++) {
            int32_t before = hops[i * n + k];

            for (size_t j = 0; before < GRAPHS_FAR && j < n; j++) {
                if (hops[i * n + j] <= before + hops[k * n + j])
                    continue;
                hops[i * n + j] = before + hops[k * n + j];
                middle[i * n + j] = (int32_t)k;
            }
        }
    }
    return true;
}

/* Each half of a path is shorter than the path, so the recursion is at most n deep. */
size_t graphs_paths_walk(const struct graphs_paths *paths, size_t from, size_t to, size_t most,
                         size_t *nodes)
{
    int32_t middle = paths->middle[from * paths->n + to];
    size_t count;

    if (most == 0)
        return 0;
    if (middle < 0) {
        nodes[0] = to;
        return 1;
    }
    count = graphs_paths_walk(paths, from, (size_t)middle, most, nodes);
    return count + graphs_paths_walk(paths, (size_t)middle, to, most - count, nodes + count);
}
