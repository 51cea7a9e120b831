/* SPDX-License-Identifier: Apache-2.0
 * chunk_left_context_mask.c - chunks of streaming speech: all of the query's chunk, and
 * some chunks before it.
 *
 *     c = floor(q / chunk); attend iff max(c - left, 0) chunk <= k < (c + 1) chunk
 *
 * Zhang et al. 2020, WeNet's U2; SeamlessM4T v2 of transformers.
 */
#include "core/encodings/mask/masks.h"

struct chunk_left_context_mask {
    struct masks masks;
    int64_t chunk, left;
};
_Static_assert(offsetof(struct chunk_left_context_mask, masks) == 0,
               "hooks of masks.h read it there");

static const struct pe_param params[] = {
    {PE_FIELD(struct chunk_left_context_mask, chunk), .type = PE_INT, .required = true,
     .min = 1, .max = 0x1p40, .summary = "positions of a chunk"},
    {PE_FIELD(struct chunk_left_context_mask, left), .type = PE_INT, .min = -1, .max = 0x1p40,
     .preset = -1, .summary = "chunks before the query's that are seen; -1: all"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {MASKS_OUTPUTS(MASKS_PAIRS_PADDED, "chunk", "left")};

static struct mask_span span_of(const struct chunk_left_context_mask *v, int64_t query)
{
    int64_t chunk = masks_floor(query, v->chunk);
    int64_t first = v->left < 0 || chunk < v->left ? 0 : chunk - v->left;

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
    .summary = "attention within chunks and to some chunks before",
    .source = "Zhang et al. 2020, U2; transformers SeamlessM4T v2",
    .examples = PE_WORDS("len=6&chunk=2&left=1", "len=6&chunk=2", "q=4:6&k=0:6&chunk=3&left=0"),
    MASKS_PAIR_HOOKS(struct chunk_left_context_mask),
};
