/* SPDX-License-Identifier: Apache-2.0
 * mrope_apply.c - the client's queries and keys, rotated by time, row and column: the table of
 * mrope.c applied by the kernel of rotate.h. */
#include "core/encodings/rotary/mrope.h"
#include "core/encodings/rotary/vectors.h"
#include "core/math/axes_turn.h"

struct apply {
    struct mrope mrope;
    int rotate_math;
    bool inverse;
    struct vectors vectors;
};

enum { PAIRING_HALF, PAIRING_ADJACENT };
enum { MATH_UPCAST, MATH_IN_DTYPE };

static const struct pe_choice pairings[] = {
    [PAIRING_HALF] = {"half", PE_WORDS("neox"), "pairs (k, k + r/2): Hugging Face, vLLM", NULL},
    [PAIRING_ADJACENT] = {"adjacent", PE_WORDS("interleaved", "gptj"),
                          "pairs (2k, 2k + 1): ERNIE", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice maths[] = {
    {"upcast", NULL, "in double, rounded once", NULL},
    {"in_dtype", PE_WORDS("in-dtype"), "each step rounded as the tensor's dtype", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD_OF(struct apply, mrope.ladder, dim), .type = PE_INT, .optional = true, .min = 2,
     .max = 65536, .summary = "width of a head; the tensor's last axis, which must agree"},
    LADDER_ROWS_BUT_DIM(struct apply, mrope.ladder),
    MROPE_ROWS(struct apply, mrope),
    {PE_FIELD_OF(struct apply, mrope, pairing), .type = PE_CHOICE, .choices = pairings,
     .summary = "which coordinates rotate together"},
    {PE_FIELD(struct apply, rotate_math), .type = PE_CHOICE, .choices = maths,
     .summary = "where results are rounded"},
    {PE_FIELD(struct apply, inverse), .type = PE_BOOL, .optional = true,
     .summary = "rotate back: by minus the angle, times 1/A"},
    VECTORS_ROWS(struct apply, vectors),
};

#define NAMES LADDER_NAMES, MROPE_NAMES, "pairing", "rotate_math", "inverse", "seq_axis"

static const char bound[] = "0.501 ULP, where the two terms cancel 2^-51 of the pair's length; "
                            "f64 4 ULP of the pair's length; in_dtype and the profiles round "
                            "as they do";

static const struct pe_output outputs[] = {
    [VECTORS_X] = {"x", "the vectors, rotated", {"...", "dim"}, VECTORS_X, PE_F32, true,
                   PE_WORDS(NAMES, "x"), bound},
    [VECTORS_Q] = {"q", "the queries, rotated", {"...", "dim"}, VECTORS_Q, PE_F32, false,
                   PE_WORDS(NAMES, "q"), bound},
    [VECTORS_K] = {"k", "the keys, rotated", {"...", "dim"}, VECTORS_K, PE_F32, false,
                   PE_WORDS(NAMES, "k"), bound},
};

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    (void)args;
    return vectors_shape(&((const struct apply *)values)->vectors, output, dims);
}

static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct apply *a = values;
    enum pe_status status =
        vectors_resolve_dim(args, &a->vectors, &a->mrope.ladder.dim, errors);

    if (!status && a->mrope.ladder.dim % 2 != 0)
        status = pe_fail(errors, PE_CONFLICT, "x", "must have an even last axis; got %lld",
                         (long long)a->mrope.ladder.dim);
    if (!status)
        status = mrope_resolve(&a->mrope, true, true, errors);
    if (!status)
        status = vectors_resolve_axis(args, &a->vectors, a->mrope.ids.rows > 0 ? "ids" : "pos",
                                      mrope_points(&a->mrope).rows, errors);
    return status;
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    (void)args;
    return ladder_key(&((const struct apply *)values)->mrope.ladder, false, text, size);
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct apply *a = values;
    struct rotation_table *table = ladder_table(&a->mrope.ladder, false);

    (void)args;
    if (table)
        *bytes = table->bytes;
    return table;
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct apply *a = values;
    struct spatial_layout layout = mrope_layout(&a->mrope);
    struct axes_turn *turn = pe_build_alloc(build, sizeof *turn);
    const bool adjacent = a->mrope.pairing == PAIRING_ADJACENT;
    struct rotate form = {.span = {.pairs = layout.pairs, .adjacent = adjacent,
                                   .adjacent_out = adjacent,
                                   .in_dtype = a->rotate_math == MATH_IN_DTYPE},
                          .turn = axes_turn_row, .context = turn};

    layout.pairing = SPATIAL_HALF;
    if (turn && mrope_layout_build(build, &a->mrope, pe_build_table(build), a->inverse, &layout))
        *turn = (struct axes_turn){spatial_axes(build, &layout), a->inverse};
    if (!turn || !turn->axes || !vectors_prepare(build, &a->vectors, &form))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    ladder_facts(build, &a->mrope.ladder);
    return PE_OK;
}

const struct pe_encoding pe_encoding_mrope_apply = {
    .name = "mrope/apply",
    .summary = "queries and keys rotated by time, row and column",
    .source = "transformers modeling_qwen2_vl.py apply_multimodal_rotary_pos_emb",
    .examples = PE_WORDS("pos=3&x=1,0,0,1,0,0&mrope_section=1,1,1",
                         "ids=2,3,5&x=1,2,3,4,5,6,7,8&mrope_section=2,1,1&variant=interleaved",
                         "pos.t=2&pos.h=3&pos.w=5&x=1,2,3,4,5,6,7,8&mrope_section=1,1,2"
                         "&variant=ernie&pairing=adjacent&inverse=1"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_INPUT,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct apply),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .resolve = resolve,
    .shape = shape,
    .table_key = table_key,
    .table_build = table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
