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
    int64_t len, context, mask_position;
    int mask_token;
    bool two_d;
};

static const struct pe_choice tokens[] = {
    PE_ONE_AT(TOKEN_GMASK, "gmask", "[gMASK]: text is generated after the end of the context"),
    PE_ONE_AT(TOKEN_MASK, "mask", "[MASK]: a gap within the context is filled"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct ids_chatglm2d, len), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, .summary = "number of tokens: the context and what is generated"},
    {PE_FIELD(struct ids_chatglm2d, context), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53,
     .summary = "number of tokens before <sop>, the token that begins the generated part"},
    {PE_FIELD(struct ids_chatglm2d, mask_position), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, PE_OWN("ChatGLM-6B", POSITIONS, BASIC),
     .summary = "position of [MASK] or [gMASK] in the context"},
    {PE_FIELD(struct ids_chatglm2d, two_d), .type = PE_BOOL, .preset = 1,
     PE_OWN("ChatGLM-6B", CONVENTION, BASIC),
     .summary = "generated tokens have the position of the mask and a second id, as "
                "position_encoding_2d of ChatGLM-6B"},
    {PE_FIELD(struct ids_chatglm2d, mask_token), .type = PE_CHOICE, .choices = tokens,
     .when = "!two_d", PE_OWN("ChatGLM-6B", CONVENTION, ADVANCED),
     .summary = "mask token whose gap is filled: decides the positions of generated tokens"},
};

static const struct pe_output outputs[] = {
    [POSITION_IDS] = {PE_OUTPUT("position_ids", PE_I64, "token"), .label = "Position ids",
                      .sign = PE_NOT_NEGATIVE,
                      .summary =
                          "position of a token in the context; generated tokens have the "
                          "position of the mask",
                      .by_default = true, .bound = "exact"},
    [BLOCK_IDS] = {PE_OUTPUT("block_position_ids", PE_I64, "token"),
                   .label = "Block position ids", .sign = PE_NOT_NEGATIVE,
                   .summary = "number of a generated token, from 1 on; 0 in the context; needs "
                              "two_d=1",
                   .uses = PE_WORDS("len", "context", "two_d"), .bound = "exact"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ids_chatglm2d *v = values;

    if (v->context > v->len)
        pe_fail(errors, PE_CONFLICT, "context", "must be at most len, %lld; got %lld",
                (long long)v->len, (long long)v->context);
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
    int64_t most = v->mask_position > v->len ? v->mask_position : v->len;

    return (struct pe_interval){0, (double)(output == POSITION_IDS ? most : v->len)};
}

static double position_at(const void *state, uint64_t row, uint64_t col,
                          const void *const input[])
{
    const struct ids_chatglm2d *v = state;
    bool on = !v->two_d && v->mask_token == TOKEN_GMASK; /* ids count on after the context */

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
    .title = "Position ids of GLM (ChatGLM-6B)",
    .formula = "position_ids: 0 .. context - 1, then mask_position for every later token; "
               "block_position_ids: 0 in the context, then 1, 2, ...",
    .when_to_use =
        "ChatGLM-6B (the first one) turns half of each head by either row of ids. ChatGLM2 "
        "and later use ordinary positions and rope.",
    .what_goes_wrong =
        "Generated tokens repeat the position of the mask, so a port with ids 0, 1, 2, ... "
        "agrees on the prompt and fails with the first generated token. The context ends "
        "before <sop>, whose block id is 1.",
    .picture = "len=48&context=30&mask_position=29",
    .summary = "ids of GLM: position in the context, and position in what is generated",
    .source = "Du et al. 2022, GLM; ChatGLM-6B modeling_chatglm.py, get_position_ids",
    .examples = PE_WORDS("len=7&context=4&mask_position=2",
                         "len=7&context=4&mask_position=2&out=position_ids,block_position_ids",
                         "len=5&context=3&mask_position=1&two_d=0&mask_token=mask"),
    .family = PE_INDEX,
    PE_TABLES(struct ids_chatglm2d, params, outputs),
    .check = check,
    .range = range,
    .lengths = PE_WORDS("token=len"),
    .prepare = prepare,
};
