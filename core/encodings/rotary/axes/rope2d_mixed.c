/* SPDX-License-Identifier: Apache-2.0
 * rope2d_mixed.c - rotations by column and row at once, with frequencies learned in training:
 *
 *     angle_i = F[0,i] x + F[1,i] y
 *
 * Scores depend on the vector (dx, dy) alone. Heo et al. 2024, Rotary Position Embedding for
 * Vision Transformer, RoPE-Mixed. The columns of F are head after head. */
#include "core/encodings/spatial/spatial_apply.h"
#include "core/encodings/spatial/spatial_dense.h"

struct rope2d_mixed {
    struct spatial spatial;
    struct pe_reals freqs;
};

#define ROWS                                                                                   \
    SPATIAL_ROW_GRID(struct rope2d_mixed, spatial),                                            \
        {PE_FIELD(struct rope2d_mixed, freqs),                                                 \
         .type = PE_REALS,                                                                     \
         .required = true,                                                                     \
         .matrix = true,                                                                       \
         .min = -1e18,                                                                         \
         .max = 1e18,                                                                          \
         .unit = "radians",                                                                    \
         .summary =                                                                            \
             "learned frequencies F in radians a patch: a row for columns, a row for rows, "   \
             "head after head, as 1,0;0,1"},                                                   \
        SPATIAL_ROW_PREFIX(struct rope2d_mixed, spatial),                                      \
        SPATIAL_ROW_PAIRING(struct rope2d_mixed, spatial, SPATIAL_ADJACENT)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_WIDTH(struct rope2d_mixed, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS,
    VECTORS_ROW_HEAD_AXIS(struct rope2d_mixed, spatial.vectors),
    SPATIAL_APPLY_ROWS(struct rope2d_mixed, spatial),
};

#define NAMES "grid", "freqs", "prefix_tokens", "pairing"
static const char *const freq_names[] = {"freqs", NULL};

static const struct pe_output outputs[] = {
    DENSE_OUTPUT_ROWS(NULL, freq_names, DENSE_BOUND, "0.501 ULP; f64 exact")};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES, "head_axis")};

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope2d_mixed *r = values;

    if (r->freqs.rows != 2)
        pe_fail(errors, PE_CONFLICT, "freqs",
                "must have two rows, of columns (x) and of rows (y); got %zu", r->freqs.rows);
    else
        spatial_dense_check_heads(&r->spatial, r->freqs.cols, errors);
}

/* Points have the row first, F has the column first: `frequencies` exchanges the rows of F. */
static struct spatial_layout layout_of(const void *values)
{
    const struct rope2d_mixed *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    layout.pairs = r->freqs.cols;
    layout.heads = spatial_dense_heads(&r->spatial, r->freqs.cols);
    return layout;
}

static const double *frequencies(struct pe_build *build, const void *values)
{
    const struct rope2d_mixed *r = values;
    const size_t pairs = r->freqs.cols;
    double *rows_first = pe_build_alloc(build, 2 * pairs * sizeof *rows_first);

    for (size_t i = 0; rows_first && i < pairs; i++) {
        rows_first[i] = r->freqs.values[pairs + i];
        rows_first[pairs + i] = r->freqs.values[i];
    }
    return rows_first;
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .frequencies = frequencies,
    .part = offsetof(struct rope2d_mixed, spatial),
    .multiple = 2,
    .rows = "grid",
};

const struct pe_encoding pe_encoding_rope2d_mixed = {
    .name = "rope2d-mixed",
    .title = "Mixed rotary embedding of images",
    .formula = "angle of pair i at (column x, row y) = freqs[0][i] x + freqs[1][i] y",
    .when_to_use =
        "rope-vit with learned frequencies (RoPE-Mixed): each pair turns along a direction "
        "of its own. rope2d-axial needs no weights; rope-nd takes frequencies for any number "
        "of axes, rope-golden-gate spreads directions evenly.",
    .what_goes_wrong =
        "The first row of freqs belongs to the column x, the second to the row y. Every "
        "layer and every head has frequencies of its own: take those of the layer, and put "
        "the heads one after the other. Class tokens do not turn (prefix_tokens).",
    .picture =
        "grid=8x8&freqs=1,.5,.25,.12,.06,.03,.015,.008;.5,-1,.12,-.25,.03,-.06,.008,-.015",
    .summary = "rotary embedding of images by learned mixtures of column and row (rope-vit)",
    .source = "Heo et al. 2024, Rotary Position Embedding for Vision Transformer; naver-ai/"
              "rope-vit models_v2_rope.py",
    .examples = PE_WORDS(
        "grid=2x3&freqs=1,0;0,1", "grid=2x2&freqs=1,.5;-.5,1&prefix_tokens=1&width=full",
        "grid=4x4&freqs=1,0;0,1&out=angles,coordinates", "freqs=1,0;0,1&out=frequencies"),
    SPATIAL_DENSE_HOOKS(struct rope2d_mixed, kind),
};

const struct pe_encoding pe_encoding_rope2d_mixed_apply = {
    .name = "rope2d-mixed/apply",
    .title = "Vectors turned by mixtures of column and row",
    .picture = "freqs=1,.5,.25,.12;.5,-1,.12,-.25&" SPATIAL_PICTURE,
    .summary = "vectors rotated by learned mixtures of column and row (rope-vit)",
    .source = "Heo et al. 2024, Rotary Position Embedding for Vision Transformer; naver-ai/"
              "rope-vit models_v2_rope.py",
    .examples = PE_WORDS("grid=1x1&x=1,2,3,4&freqs=1,0;0,1",
                         "grid=1x2&x=1,2,3,4;1,2,3,4&freqs=1,.5;-.5,1&pairing=half&inverse=1"),
    SPATIAL_APPLY_HOOKS(struct rope2d_mixed, apply_params, apply_outputs, kind),
};
