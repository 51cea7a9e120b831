/* SPDX-License-Identifier: Apache-2.0
 * ids_packed.c - positions that begin again with each document of a row, numbers of documents,
 * and the tokens at which documents begin.
 *
 *     lengths 3,2 -> positions 0 1 2 0 1, documents 0 0 0 1 1, cu_seqlens 0 3 5
 *
 * Documents are also found from ids: one begins where the document's id changes, or where a
 * position is not the position before + 1 (transformers masking_utils,
 * find_packed_sequence_indices). FlashAttention's variable-length arguments.
 */
#include "core/encodings/index/packed.h"

#include <math.h>

#include "core/math/precomputed.h"

enum { POSITIONS, DOCUMENTS, CU_SEQLENS, MAX_SEQLEN };

struct ids_packed {
    struct packed_lists lists;
};

static const struct pe_param params[] = {
    PACKED_ROWS(struct ids_packed, lists),
};

static const struct pe_output outputs[] = {
    [POSITIONS] = {PE_OUTPUT("positions", PE_I64, "token"), .label = "Positions",
                   .one_of = PACKED_ONE_OF, .sign = PE_NOT_NEGATIVE,
                   .summary = "position of each token in its document", .by_default = true,
                   .bound = "exact"},
    [DOCUMENTS] = {PE_OUTPUT("documents", PE_I64, "token"), .label = "Documents",
                   .one_of = PACKED_ONE_OF, .sign = PE_NOT_NEGATIVE,
                   .summary = "index of the document of each token", .by_default = true,
                   .bound = "exact"},
    [CU_SEQLENS] = {PE_OUTPUT("cu_seqlens", PE_I64, "boundary"), .label = "Boundaries",
                    .one_of = PACKED_ONE_OF, .sign = PE_NOT_NEGATIVE,
                    .summary =
                        "token at which each document begins, and the end of the last, as "
                        "cu_seqlens of FlashAttention",
                    .by_default = true, .bound = "exact"},
    [MAX_SEQLEN] = {PE_OUTPUT("max_seqlen", PE_I64, NULL), .label = "Longest document",
                    .one_of = PACKED_ONE_OF, .sign = PE_NOT_NEGATIVE,
                    .summary = "number of tokens of the longest document", .by_default = true,
                    .bound = "exact"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ids_packed *p = values;

    packed_check(&p->lists, errors);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct ids_packed *p = values;
    struct packed packed = {0};

    packed_read(&p->lists, &packed);
    return (struct pe_interval){0, fmax((double)packed.tokens, (double)packed.documents)};
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct ids_packed *p = values;
    struct packed packed = {0};

    packed_read(&p->lists, &packed);
    dims[0] = output == CU_SEQLENS ? packed.documents + 1 : packed.tokens;
    return output == MAX_SEQLEN ? 0 : 1;
}

/* The list is read once for each wanted shape and once by prepare. */
static double plan_ns(const struct pe_args *args, const void *values)
{
    size_t wanted[PE_MAX_OUTPUTS];

    return packed_read_ns(&((const struct ids_packed *)values)->lists) *
           (1 + (double)pe_args_wanted(args, wanted));
}

/* ---- how each output is filled ----------------------------------------------------------- */

static void fill(const struct packed *packed, const struct pe_rect *rect, double *out,
                 bool number)
{
    uint64_t count = out ? rect->rows * rect->cols : 0; /* the output is one row, or empty */
    uint64_t document = count ? packed_document(packed, rect->col) : 0;

    for (uint64_t i = 0; i < count; i++) {
        double token = (double)(rect->col + i);

        while (packed->begins[document + 1] <= token)
            document++;
        out[i] = number ? (double)document : token - packed->begins[document];
    }
}

static void fill_positions(const void *state, const struct pe_rect *rect, double *const out[],
                           const void *const input[], void *scratch)
{
    fill(state, rect, out[0], false);
}

static void fill_documents(const void *state, const struct pe_rect *rect, double *const out[],
                           const void *const input[], void *scratch)
{
    fill(state, rect, out[0], true);
}

static const struct pe_filler positions_filler = {.reference = fill_positions,
                                                  .ns_per_element = 2};
static const struct pe_filler documents_filler = {.reference = fill_documents,
                                                  .ns_per_element = 2};

static void prepare(struct pe_build *build, const void *values)
{
    const struct ids_packed *p = values;
    const struct packed *packed = packed_new(build, &p->lists);

    if (!packed)
        return;
    pe_build_fill(build, POSITIONS, &positions_filler, packed);
    pe_build_fill(build, DOCUMENTS, &documents_filler, packed);
    precomputed_show(build, CU_SEQLENS, packed->begins, packed->documents + 1);
    precomputed_show(build, MAX_SEQLEN, &packed->longest, 1);
}

const struct pe_encoding pe_encoding_ids_packed = {
    .name = "ids-packed",
    .title = "Positions of packed documents",
    .formula = "lengths 3,2 -> positions 0 1 2 0 1, documents 0 0 0 1 1, cu_seqlens 0 3 5",
    .when_to_use =
        "Training and serving pack documents into one row without padding: kernels of "
        "variable length take cu_seqlens and max_seqlen, rotary encodings the positions, "
        "document-mask the mask.",
    .what_goes_wrong =
        "Positions that run on over the documents give right shapes and wrong relative "
        "distances where attention is not cut. cu_seqlens has one number more than "
        "documents, from 0 to the count of tokens, and kernels expect int32.",
    .picture = "lengths=10,18,6,14",
    .summary = "positions and document ids of several documents packed into one row",
    .source = "FlashAttention cu_seqlens; transformers masking_utils.py",
    .examples = PE_WORDS("lengths=3,2", "cu_seqlens=0,3,5&out=positions",
                         "document_ids=0,0,0,1,1", "position_ids=0,1,2,0,1&out=cu_seqlens"),
    .family = PE_INDEX,
    PE_TABLES(struct ids_packed, params, outputs),
    .check = check,
    .range = range,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
