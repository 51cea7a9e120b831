/* SPDX-License-Identifier: Apache-2.0
 * ids_packed.c - several documents in one row: positions that begin again with each, numbers
 * of documents, and where they begin.
 *
 *     lengths 3,2 -> positions 0 1 2 0 1, documents 0 0 0 1 1, cu_seqlens 0 3 5
 *
 * Documents are also told from ids: a new one where the id of the document changes, or where
 * a position is not the one before + 1 (transformers masking_utils,
 * find_packed_sequence_indices). FlashAttention's variable-length arguments.
 */
#include "core/encoding.h"

#include <math.h>

#include "core/math/wavelength.h"

enum { POSITIONS, DOCUMENTS, CU_SEQLENS, MAX_SEQLEN };

enum { ITEMS_MAX = 4 << 20 };

struct ids_packed {
    const struct pe_positions *lengths, *cu_seqlens, *documents, *position_ids;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct ids_packed, lengths), .type = PE_POSITIONS,
     .summary = "tokens of each document: 3,2"},
    {PE_FIELD(struct ids_packed, cu_seqlens), .type = PE_POSITIONS,
     .summary = "where documents begin, and the end: 0,3,5"},
    {PE_FIELD(struct ids_packed, documents), .type = PE_POSITIONS,
     .summary = "document of each token: 0,0,0,1,1"},
    {PE_FIELD(struct ids_packed, position_ids), .type = PE_POSITIONS,
     .summary = "position of each token: 0,1,2,0,1"},
};

#define NAMES PE_WORDS("lengths", "cu_seqlens", "documents", "position_ids")

