/* SPDX-License-Identifier: Apache-2.0
 * bias_drafts.c - see bias_drafts.h. The last query stands at the last key. Distances up to
 * half of the buckets of a sign are buckets of their own; where the last begins is tried. */
#include "core/verify/sight/bias_drafts.h"

#include <inttypes.h>
#include <math.h>

#include "core/verify/sight/values.h"

enum { TEXT = 256, MOST_TRIED = 12 };

struct sides {
    uint64_t heads, queries, keys;
    uint64_t buckets, most; /* 0: they are no buckets */
};

static bool add_sides(struct values *values, const void *shown)
{
    const struct sides *of = shown;
    bool said = false;

    if (of->buckets > 0)
        said = (values_whole(values, "position_buckets", of->buckets) &&
                values_whole(values, "max_relative_positions", of->most)) ||
               (values_whole(values, "num_buckets", of->buckets) &&
                values_whole(values, "max_distance", of->most));
    else
        said = values_whole(values, "heads", of->heads);
    if (!said || !values_begin(values, "q"))
        return false;
    values_append(values, "%" PRIu64 ":%" PRIu64, of->keys - of->queries, of->keys);
    if (values_begin(values, "k"))
        values_append(values, "0:%" PRIu64, of->keys);
    return true;
}

/* Tries the encodings of biases, of which a tensor of heads is a bias whatever its name. */
static struct pe_args *try_sides(struct sight *sight, const struct sides *of,
                                 struct pe_verify_role *roles)
{
    const struct pe_verify_tensor *tensors = sight->tensors;
    struct pe_verify_tensor bias = tensors[0];

    if (of->buckets > 0)
        return values_try_family(sight, PE_BIAS, TEXT, add_sides, of, roles);
    bias.role = bias.role ? bias.role : "bias";
    sight->tensors = &bias;
    struct pe_args *args = values_try_family(sight, PE_BIAS, TEXT, add_sides, of, roles);
    sight->tensors = tensors;
    return args;
}

/* Returns the number of distances before the last query that are buckets of their own. */
static uint64_t own_buckets(const struct view *view)
{
    const uint64_t keys = view_cols(view), last = view_rows(view) - 1;
    uint64_t count = 0;

    while (count < keys && fabs(view_element(view, last, keys - 1 - count)) == (double)count)
        count++;
    return count;
}

/* Tries half as many buckets as are shown, up to all: where the first of the others are as wide
 * as one distance, more are shown than there are. */
static struct pe_args *try_buckets(struct sight *sight, const struct view *view,
                                   struct sides of, struct pe_verify_role *roles)
{
    const uint64_t own = own_buckets(view);
    struct pe_args *args = NULL;

    if (own < 3 || own >= of.keys || view->least != floor(view->least))
        return NULL;
    for (uint64_t half = own; 2 * half >= own && !args; half--) {
        if (half + 1 < own && (half & (half - 1)) != 0)
            continue; /* farther off numbers are powers of two */
        for (uint64_t i = 1; i <= 2 * MOST_TRIED && !args; i++) {
            of.buckets = i > MOST_TRIED ? 4 * half : 2 * half;
            of.most = half << (i > MOST_TRIED ? i - MOST_TRIED : i);
            args = try_sides(sight, &of, roles);
        }
    }
    return args;
}

struct pe_args *bias_drafts_try(struct sight *sight, struct pe_verify_role *roles)
{
    const struct view *view = &sight->views[0];
    struct sides of = {.heads = 1};

    if (sight->count != 1 || view->rank < 2 || view_rows(view) == 0 || view_cols(view) < 2)
        return NULL;
    of.keys = view->dims[view->rank - 1];
    of.queries = view->dims[view->rank - 2];
    of.heads = view->rank > 2 ? view->dims[view->rank - 3] : 1;
    if (of.queries > of.keys)
        return NULL;
    struct pe_args *args = view->rank == 2 ? try_buckets(sight, view, of, roles) : NULL;
    return args || of.queries == of.keys || view->rank == 2 ? args
                                                            : try_sides(sight, &of, roles);
}
