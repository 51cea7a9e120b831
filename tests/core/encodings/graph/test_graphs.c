/* SPDX-License-Identifier: Apache-2.0
 * test_graphs.c - encodings of graphs: worked examples on paths and small graphs, refusals,
 * and what eigenvectors are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define PATH4 "n=4&edges=0,1;1,2;2,3&dtype=f64"
#define PATH3 "n=3&edges=0,1;1,2"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"laplacian-pe", PATH4 "&max_freqs=1&norm=abs_max", "vectors",
     "1.00000 .707107 -.707107 -1.00000"},
    {"laplacian-pe", PATH4 "&max_freqs=1&norm=l1", "vectors",
     ".292893 .207107 -.207107 -.292893"},
    {"laplacian-pe", PATH4 "&max_freqs=1&norm=wavelength", "vectors",
     "2.22144 1.57080 -1.57080 -2.22144"},
    {"laplacian-pe",
     PATH4 "&weights=3,1e6,7&normalization=none&drop=none&max_freqs=1&norm=wavelength",
     "vectors", "1.57080 1.57080 1.57080 1.57080"}, /* the root of 0 is taken as 1 */
    {"laplacian-pe", PATH4 "&max_freqs=1&norm=wavelength_asin", "vectors",
     "2.22144 1.11072 -1.11072 -2.22144"},
    {"laplacian-pe", PATH4 "&max_freqs=1&norm=wavelength_soft", "vectors",
     "1.63322 1.15486 -1.15486 -1.63322"},
    {"laplacian-pe", PATH4 "&max_freqs=1&normalization=rw", "vectors",
     ".632456 .316228 -.316228 -.632456"},
    {"laplacian-pe", PATH4 "&max_freqs=1&normalization=none", "vectors",
     ".653281 .270598 -.270598 -.653281"},
    {"laplacian-pe", PATH4 "&max_freqs=3&out=vectors", "vectors",
     ".577350 .577350 -.408248 .408248 -.408248 .577350 -.408248 -.408248 -.577350 -.577350 "
     ".577350 .408248"},
    {"laplacian-pe", "n=3&edges=0,1;1,2;0,2&max_freqs=2&out=groups", "groups", "0 0"},
    {"laplacian-pe", "n=2&edges=0,1&max_freqs=3&out=groups", "groups", "0 -1 -1"},
    {"laplacian-pe", "n=2&edges=0,1&max_freqs=2&out=eigenvalues", "eigenvalues", "2 0"},
    {"laplacian-pe", "n=3&edges=0,1&max_freqs=2&drop=trivial&out=groups", "groups", "0 1"},
    {"random-walk-pe", PATH4 "&steps=4", "returns",
     "0 .5 0 .375 0 .75 0 .6875 0 .75 0 .6875 0 .5 0 .375"},
    {"random-walk-pe", PATH4 "&times=4,2", "returns", ".375 .5 .6875 .75 .6875 .75 .375 .5"},
    {"random-walk-pe", "n=3&edges=0,1&steps=2", "returns", "0 1 0 1 0 0"},
    {"random-walk-pe", "n=2&edges=0,1&weights=4&steps=2&weighting=pyg&dtype=f64", "returns",
     "0 .0625 0 .0625"},
    {"random-walk-pe", "n=2&edges=0,1&weights=.5&steps=2&weighting=graphgps&dtype=f64",
     "returns", "0 4 0 4"},
    {"random-walk-pe", "n=2&edges=0,1&times=4&space_dim=2", "returns", "4 4"},
    {"heat-kernel-pe", PATH4 "&times=1", "heat", ".523816 .338637 .338637 .523816"},
    {"heat-kernel-pe", PATH4 "&times=2", "heat", ".386907 .277731 .277731 .386907"},
    {"heat-kernel-pe", PATH4 "&times=1&drop_zero=1", "heat",
     ".273816 .0886368 .0886368 .273816"},
    {"heat-kernel-pe", PATH4 "&times=1&normalization=sym", "heat",
     ".465776 .516722 .516722 .465776"},
    {"electrostatic-pe", PATH4, "features",
     "-1.50000 0 -.875000 .661438 -1.50000 0 -.625000 .661438 -.375000 -.250000 "
     "-.750000 0 -.375000 .322749 -1.25000 0 -.625000 .520416 -.500000 -.625000 "
     "-.750000 0 -.375000 .322749 -1.25000 0 -.625000 .520416 -.500000 -.625000 "
     "-1.50000 0 -.875000 .661438 -1.50000 0 -.625000 .661438 -.375000 -.250000"},
    {"electrostatic-pe", "n=1", "features", "0 0 0 0 0 0 0 0 0 0"},
    {"shortest-path", PATH3, "hops", "0 1 2 1 0 1 2 1 0"},
    {"shortest-path", "n=3&edges=0,1&unreachable=510&directed=1", "hops",
     "0 1 510 510 0 510 510 510 0"},
    {"shortest-path", PATH3 "&max_distance=1", "hops", "0 1 1 1 0 1 1 1 0"},
    {"shortest-path", PATH3 ";0,2&weights=1,1,3&out=distances", "distances",
     "0 1 2 1 0 1 2 1 0"},
    {"degree", PATH3, "degrees", "1 1 2 2 1 1"},
    {"degree", PATH3 ";0,1;1,0", "degrees", "1 1 2 2 1 1"},
    {"degree", PATH3 "&directed=1", "degrees", "0 1 1 1 1 0"},
    {"degree", "n=2&edges=0,1;1,1&self_loops=kept", "degrees", "1 1 2 2"},
    {"anchor-distance", PATH3 "&anchors=0,-1;0,2&dtype=f64", "nearness", "1 1 .5 .5 .333333 1"},
    {"anchor-distance", "n=3&edges=0,1&anchors=2", "nearness", "0 0 1"},
    {"tree-path", "paths=1,0&arity=2&depth=3&decay=.5", "steps", "1 0 0 .5 0 0"},
    {"tree-path", "paths=-1,-1;1,-1&arity=2&depth=1", "steps", "0 0 0 1"},
    {"tree-path", "parent=-1,0,1&child_index=-1,1,0&arity=2&depth=2", "steps",
     "0 0 0 0 0 1 0 0 1 0 0 1"},
    {"dag-depth", "n=5&edges=0,1;0,2;1,3;2,3;0,3;3,4", "depth", "0 1 1 2 3"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"degree",
     {"n=2&edges=0,2", PE_OUT_OF_RANGE, "edges", "must name nodes, whole numbers 0..1; got 2",
      ""}},
    {"degree",
     {"n=3&edges=0,1,2", PE_BAD_VALUE, "edges",
      "must be pairs of nodes, such as 0,1;1,2; got 3 numbers in a row", ""}},
    {"degree",
     {"n=3&edges=0,1&weights=1,2", PE_CONFLICT, "weights", "must be one an edge, 1; got 2",
      ""}},
    {"laplacian-pe",
     {"n=513&max_freqs=1", PE_TOO_LARGE, "n", "must be at most 512 here; got 513", ""}},
    {"laplacian-pe",
     {"n=3&max_freqs=1&seed=1", PE_CONFLICT, "seed", "has no effect without sign=seeded-random",
      ""}},
    {"random-walk-pe", {"n=3", PE_MISSING_PARAMETER, "steps", "is required, or times", ""}},
    {"random-walk-pe", {"n=3&steps=2&times=1", PE_CONFLICT, "steps", "give one of them", ""}},
    {"random-walk-pe",
     {"n=3&times=1.5", PE_BAD_VALUE, "times", "must be whole numbers; got 1.5", ""}},
    {"random-walk-pe",
     {"n=512&steps=33", PE_OUT_OF_RANGE, "steps", "must be at most 32 for 512 nodes; got 33",
      ""}},
    {"shortest-path",
     {"n=3&unreachable=inf", PE_CONFLICT, "unreachable",
      "must be a whole number for out=hops; got inf", ""}},
    {"shortest-path",
     {"n=3&max_distance=1.5", PE_CONFLICT, "max_distance",
      "must be a whole number for out=hops; got 1.5", ""}},
    {"anchor-distance",
     {"n=3", PE_MISSING_PARAMETER, "anchors", "is required, or sets and set_size", ""}},
    {"anchor-distance",
     {"n=3&anchors=0&seed=1", PE_CONFLICT, "anchors", "are the sets; leave out sets", ""}},
    {"anchor-distance",
     {"n=3&anchors=3", PE_OUT_OF_RANGE, "anchors", "must name nodes, whole numbers 0..2", ""}},
    {"anchor-distance",
     {"n=3&sets=1&set_size=4", PE_CONFLICT, "set_size", "must be at most n, 3; got 4", ""}},
    {"tree-path",
     {"arity=2&depth=2", PE_MISSING_PARAMETER, "parent", "is required, or paths", ""}},
    {"tree-path",
     {"paths=2&arity=2&depth=2", PE_OUT_OF_RANGE, "paths",
      "must be whole numbers below arity, 2; got 2", ""}},
    {"tree-path",
     {"parent=-1,1&child_index=0,0&arity=2&depth=2", PE_BAD_VALUE, "parent",
      "must be -1 or a node before; that of node 1 is 1", ""}},
    {"dag-depth", {"n=2&edges=0,1;1,0", PE_BAD_VALUE, "edges", "must not lead in a cycle", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

/* A ring of ten with two chords and one node apart. */
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
        "n=4&edges=0,1;1,2;2,3;3,0&max_freqs=4&drop=none&out=projector&dtype=f64", "projector",
        NULL);

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

/* All pairs of nodes, at 1e6. */
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

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(eigenvectors_are_orthogonal_and_of_length_one),
    TEST(the_laplacian_stretches_an_eigenvector_by_its_eigenvalue),
    TEST(projectors_of_all_eigenvalues_add_up_to_one),
    TEST(drawn_anchors_are_the_same_for_a_seed),
    TEST(eigenvalues_of_heavy_edges_are_one_where_only_roundings_differ),
};

const struct suite graphs_suite = {SUITE_TESTS(tests)};