static const struct pe_output outputs[] = {
    [POSITIONS] = {"positions",
                   "position of each token in its document",
                   {"token"},
                   POSITIONS,
                   PE_I64,
                   true,
                   NAMES,
                   "exact"},
    [DOCUMENTS] = {"documents",
                   "number of each token's document",
                   {"token"},
                   DOCUMENTS,
                   PE_I64,
                   true,
                   NAMES,
                   "exact"},
    [CU_SEQLENS] = {"cu_seqlens",
                    "where documents begin, and the end",
                    {"document + 1"},
                    CU_SEQLENS,
                    PE_I64,
                    true,
                    NAMES,
                    "exact"},
    [MAX_SEQLEN] = {"max_seqlen",
                    "tokens of the longest document",
                    {NULL},
                    MAX_SEQLEN,
                    PE_I64,
                    true,
                    NAMES,
                    "exact"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static const struct pe_positions *list_of(const struct ids_packed *p)
{
    return p->lengths      ? p->lengths
           : p->cu_seqlens ? p->cu_seqlens
           : p->documents  ? p->documents
                           : p->position_ids;
}

static enum pe_status check_one(const struct ids_packed *p, struct pe_errors *errors)
{
    int lists = (p->lengths != NULL) + (p->cu_seqlens != NULL) + (p->documents != NULL) +
                (p->position_ids != NULL);

    if (lists == 0)
        return pe_fail(errors, PE_MISSING_PARAMETER, "lengths",
                       "is required, or cu_seqlens, documents or position_ids");
    if (lists > 1)
        return pe_fail(errors, PE_CONFLICT, "lengths",
                       "say the same as cu_seqlens, documents and position_ids; give one");
    if (pe_positions_count(list_of(p)) > ITEMS_MAX)
        return pe_fail(errors, PE_OUT_OF_RANGE,
                       p->lengths      ? "lengths"
                       : p->cu_seqlens ? "cu_seqlens"
                       : p->documents  ? "documents"
                                       : "position_ids",
                       "must have at most %d numbers; got %llu", ITEMS_MAX,
                       (unsigned long long)pe_positions_count(list_of(p)));
    return PE_OK;
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct ids_packed *p = values;
    enum pe_status status = check_one(p, errors);
    uint64_t count = status ? 0 : pe_positions_count(list_of(p));
    double total = 0;

    (void)args;
    if (status)
        return status;
    for (uint64_t i = 0; p->lengths && i < count; i++) {
        double length = pe_positions_at(p->lengths, i);

        if (length < 0)
            return pe_fail(errors, PE_OUT_OF_RANGE, "lengths", "must be 0 or more; got %.0f",
                           length);
        total += length;
    }
    if (total > 0x1p53)
        return pe_fail(errors, PE_OUT_OF_RANGE, "lengths",
                       "must be at most 2^53 together; got %g", total);
    if (p->cu_seqlens && (count == 0 || pe_positions_at(p->cu_seqlens, 0) != 0))
        return pe_fail(errors, PE_BAD_VALUE, "cu_seqlens", "must begin with 0");
    for (uint64_t i = 1; p->cu_seqlens && i < count; i++) {
        if (pe_positions_at(p->cu_seqlens, i) < pe_positions_at(p->cu_seqlens, i - 1))
            return pe_fail(errors, PE_BAD_VALUE, "cu_seqlens",
                           "must not fall; number %llu does", (unsigned long long)i);
    }
    return PE_OK;
}

/* ---- where documents begin ----------------------------------------------------------- */

struct packed {
    double *begins; /* [documents + 1], the last is the end; NULL: only counted */
    uint64_t documents, tokens;
    double longest;
};

static void begin(struct packed *packed, double at)
{
    if (packed->begins)
        packed->begins[packed->documents] = at;
    packed->documents++;
}

static void pack(const struct ids_packed *p, struct packed *packed)
{
    const struct pe_positions *list = list_of(p);
    uint64_t count = pe_positions_count(list);
    double end = 0, before = 0;

    for (uint64_t i = 0; i < count; i++) {
        double value = pe_positions_at(list, i);

        if (p->lengths) {
            begin(packed, end);
            end += value;
        } else if (p->cu_seqlens) {
            end = value;
            if (i + 1 < count)
                begin(packed, value);
        } else {
            if (i == 0 || value != before + (p->position_ids ? 1 : 0))
                begin(packed, (double)i);
            end = (double)(i + 1);
        }
        before = value;
    }
    packed->tokens = (uint64_t)end;
    if (!packed->begins)
        return;
    packed->begins[packed->documents] = end;
    for (uint64_t i = 0; i < packed->documents; i++)
        packed->longest = fmax(packed->longest, packed->begins[i + 1] - packed->begins[i]);
}

static void range(const struct pe_args *args, const void *values, size_t output, double *low,
                  double *high)
{
    struct packed packed = {0};

    (void)args;
    (void)output;
    pack(values, &packed);
    *low = 0;
    *high = fmax((double)packed.tokens, (double)packed.documents);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    struct packed packed = {0};

    (void)args;
    pack(values, &packed);
    dims[0] = output == CU_SEQLENS ? packed.documents + 1 : packed.tokens;
    return output == MAX_SEQLEN ? 0 : 1;
}

/* ---- how each output is filled ----------------------------------------------------------- */

/* Document of a token: the last that begins at or before it. */
static uint64_t document_of(const struct packed *packed, uint64_t token)
{
    uint64_t low = 0, high = packed->documents;

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (packed->begins[middle] <= (double)token)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void fill(const struct packed *packed, const struct pe_rect *rect, double *out,
                 bool number)
{
    uint64_t count = out ? rect->rows * rect->cols : 0; /* one row, or none */
    uint64_t document = count ? document_of(packed, rect->col) : 0;

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
    (void)input;
    (void)scratch;
    fill(state, rect, out[0], false);
}

static void fill_documents(const void *state, const struct pe_rect *rect, double *const out[],
                           const void *const input[], void *scratch)
{
    (void)input;
    (void)scratch;
    fill(state, rect, out[0], true);
}

static const struct pe_filler positions_filler = {.reference = fill_positions,
                                                  .ns_per_element = 2};
static const struct pe_filler documents_filler = {.reference = fill_documents,
                                                  .ns_per_element = 2};

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct pe_args *args = pe_build_args(build);
    struct packed count = {0}, *packed = pe_build_alloc(build, sizeof *packed);

    pack(values, &count);
    if (packed)
        packed->begins = pe_build_alloc(build, (count.documents + 1) * sizeof(double));
    if (!packed || !packed->begins)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    pack(values, packed);
    if (pe_wants(args, POSITIONS))
        pe_build_fill(build, POSITIONS, &positions_filler, packed);
    if (pe_wants(args, DOCUMENTS))
        pe_build_fill(build, DOCUMENTS, &documents_filler, packed);
    if (pe_wants(args, CU_SEQLENS))
        pe_build_fill(build, CU_SEQLENS, &wavelength_vector_filler, packed->begins);
    if (pe_wants(args, MAX_SEQLEN))
        pe_build_fill(build, MAX_SEQLEN, &wavelength_vector_filler, &packed->longest);
    return PE_OK;
}

const struct pe_encoding pe_encoding_ids_packed = {
    .name = "ids-packed",
    .summary = "positions and document ids of several documents packed into one row",
    .source = "FlashAttention cu_seqlens; transformers masking_utils.py",
    .examples = PE_WORDS("lengths=3,2", "cu_seqlens=0,3,5&out=positions", "documents=0,0,0,1,1",
                         "position_ids=0,1,2,0,1&out=cu_seqlens"),
    .family = PE_INDEX,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct ids_packed),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .check = check,
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
