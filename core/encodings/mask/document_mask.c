/* SPDX-License-Identifier: Apache-2.0
 * document_mask.c - documents packed into one row see themselves only.
 *
 *     attend iff document[q] = document[k] >= 0, and k <= q if causal
 *
 * Document -1 is padding, as are positions after the last document. xFormers
 * BlockDiagonalMask; FlashAttention's variable lengths; FlexAttention document masks.
 */
#include "core/encodings/index/packed.h"
#include "core/encodings/mask/masks.h"

struct document_mask {
    struct masks masks;
    struct packed_lists lists;
    bool causal;
};

static const struct pe_param params[] = {
    PACKED_ROWS(struct document_mask, lists),
    {PE_FIELD(struct document_mask, causal), .type = PE_BOOL, .preset = 1,
     .summary = "a query attends to no key after it"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(PACKED_ONE_OF, MASKS_PAIRS_PADDED, "lengths", "cu_seqlens", "document_ids",
                  "position_ids", "causal")};

/* Lists that prepare computes: the tokens at which documents begin or, with document_ids, the
 * document of each token. */
struct documents {
    const struct packed *packed;
    const int64_t *ids;
    uint64_t count; /* count of ids */
    bool causal;
};

/* Returns the document of a position, or -1. */
static int64_t document_of(const struct documents *documents, int64_t position)
{
    if (position < 0)
        return -1;
    if (documents->ids)
        return (uint64_t)position < documents->count ? documents->ids[position] : -1;
    if ((uint64_t)position >= documents->packed->tokens)
        return -1;
    return (int64_t)packed_document(documents->packed, (uint64_t)position);
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct documents *documents = context;
    int64_t document = document_of(documents, query);

    return document >= 0 && (key <= query || !documents->causal) &&
           document == document_of(documents, key);
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct documents *documents = context;
    int64_t document = document_of(documents, query);

    if (document < 0)
        return 0;
    out[0].first = (int64_t)documents->packed->begins[document];
    out[0].last =
        documents->causal ? query : (int64_t)documents->packed->begins[document + 1] - 1;
    return 1;
}

static const struct mask_rule by_spans = {.sees = sees, .spans = spans, .most = 1},
                              by_ids = {.sees = sees, .witness = mask_own_key};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct document_mask *v = values;
    struct packed packed = {0};

    packed_check(&v->lists, errors);
    if (errors->count > 0)
        return;
    packed_read(&v->lists, &packed);
    masks_resolve(args, &v->masks, v->lists.document_ids ? &by_ids : &by_spans,
                  (int64_t)packed.tokens, errors);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct document_mask *v = values;
    struct documents *documents = pe_build_alloc(build, sizeof *documents);

    if (!documents)
        return;
    documents->causal = v->causal;
    if (v->lists.document_ids) {
        documents->ids = masks_list(build, v->lists.document_ids);
        documents->count = pe_positions_count(v->lists.document_ids);
    } else {
        documents->packed = packed_new(build, &v->lists);
    }
    if (!documents->ids && !documents->packed)
        return;
    masks_prepare_rule(build, &v->masks, documents);
}

const struct pe_encoding pe_encoding_document_mask = {
    .name = "document-mask",
    .title = "Document mask (packed sequences)",
    .formula = "attend iff document[q] = document[k] >= 0, and k <= q if causal",
    .when_to_use =
        "Training packs several documents into one row; this mask keeps them apart. "
        "Kernels for variable lengths take cu_seqlens in its place, and ids-packed makes "
        "the positions that restart in each document.",
    .what_goes_wrong =
        "Without it documents read each other: the loss looks better and the model is "
        "worse. Positions must restart too, and document_ids count tokens, so a wrong "
        "end moves every later document by one.",
    .picture = "lengths=10,18,6,14&block_size=8",
    .summary = "documents packed into one row attend to themselves only",
    .source = "xFormers BlockDiagonalMask; FlashAttention cu_seqlens; FlexAttention",
    .examples = PE_WORDS("lengths=2,2", "cu_seqlens=0,2,5&causal=0",
                         "document_ids=0,0,1,1,-1&out=additive", "position_ids=0,1,0,1,2",
                         "lengths=2,3&q=4&k=0:5&out=runs"),
    MASKS_HOOKS(struct document_mask),
    .resolve = resolve,
    .prepare = prepare,
};
