/* SPDX-License-Identifier: Apache-2.0
 * tree_mask.c - a tree of drafted tokens: a node sees itself, its ancestors and the prefix.
 *
 *     attend iff k < prefix_len, or node k - prefix_len is q or an ancestor of q
 *
 * A root has depth 0, another node depth[parent] + 1; positions are prefix_len + depth.
 * Miao et al. 2024, SpecInfer; Cai et al. 2024, Medusa.
 */
#include "core/encodings/mask/masks.h"
#include "core/math/precomputed.h"

enum { NODES_MOST = 1 << 20 };
enum { DEPTH = MASKS_OUTPUT_COUNT, POSITIONS };

struct tree_mask {
    struct masks masks;
    const struct pe_positions *parents;
    int64_t prefix_len;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct tree_mask, parents), .type = PE_POSITIONS, .required = true,
     PE_OWN("posenc", POSITIONS, BASIC),
     .summary = "parent of each drafted token, an earlier one; -1 for a root: -1,0,0,1"},
    {PE_FIELD(struct tree_mask, prefix_len), .type = PE_INT, .min = 0, .max = 0x1p51,
     .summary = "number of keys before the tree, which all its tokens attend to"},
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(NULL, "parents", "prefix_len"),
    [DEPTH] = {PE_OUTPUT("depth", PE_I64, "q"), .label = "Depth", .sign = PE_NOT_NEGATIVE,
               .summary = "number of edges between a drafted token and its root",
               .uses = PE_WORDS("parents"), .bound = "exact"},
    [POSITIONS] = {PE_OUTPUT("positions", PE_I64, "q"), .label = "Positions",
                   .sign = PE_NOT_NEGATIVE,
                   .summary = "position of each drafted token: prefix_len + depth",
                   .uses = PE_WORDS("parents", "prefix_len"), .bound = "exact"}};

/* The nodes in depth-first order, in which the descendants of a node follow it. */
struct tree {
    int64_t prefix;
    int64_t *enter, *leave; /* index of a node, and index after its last descendant */
};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct tree *tree = context;
    int64_t node = key - tree->prefix;

    return node < 0 ||
           (tree->enter[node] <= tree->enter[query] && tree->enter[query] < tree->leave[node]);
}

static int64_t witness(const void *context, int64_t query)
{
    const struct tree *tree = context;

    return tree->prefix + query;
}

static const struct mask_rule rule = {.sees = sees, .witness = witness};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct tree_mask *v = values;
    uint64_t count = pe_positions_count(v->parents);

    if (count > NODES_MOST) {
        pe_fail(errors, PE_OUT_OF_RANGE, "parents", "must have at most %d numbers; got %llu",
                NODES_MOST, (unsigned long long)count);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        double parent = pe_positions_at(v->parents, i);

        if (parent < -1 || parent >= (double)i) {
            pe_fail(errors, PE_BAD_VALUE, "parents",
                    "must be -1 or a node before; that of node %llu is %.0f",
                    (unsigned long long)i, parent);
            return;
        }
    }
    masks_resolve_sizes(&v->masks, &rule, count, (uint64_t)v->prefix_len + count);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct tree_mask *v = values;
    const double prefix = output == POSITIONS ? (double)v->prefix_len : 0;

    if (output == DEPTH || output == POSITIONS)
        return (struct pe_interval){0, (double)v->masks.queries + prefix};
    return masks_range(args, values, output);
}

static bool walk(struct pe_build *build, struct tree *tree, const int64_t *parents,
                 uint64_t count)
{
    int64_t *next = pe_build_alloc(build, count * sizeof *next), roots = 0;

    tree->enter = pe_build_alloc(build, count * sizeof *tree->enter);
    tree->leave = pe_build_alloc(build, count * sizeof *tree->leave);
    if (!next || !tree->enter || !tree->leave)
        return false;
    for (uint64_t i = count; i-- > 0;) { /* sizes of subtrees, children before parents */
        tree->leave[i]++;
        if (parents[i] >= 0)
            tree->leave[parents[i]] += tree->leave[i];
    }
    for (uint64_t i = 0; i < count; i++) {
        int64_t *place = parents[i] < 0 ? &roots : &next[parents[i]];

        tree->enter[i] = *place;
        *place += tree->leave[i];
        tree->leave[i] = *place;
        next[i] = tree->enter[i] + 1;
    }
    return true;
}

static bool fill_depth(struct pe_build *build, size_t output, const int64_t *parents,
                       uint64_t count, int64_t first)
{
    double *depth = precomputed_new(build, output, 1, count);

    for (uint64_t i = 0; depth && i < count; i++)
        depth[i] = parents[i] < 0 ? (double)first : depth[parents[i]] + 1;
    return depth != NULL;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct tree_mask *v = values;
    const struct pe_args *args = pe_build_args(build);
    const int64_t *parents = masks_list(build, v->parents);
    struct tree *tree = pe_build_alloc(build, sizeof *tree);

    if (!parents || !tree || !walk(build, tree, parents, v->masks.queries) ||
        (pe_wants(args, DEPTH) && !fill_depth(build, DEPTH, parents, v->masks.queries, 0)) ||
        (pe_wants(args, POSITIONS) &&
         !fill_depth(build, POSITIONS, parents, v->masks.queries, v->prefix_len)))
        return;
    tree->prefix = v->prefix_len;
    masks_prepare_rule(build, &v->masks, tree);
}

const struct pe_encoding pe_encoding_tree_mask = {
    .name = "tree-mask",
    .title = "Tree mask (speculative decoding)",
    .formula = "attend iff k < prefix_len, or node k - prefix_len is q or an ancestor of q",
    .when_to_use =
        "SpecInfer, Medusa and EAGLE check a tree of drafted tokens in one pass; each "
        "token attends to its own branch. out=positions gives the positions that RoPE "
        "needs.",
    .what_goes_wrong =
        "Positions are prefix_len + depth, not prefix_len + index: siblings share one. "
        "Parents must come before their children, as in the order in which drafts are "
        "made.",
    .picture = "parents=-1,0,0,0,1,1,2,2,3,4,4,5,6,7,8,9&prefix_len=8&block_size=8",
    .summary = "nodes of a drafted tree attend to their ancestors",
    .source = "Miao et al. 2024, SpecInfer; Cai et al. 2024, Medusa",
    .examples = PE_WORDS("parents=-1,0,0,1", "parents=-1,0,0,1&prefix_len=2&out=mask,positions",
                         "parents=-1,0,1,1,0&out=depth"),
    .family = PE_MASK,
    PE_TABLES_OF(struct tree_mask, masks, params, outputs),
    .resolve = resolve,
    .check = masks_check,
    .range = range,
    .shape = masks_shape,
    .plan_ns = masks_plan_ns,
    .prepare = prepare,
};
