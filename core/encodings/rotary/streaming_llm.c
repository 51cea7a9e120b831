/* SPDX-License-Identifier: Apache-2.0
 * streaming_llm.c - the tokens that stay in a bounded cache: the first few (attention sinks)
 * and the last ones; positions are those within the cache.
 *
 * Xiao et al. 2023, Efficient Streaming Language Models with Attention Sinks.
 */
#include "core/encoding.h"

enum { KEPT, POSITIONS };

struct streaming_llm {
    int64_t len, sink_tokens, recent;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct streaming_llm, len), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, .summary = "number of tokens that the model has read so far"},
    {PE_FIELD(struct streaming_llm, sink_tokens), .type = PE_INT, .min = 0, .max = 0x1p40,
     .preset = 4, .summary = "number of first tokens that the cache keeps (start_size)"},
    {PE_FIELD(struct streaming_llm, recent), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p40, PE_OWN("Xiao et al. 2023", MASK, BASIC),
     .summary = "number of last tokens that the cache keeps (recent_size)"},
};

static const struct pe_output outputs[] = {
    [KEPT] = {PE_OUTPUT("kept", PE_I64, "slot"), .label = "Kept tokens",
              .sign = PE_NOT_NEGATIVE,
              .summary = "index of the token in each slot of the cache", .by_default = true,
              .bound = "exact"},
    [POSITIONS] = {PE_OUTPUT("positions", PE_I64, "slot"), .label = "Positions",
                   .sign = PE_NOT_NEGATIVE,
                   .summary =
                       "position by which the token of each slot is turned: its slot in the "
                       "cache",
                   .by_default = true, .bound = "exact"},
};

static int64_t count_of(const struct streaming_llm *s)
{
    int64_t capacity = s->sink_tokens + s->recent;

    return s->len < capacity ? s->len : capacity;
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct streaming_llm *s = values;

    return (struct pe_interval){0, (double)(output == KEPT ? s->len : count_of(s))};
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

    return (double)(slot < s->sink_tokens ? slot : slot + s->len - count_of(s));
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
    .title = "StreamingLLM cache",
    .formula =
        "kept = 0 .. sink_tokens - 1, then len - recent .. len - 1; positions = 0, 1, 2, ... "
        "in the cache",
    .when_to_use =
        "StreamingLLM generates without end in constant memory: the cache keeps the first "
        "tokens and the last ones. attention-sink-window-mask is the same as a mask.",
    .what_goes_wrong =
        "Positions are slots of the cache, not places in the text, so cached keys must be "
        "stored before rotation or turned again (cached_pos of rope/apply). Dropping the "
        "first tokens as well ruins the output.",
    .picture = "len=100&sink_tokens=4&recent=28",
    .summary = "tokens that a bounded cache keeps, and their positions in it",
    .source = "Xiao et al. 2023, Attention Sinks; mit-han-lab/streaming-llm",
    .examples = PE_WORDS("len=12&sink_tokens=2&recent=4", "len=3&recent=4",
                         "len=100&recent=6&out=kept"),
    .family = PE_ROTARY,
    PE_TABLES(struct streaming_llm, params, outputs),
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
