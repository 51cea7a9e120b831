/* SPDX-License-Identifier: Apache-2.0
 * xlnet_permutation_mask.c - attention to positions predicted before, in any order.
 *
 *     content stream: attend iff r[k] <= r[q]; query stream: r[k] < r[q]
 *
 * r = permutation: r[p] is the rank at which position p is predicted. Yang et al. 2019, XLNet,
 * section 2.3.
 */
#include "core/encodings/mask/masks.h"

enum { ORDER_MOST = 4 << 20 };
enum { CONTENT, QUERY };

struct xlnet_permutation_mask {
    struct masks masks;
    const struct pe_positions *permutation;
    int stream;
};

static const struct pe_choice streams[] = {
    PE_ONE_AT(CONTENT, "content", "the content stream: a position attends to itself"),
    PE_ONE_AT(QUERY, "query",
              "the query stream: a position does not attend to itself, and the first one "
              "attends to nothing"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct xlnet_permutation_mask, permutation), .type = PE_POSITIONS,
     .required = true, PE_OWN("Yang et al. 2019", POSITIONS, BASIC),
     .summary = "rank at which each position is predicted: 2,0,1"},
    {PE_FIELD(struct xlnet_permutation_mask, stream), .type = PE_CHOICE, .choices = streams,
     PE_OWN("Yang et al. 2019", MASK, BASIC),
     .summary = "which of the two streams of XLNet the mask serves"},
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(NULL, "permutation", "stream", "attention_mask")};

struct ranks {
    const int64_t *of;
    bool self;
    int64_t first; /* a position of the least rank: every query that sees any key sees it */
};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct ranks *ranks = context;

    return ranks->of[key] < ranks->of[query] + ranks->self;
}

static int64_t witness(const void *context, int64_t query)
{
    const struct ranks *ranks = context;

    return ranks->first;
}

static const struct mask_rule rule = {.sees = sees, .witness = witness};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct xlnet_permutation_mask *v = values;
    uint64_t count = pe_positions_count(v->permutation);

    if (count > ORDER_MOST)
        pe_fail(errors, PE_OUT_OF_RANGE, "permutation",
                "must have at most %d numbers; got %llu", ORDER_MOST,
                (unsigned long long)count);
    else
        masks_resolve_sizes(&v->masks, &rule, count, count);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct xlnet_permutation_mask *v = values;
    struct ranks *ranks = pe_build_alloc(build, sizeof *ranks);

    if (ranks)
        *ranks = (struct ranks){masks_list(build, v->permutation), v->stream == CONTENT, 0};
    for (uint64_t i = 0; ranks && ranks->of && i < v->masks.keys; i++)
        if (ranks->of[i] < ranks->of[ranks->first])
            ranks->first = (int64_t)i;
    masks_prepare_rule(build, &v->masks, ranks && ranks->of ? ranks : NULL);
}

const struct pe_encoding pe_encoding_xlnet_permutation_mask = {
    .name = "xlnet-permutation-mask",
    .title = "XLNet permutation mask",
    .formula =
        "content stream: attend iff r[k] <= r[q]; query stream: r[k] < r[q]; r = permutation",
    .when_to_use =
        "XLNet predicts the tokens of a sentence in a random order; any order language "
        "model trains with such a mask.",
    .what_goes_wrong =
        "permutation[p] is the rank of position p, not the position of rank p: the "
        "inverse permutation gives a mask of the same shape. In the query stream the "
        "first position attends to nothing, and a softmax of -inf is NaN.",
    .picture =
        "permutation=16,21,23,18,17,22,20,19,7,5,6,2,3,0,4,1,26,24,25,30,28,31,29,27,14,8,10,"
        "15,12,9,13,11&block_size=8",
    .summary = "attention to what is predicted before, in any order",
    .source = "Yang et al. 2019, XLNet, section 2.3",
    .examples = PE_WORDS("permutation=2,0,1", "permutation=2,0,1&stream=query",
                         "permutation=3,1,0,2&stream=query&fully_masked=keep_self"),
    MASKS_HOOKS(struct xlnet_permutation_mask),
    .resolve = resolve,
    .prepare = prepare,
};
