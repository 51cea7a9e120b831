/* SPDX-License-Identifier: Apache-2.0
 * graphs.h - nodes, edges and weights, which encodings of graphs share, and their matrices. */
#pragma once

#include "core/encoding.h"

/* Most nodes: of a decomposed or multiplied matrix, of a search for paths, of any graph. */
enum { GRAPHS_SPECTRAL_MOST = 512, GRAPHS_PATHS_MOST = 1024, GRAPHS_NODES_MOST = 65536 };

struct graphs {
    int64_t nodes;
    struct pe_reals edges, edge_weights;
    bool directed;
    int self_loops; /* 1: kept */
};

extern const struct pe_choice graphs_loops[];

/* Parameters of encodings whose values begin with a struct graphs. */
#define GRAPHS_ROWS                                                                            \
    {PE_FIELD(struct graphs, nodes), .type = PE_INT, .required = true, .min = 1,               \
     .max = GRAPHS_NODES_MOST},                                                                \
        {PE_FIELD(struct graphs, edges), .type = PE_REALS, .matrix = true, .min = 0,           \
         .max = GRAPHS_NODES_MOST},                                                            \
    {                                                                                          \
        PE_FIELD(struct graphs, self_loops), .type = PE_CHOICE, .choices = graphs_loops        \
    }

#define GRAPHS_WEIGHTS_ROW                                                                     \
    {                                                                                          \
        PE_FIELD(struct graphs, edge_weights), .type = PE_REALS, .min = 1e-6, .max = 1e6       \
    }

#define GRAPHS_DIRECTED_ROW                                                                    \
    {                                                                                          \
        PE_FIELD(struct graphs, directed), .type = PE_BOOL                                     \
    }

/* The graph of pictures: two rings of eight nodes that one edge joins. */
#define GRAPHS_PICTURE                                                                         \
    "nodes=16&edges=0,1;1,2;2,3;3,4;4,5;5,6;6,7;7,0;7,8;8,9;9,10;10,11;11,12;12,13;13,14;"     \
    "14,15;15,8"

/* Checks the parameters of GRAPHS_ROWS, with at most `most` nodes. */
enum pe_status graphs_check(const struct graphs *graphs, int64_t most,
                            struct pe_errors *errors);

/* The .detail of an encoding whose further parameters need no rule and decide no cost. */
struct graphs_kind {
    /* Most nodes. */
    int64_t most;
    /* The cost of prepare: operations for two nodes, and decompositions of the Laplacian. */
    double pair_ns, decompositions;
};
void graphs_kind_check(const struct pe_args *args, const void *values,
                       struct pe_errors *errors);
double graphs_kind_plan_ns(const struct pe_args *args, const void *values);

/* Returns the weighted adjacency (n x n), or NULL when out of memory. Of repeated edges the
 * first counts. */
double *graphs_adjacency(struct pe_build *build, const struct graphs *graphs);
/* Returns the sums of the rows of an adjacency, or NULL when out of memory. */
double *graphs_degrees(struct pe_build *build, const double *adjacency, size_t n);

enum graphs_normalization { GRAPHS_SYMMETRIC, GRAPHS_RANDOM_WALK, GRAPHS_PLAIN };

/* Eigenvalues (ascending, >= 0) and eigenvectors (rows) of the Laplacian: D - A when plain,
 * else I - D^-1/2 A D^-1/2. graphs_decompose returns false when out of memory or stopped. */
struct graphs_spectrum {
    size_t n;
    double roundings; /* the largest error of a computed eigenvalue */
    double same;      /* eigenvalues nearer than this count as equal, and below it as 0 */
    double *values, *vectors, *degrees;
};
bool graphs_decompose(struct pe_build *build, const struct graphs *graphs, bool plain,
                      struct graphs_spectrum *spectrum);

/* Writes the distances from a node along edges: in steps (weighted false) or in weights; -1
 * where no path leads. `adjacency` is n x n, out has n; done is scratch for n. */
void graphs_distances(const double *adjacency, size_t n, size_t from, bool weighted,
                      double *out, bool *done);

/* For each two nodes: the count of edges on a shortest path, GRAPHS_FAR or more where there is
 * none, and a node between them, -1 where an edge joins them. graphs_paths_find returns false
 * when out of memory, or stopped. */
enum { GRAPHS_FAR = 1 << 20 };
struct graphs_paths {
    size_t n;
    const int32_t *hops, *middle; /* n x n */
};
bool graphs_paths_find(struct pe_build *build, const double *adjacency, size_t n,
                       struct graphs_paths *paths);
/* Writes the first `most` nodes after `from` of the path to `to`, a different node that can be
 * reached, and returns their count. */
size_t graphs_paths_walk(const struct graphs_paths *paths, size_t from, size_t to, size_t most,
                         size_t *nodes);

/* Returns base^exponent for base > 0, within 0.54 ULP. */
double graphs_power(double base, double exponent);
