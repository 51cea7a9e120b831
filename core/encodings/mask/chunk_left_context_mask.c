/* SPDX-License-Identifier: Apache-2.0
 * chunk_left_context_mask.c - chunks of streaming speech: all of the query's chunk, and
 * some chunks before it.
 *
 *     c = floor(q / chunk); attend iff max(c - left_chunks, 0) chunk <= k < (c + 1) chunk
 *
 * Zhang et al. 2020, WeNet's U2; SeamlessM4T v2 of transformers.
 */
#include "core/encodings/mask/masks.h"

struct chunk_left_context_mask {
    struct masks masks;
    int64_t chunk, left_chunks;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct chunk_left_context_mask, chunk), .type = PE_INT, .required = true,
     .min = 1, .max = 0x1p40},
    {PE_FIELD(struct chunk_left_context_mask, left_chunks), .type = PE_INT, .min = -1,
     .max = 0x1p40, .preset = -1, PE_OWN("transformers", MASK, BASIC),
     .summary = "number of chunks before its own that a query attends to; -1: all"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "chunk", "left_chunks")};

static struct mask_span span_of(const struct chunk_left_context_mask *v, int64_t query)
{
    int64_t chunk = masks_floor(query, v->chunk);
    int64_t first = v->left_chunks < 0 || chunk < v->left_chunks ? 0 : chunk - v->left_chunks;

    return (struct mask_span){first * v->chunk, (chunk + 1) * v->chunk - 1};
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    struct mask_span span = span_of(context, query);

    return key >= span.first && key <= span.last;
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    out[0] = span_of(context, query);
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

const struct pe_encoding pe_encoding_chunk_left_context_mask = {
    .name = "chunk-left-context-mask",
    .title = "Chunks with left context",
    .formula =
        "c = floor(q / chunk); attend iff max(c - left_chunks, 0) chunk <= k < (c + 1) chunk",
    .when_to_use = "Streaming speech encoders (WeNet, SeamlessM4T v2) see whole chunks and a "
                   "bounded past, so that latency is one chunk. Language models in chunks use "
                   "chunked-mask, which is causal.",
    .what_goes_wrong =
        "A query sees keys after it within its chunk, so the mask is not causal. "
        "left_chunks counts chunks, not frames, and -1 is all of them, not none.",
    .picture = "len=48&chunk=6&left_chunks=2&block_size=8",
    .summary = "attention within chunks and to some chunks before",
    .source = "Zhang et al. 2020, U2; transformers SeamlessM4T v2",
    .examples = PE_WORDS("len=6&chunk=2&left_chunks=1", "len=6&chunk=2",
                         "q=4:6&k=0:6&chunk=3&left_chunks=0"),
    MASKS_PAIR_HOOKS(struct chunk_left_context_mask),
};
