/* SPDX-License-Identifier: Apache-2.0
 * test_graphs.c - encodings of graphs: what eigenvectors are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* The graph is a ring of ten nodes with two chords, and one isolated node. */
#define GRAPH                                                                                  \
    "n=11&edges=0,1;1,2;2,3;3,4;4,5;5,6;6,7;7,8;8,9;9,0;0,5;2,7&weights=1,2,1,3,1,1,0.5,1,1,"  \
    "1,2,1&dtype=f64&max_freqs=11&drop=none&normalization=none"

START_TEST(eigenvectors_are_orthogonal_and_of_length_one)
{
    double *vectors = core_query_values("laplacian-pe", GRAPH, "vectors", NULL);

    for (size_t a = 0; a < 11; a++) {
        for (size_t b = 0; b < 11; b++) {
            double product = 0;

            for (size_t i = 0; i < 11; i++)
                product += vectors[i * 11 + a] * vectors[i * 11 + b];
            ck_assert_double_lt(fabs(product - (a == b)), 1e-13);
        }
    }
    free(vectors);
}
END_TEST

START_TEST(the_laplacian_stretches_an_eigenvector_by_its_eigenvalue)
{
    static const double edges[][3] = {{0, 1, 1}, {1, 2, 2}, {2, 3, 1},  {3, 4, 3},
                                      {4, 5, 1}, {5, 6, 1}, {6, 7, .5}, {7, 8, 1},
                                      {8, 9, 1}, {9, 0, 1}, {0, 5, 2},  {2, 7, 1}};
    double *vectors = core_query_values("laplacian-pe", GRAPH, "vectors", NULL);
    double *values = core_query_values("laplacian-pe", GRAPH, "eigenvalues", NULL);

    for (size_t m = 0; m < 11; m++) {
        double left[11] = {0};

        for (size_t e = 0; e < PE_LEN(edges); e++) {
            size_t i = (size_t)edges[e][0], j = (size_t)edges[e][1];
            double flow = edges[e][2] * (vectors[i * 11 + m] - vectors[j * 11 + m]);

            left[i] += flow;
            left[j] -= flow;
        }
        for (size_t i = 0; i < 11; i++)
            ck_assert_double_lt(fabs(left[i] - values[m] * vectors[i * 11 + m]), 1e-12);
    }
    free(values);
    free(vectors);
}
END_TEST

START_TEST(projectors_of_all_eigenvalues_add_up_to_one)
{
    double *projector = core_query_values(
        "laplacian-pe",
        "nodes=4&edges=0,1;1,2;2,3;3,0&max_freqs=4&drop=none&out=projector&dtype=f64",
        "projector", NULL);

    for (size_t i = 0; i < 4; i++) { /* a ring: eigenvalues 0, 1, 1, 2 */
        ck_assert_double_lt(fabs(projector[i * 4] - .25), 1e-14);
        ck_assert_double_lt(fabs(projector[i * 4 + 1] - .5), 1e-14);
        ck_assert_double_lt(fabs(projector[i * 4 + 3] - .25), 1e-14);
    }
    free(projector);
}
END_TEST

START_TEST(drawn_anchors_are_the_same_for_a_seed)
{
    const char *query = "n=6&edges=0,1;1,2;2,3;3,4;4,5&sets=4&set_size=2&seed=42";
    double *one = core_query_values("anchor-distance", query, "nearness", NULL);

    for (size_t set = 0; set < 4; set++) {
        int members = 0;

        for (size_t i = 0; i < 6; i++)
            members += one[i * 4 + set] == 1;
        ck_assert_int_eq(members, 2);
    }
    free(one);
}
END_TEST

enum { NODES = 18, EDGES = NODES * (NODES - 1) / 2, CLIQUE_SIZE = EDGES * 11 + 100 };

/* Every pair of nodes has an edge of weight 1e6. */
static void print_clique(char graph[CLIQUE_SIZE])
{
    size_t len = (size_t)snprintf(graph, CLIQUE_SIZE, "n=%d&normalization=none&edges=", NODES);

    for (int i = 0; i < NODES; i++) {
        for (int j = 0; j < i; j++)
            len += (size_t)snprintf(graph + len, CLIQUE_SIZE - len, "%s%d,%d",
                                    i + j > 1 ? ";" : "", i, j);
    }
    for (int i = 0; i < EDGES; i++)
        len += (size_t)snprintf(graph + len, CLIQUE_SIZE - len, "%s1e6",
                                i > 0 ? "," : "&weights=");
}

static double *ask_clique(const char *encoding, const char *more, const char *output)
{
    char graph[CLIQUE_SIZE], query[CLIQUE_SIZE + 100];

    print_clique(graph);
    snprintf(query, sizeof query, "%s%s", graph, more);
    return core_query_values(encoding, query, output, NULL);
}

/* 0 once and 18e6 seventeen times, but for roundings, which are beyond 1e-8 there. */
START_TEST(eigenvalues_of_heavy_edges_are_one_where_only_roundings_differ)
{
    double *groups = ask_clique("laplacian-pe", "&drop=none&max_freqs=18&out=groups", "groups");
    double *first =
        ask_clique("laplacian-pe", "&drop=trivial&max_freqs=1&out=eigenvalues", "eigenvalues");
    double *heat = ask_clique("heat-kernel-pe", "&drop_zero=1&times=1e-6&dtype=f64", "heat");

    for (size_t i = 0; i < NODES; i++)
        ck_assert(groups[i] == (i > 0));
    ck_assert_double_eq_tol(first[0], 18e6, 1);
    ck_assert_double_eq_tol(heat[0], 17. / 18 * exp(-18), 1e-15);
    free(groups);
    free(first);
    free(heat);
}
END_TEST

SUITE(graphs, TEST(eigenvectors_are_orthogonal_and_of_length_one),
      TEST(the_laplacian_stretches_an_eigenvector_by_its_eigenvalue),
      TEST(projectors_of_all_eigenvalues_add_up_to_one),
      TEST(drawn_anchors_are_the_same_for_a_seed),
      TEST(eigenvalues_of_heavy_edges_are_one_where_only_roundings_differ));
