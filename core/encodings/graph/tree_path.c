/* SPDX-License-Identifier: Apache-2.0
 * tree_path.c - the steps from the root of a tree to a node.
 *
 *     block b (arity columns) = decay^b onehot(c[t - b]) of a node at path c[1] .. c[t]
 *
 * A node's own step comes first, the step below the root last; steps beyond `depth` blocks
 * are cut, the root's row is zeros. Shiv and Quirk 2019, Novel Positional Encodings to Enable
 * Tree-Based Transformers.
 */
#include <math.h>

#include "core/encoding.h"
#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"

enum { STEPS };
enum { NODES_MOST = 65536 };

struct tree_path {
    struct pe_reals parent, child_index, paths;
    int64_t arity, depth;
    double decay;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct tree_path, parent), .type = PE_REALS, .min = -1, .max = NODES_MOST,
     .when = "!paths", PE_OWN("posenc", POSITIONS, BASIC),
     .summary = "parent of each node, -1 for the root: -1,0,0"},
    {PE_FIELD(struct tree_path, child_index), .type = PE_REALS, .min = -1, .max = NODES_MOST,
     .when = "!paths", PE_OWN("posenc", POSITIONS, BASIC),
     .summary = "number of each node among the children of its parent, from 0; any number for "
                "the root"},
    {PE_FIELD(struct tree_path, paths), .type = PE_REALS, .matrix = true, .min = -1,
     .max = NODES_MOST, PE_OWN("posenc", POSITIONS, BASIC),
     .summary = "steps from the root to each node, a node a row, in place of parent and "
                "child_index; -1 fills shorter rows: -1,-1;1,0"},
    {PE_FIELD(struct tree_path, arity), .type = PE_INT, .required = true, .min = 1, .max = 4096,
     PE_OWN("Shiv and Quirk 2019", SHAPE, BASIC),
     .summary = "number of children that a node can have"},
    {PE_FIELD(struct tree_path, depth), .type = PE_INT, .required = true, .min = 1, .max = 4096,
     PE_OWN("Shiv and Quirk 2019", SHAPE, BASIC),
     .summary = "number of steps that a row holds; earlier steps are cut"},
    {PE_FIELD(struct tree_path, decay), .type = PE_REAL, .min = 0, .max = 1, .preset = 1,
     PE_OWN("posenc", DISTANCE, ADVANCED),
     .summary = "factor on each step further up the tree"},
};

static const struct pe_output outputs[] = {
    [STEPS] = {PE_OUTPUT("steps", PE_F32, "node", "step"), .label = "Steps",
               .one_of = "paths|parent", .sign = PE_NOT_NEGATIVE,
               .summary = "steps from the root as one-hot blocks, the last step first",
               .by_default = true, .bound = "0.501 ULP; f64 1 ULP"},
};

static void check_steps(const struct tree_path *v, const char *name,
                        const struct pe_reals *steps, struct pe_errors *errors)
{
    for (size_t i = 0; i < steps->rows * steps->cols; i++) {
        double step = steps->values[i];

        if (step != trunc(step) || step >= (double)v->arity) {
            pe_fail(errors, PE_OUT_OF_RANGE, name,
                    "must be whole numbers below arity, %lld; got %g", (long long)v->arity,
                    step);
            return;
        }
        if (step < 0 && v->paths.rows == 0 && v->parent.values[i] >= 0) {
            pe_fail(errors, PE_OUT_OF_RANGE, name,
                    "must be 0 or more where there is a parent; got %g", step);
            return;
        }
    }
}

