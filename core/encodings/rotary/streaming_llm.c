/* SPDX-License-Identifier: Apache-2.0
 * streaming_llm.c - the tokens that stay in a bounded cache: the first few (attention sinks)
 * and the last ones; positions are those within the cache.
 *
 * Xiao et al. 2023, Efficient Streaming Language Models with Attention Sinks.
 */
#include "core/encoding.h"

enum { KEPT, POSITIONS };

struct streaming_llm {
    int64_t length, start, recent;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct streaming_llm, length), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, .summary = "tokens so far"},
    {PE_FIELD(struct streaming_llm, start), .type = PE_INT, .min = 0, .max = 0x1p40,
     .preset = 4, .summary = "tokens kept at the beginning (start_size)"},
    {PE_FIELD(struct streaming_llm, recent), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p40, .summary = "tokens kept at the end (recent_size)"},
};

static const struct pe_output outputs[] = {
    [KEPT] = {PE_OUTPUT("kept", PE_I64, "slot"),
              .summary = "indices of the tokens that are kept", .by_default = true,
              .bound = "exact"},
    [POSITIONS] = {PE_OUTPUT("positions", PE_I64, "slot"),
                   .summary = "positions they are rotated by: places in the cache",
                   .by_default = true, .bound = "exact"},
};

static int64_t count_of(const struct streaming_llm *s)
{
    int64_t capacity = s->start + s->recent;

    return s->length < capacity ? s->length : capacity;
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct streaming_llm *s = values;

    return (struct pe_interval){0, (double)(output == KEPT ? s->length : count_of(s))};
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    dims[0] = (uint64_t)count_of(values);
    return 1;
}

static double kept_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct streaming_llm *s = state;
    int64_t slot = (int64_t)col;

    return (double)(slot < s->start ? slot : slot + s->length - count_of(s));
}

static double position_at(const void *state, uint64_t row, uint64_t col,
                          const void *const input[])
{
    return (double)col;
}

static const struct pe_filler kept_filler = {.element = kept_at, .ns_per_element = 1};
static const struct pe_filler positions_filler = {.element = position_at, .ns_per_element = 1};

static void prepare(struct pe_build *build, const void *values)
{
    pe_build_fill(build, KEPT, &kept_filler, values);
    pe_build_fill(build, POSITIONS, &positions_filler, values);
}

const struct pe_encoding pe_encoding_streaming_llm = {
    .name = "streaming-llm",
    .summary = "tokens that a bounded cache keeps, and their positions in it",
    .source = "Xiao et al. 2023, Attention Sinks; mit-han-lab/streaming-llm",
    .examples = PE_WORDS("length=12&start=2&recent=4", "length=3&recent=4",
                         "length=100&recent=6&out=kept"),
    .family = PE_ROTARY,
    PE_TABLES(struct streaming_llm, params, outputs),
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
