/* SPDX-License-Identifier: Apache-2.0
 * ids_chatglm2d.c - the two rows of ids of GLM: the position of a token in the context, and its
 * number among generated tokens.
 *
 *     position_ids: 0 .. context-1, then the position of the mask for every later token
 *     block_position_ids: 0 in the context, then 1, 2, ...
 *
 * Du et al. 2022, GLM; ChatGLM-6B modeling_chatglm.py, get_position_ids.
 */
#include "core/encoding.h"

enum { POSITION_IDS, BLOCK_IDS };
enum { TOKEN_GMASK, TOKEN_MASK };

struct ids_chatglm2d {
    int64_t length, context, mask_position;
    int token;
    bool two_d;
};

static const struct pe_choice tokens[] = {
    [TOKEN_GMASK] = {"gmask", NULL, "[gMASK]: text goes on at the end", NULL},
    [TOKEN_MASK] = {"mask", NULL, "[MASK]: a gap in the text is filled", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct ids_chatglm2d, length), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, .summary = "tokens in all"},
    {PE_FIELD(struct ids_chatglm2d, context), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, .summary = "tokens before <sop> (bos)"},
    {PE_FIELD(struct ids_chatglm2d, mask_position), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, .summary = "where [MASK] or [gMASK] stands"},
    {PE_FIELD(struct ids_chatglm2d, two_d), .type = PE_BOOL, .preset = 1,
     .summary = "position_encoding_2d; else [gMASK] counts on to the end"},
    {PE_FIELD(struct ids_chatglm2d, token), .type = PE_CHOICE, .choices = tokens,
     .when = "!two_d", .summary = "which mask"},
};

static const struct pe_output outputs[] = {
    [POSITION_IDS] = {PE_OUTPUT("position_ids", PE_I64, "token"),
                      .summary =
                          "position in the context; of what is generated, that of the mask",
                      .by_default = true, .bound = "exact"},
    [BLOCK_IDS] = {PE_OUTPUT("block_position_ids", PE_I64, "token"),
                   .summary = "0 in the context, then 1, 2, ... (two_d=1)",
                   .uses = PE_WORDS("length", "context", "two_d"), .bound = "exact"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ids_chatglm2d *v = values;

    if (v->context > v->length)
        pe_fail(errors, PE_CONFLICT, "context", "must be at most length, %lld; got %lld",
                (long long)v->length, (long long)v->context);
    if (pe_wants(args, POSITION_IDS) && v->mask_position >= v->context && v->context > 0)
        pe_fail(errors, PE_CONFLICT, "mask_position",
                "must be within the context, below %lld; got %lld", (long long)v->context,
                (long long)v->mask_position);
    if (!v->two_d && pe_wants(args, BLOCK_IDS))
        pe_fail(errors, PE_CONFLICT, "out", "has no block_position_ids with two_d=0");
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct ids_chatglm2d *v = values;
    int64_t most = v->mask_position > v->length ? v->mask_position : v->length;

    return (struct pe_interval){0, (double)(output == POSITION_IDS ? most : v->length)};
}

static double position_at(const void *state, uint64_t row, uint64_t col,
                          const void *const input[])
{
    const struct ids_chatglm2d *v = state;
    bool on = !v->two_d && v->token == TOKEN_GMASK; /* ids count on after the context */

    return on || col < (uint64_t)v->context ? (double)col : (double)v->mask_position;
}

static double block_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    uint64_t context = (uint64_t)((const struct ids_chatglm2d *)state)->context;

    return col < context ? 0 : (double)(col - context + 1);
}

static const struct pe_filler positions_filler = {.element = position_at, .ns_per_element = 1};
static const struct pe_filler blocks_filler = {.element = block_at, .ns_per_element = 1};

static void prepare(struct pe_build *build, const void *values)
{
    pe_build_fill(build, POSITION_IDS, &positions_filler, values);
    pe_build_fill(build, BLOCK_IDS, &blocks_filler, values);
}

const struct pe_encoding pe_encoding_ids_chatglm2d = {
    .name = "ids-chatglm2d",
    .summary = "ids of GLM: position in the context, and position in what is generated",
    .source = "Du et al. 2022, GLM; ChatGLM-6B modeling_chatglm.py, get_position_ids",
    .examples =
        PE_WORDS("length=7&context=4&mask_position=2",
                 "length=7&context=4&mask_position=2&out=position_ids,block_position_ids",
                 "length=5&context=3&mask_position=1&two_d=0&token=mask"),
    .family = PE_INDEX,
    PE_TABLES(struct ids_chatglm2d, params, outputs),
    .check = check,
    .range = range,
    .lengths = PE_WORDS("token=length"),
    .prepare = prepare,
};