static void check_parents(const struct tree_path *v, struct pe_errors *errors)
{
    size_t n = v->parent.cols;

    if (v->child_index.cols != n) {
        pe_fail(errors, PE_CONFLICT, "child_index", "must be one a node, %zu; got %zu", n,
                v->child_index.cols);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        double parent = v->parent.values[i];

        if (parent != trunc(parent) || parent >= (double)i) {
            pe_fail(errors, PE_BAD_VALUE, "parent",
                    "must be -1 or a node before; that of node %zu is %g", i, parent);
            return;
        }
    }
    check_steps(v, "child_index", &v->child_index, errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct tree_path *v = values;

    if (v->paths.rows > 0)
        check_steps(v, "paths", &v->paths, errors);
    else if (v->parent.rows == 0 || v->child_index.rows == 0)
        pe_fail(errors, PE_MISSING_PARAMETER, v->parent.rows == 0 ? "parent" : "child_index",
                "is required, or paths");
    else
        check_parents(v, errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct tree_path *v = values;

    return 5 * (double)(v->paths.rows + v->parent.cols) * (double)(v->arity * v->depth);
}

/* Iterates over the steps from a node up to the root; next_step returns -1 at the root. */
struct climb {
    const struct tree_path *values;
    size_t node, left; /* left: steps of `paths` that are not returned yet */
};

static struct climb begin(const struct tree_path *v, size_t node)
{
    struct climb climb = {v, node, v->paths.cols};

    while (climb.left > 0 && v->paths.values[node * v->paths.cols + climb.left - 1] < 0)
        climb.left--;
    return climb;
}

static double next_step(struct climb *climb)
{
    const struct tree_path *v = climb->values;
    double parent, step;

    if (v->paths.rows > 0)
        return climb->left > 0 ? v->paths.values[climb->node * v->paths.cols + --climb->left]
                               : -1;
    parent = v->parent.values[climb->node];
    step = parent < 0 ? -1 : v->child_index.values[climb->node];
    if (parent >= 0)
        climb->node = (size_t)parent;
    return step;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct tree_path *v = values;
    const uint64_t nodes = v->paths.rows > 0 ? v->paths.rows : v->parent.cols;
    const uint64_t columns = (uint64_t)(v->arity * v->depth);
    double *out = precomputed_new(build, STEPS, nodes, columns);

    if (!out)
        return;
    for (uint64_t node = 0; node < nodes; node++) {
        struct climb climb = begin(v, node);
        struct dd factor = {1, 0};

        for (int64_t block = 0; block < v->depth; block++) {
            double step = next_step(&climb);

            if (step < 0)
                break;
            out[node * columns + (uint64_t)(block * v->arity) + (uint64_t)step] = factor.hi;
            factor = elementary_multiply(factor, (struct dd){v->decay, 0});
        }
    }
}

const struct pe_encoding pe_encoding_tree_path = {
    .name = "tree-path",
    .title = "Tree path encoding",
    .formula = "block b (arity columns) = decay^b * onehot(c[t - b]) for the node at the path "
               "c[1] .. c[t]",
    .when_to_use = "Tree transformers over syntax trees and programs (Shiv and Quirk) add this "
                   "row to the embedding of a node. graph distances suit trees whose children "
                   "have no order.",
    .what_goes_wrong =
        "The own step of the node comes first and the step below the root last; "
        "written the other way round, nodes at different depths no longer align. "
        "The root is a row of zeros.",
    .picture = "parent=-1,0,0,1,1,2,2,3,3,4,4,5,5,6,6&child_index=0,0,1,0,1,0,1,0,1,0,1,0,1,0,1"
               "&arity=2&depth=3&decay=0.7",
    .summary = "steps from the root of a tree to each node",
    .source = "Shiv and Quirk 2019, Novel Positional Encodings for Tree-Based Transformers",
    .examples = PE_WORDS("paths=-1,-1;1,-1;1,0&arity=2&depth=3&decay=0.5",
                         "parent=-1,0,1&child_index=-1,1,0&arity=2&depth=3"),
    .family = PE_GRAPH,
    .kind = PE_WHOLE,
    PE_TABLES(struct tree_path, params, outputs),
    .check = check,
    .lengths = PE_WORDS("node=paths.0|parent.1", "step=arity*depth"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
