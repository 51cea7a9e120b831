/* SPDX-License-Identifier: Apache-2.0
 * alibi.c - attention with linear biases: a penalty on scores that grows with distance, one
 * slope a head.
 *
 *     bias[h][i][j] = -m_h * |q_i - k_j|,   m_h = 2^(-bias_max (h + 1) / heads)
 *
 * Press et al. 2022, Train Short, Test Long, section 3; the other forms are those of BLOOM,
 * MPT, GPT-NeoX, attention-gym, vLLM (sqrt), data2vec 2 (grids): alibi_forms.c.
 */
#include <float.h>
#include <math.h>

#include "core/encodings/bias/alibi.h"
#include "core/math/precomputed.h"
#include "core/math/relative/toeplitz.h"

enum { ABSENT_CHOICE = -1 };

static const struct pe_choice rules[] = {
    PE_ONE("paper",
           "slopes of the power of two below heads, then every second slope of twice as many "
           "heads (fairseq, BLOOM, Falcon)"),
    PE_ONE("geometric", "2^(-bias_max (h+1)/heads) for any number of heads (attention-gym, "
                        "MLX before mlx#3071)"),
    PE_ONE("mpt", "the rule of MPT, which gives the numbers and the order of paper"),
    {"naive_extra", PE_WORDS("naive-extra"),
     "paper without the stride of two: a bug of several ports, for diagnosis", NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct alibi, heads), .type = PE_INT, .required = true, .min = 1, .max = 4096},
    QUERY_KEY_ROWS(struct alibi, pairs),
    {PE_FIELD(struct alibi, distance_kind),
     PE_CHOICES(
         PE_ONE_AT(FORM_SYMMETRIC, "symmetric", "-m |i-j|, the past and the future alike"),
         PE_ONE_AT(FORM_DISTANCE, "distance",
                   "-m (i-j): the formula of the paper, for causal attention"),
         PE_ONE_AT(FORM_SIGNED, "signed",
                   "m (j-i), which is positive for future keys (attention-gym)"),
         PE_ONE_AT_WITH(FORM_KEY_INDEX, "key-index",
                        "m j, one row for all queries (fairseq, BLOOM, Falcon, Baichuan)",
                        "out=bias"),
         PE_ONE_AT_WITH(FORM_LAST_QUERY, "last-query",
                        "m (j - last key), one row for all queries (MPT, Keras Hub)",
                        "out=bias"),
         PE_ONE_AT(FORM_TRIL, "tril", "-m (i-j) for past keys, 0 for future keys (GPT-NeoX)"),
         PE_ONE_AT(FORM_SQRT, "sqrt", "-m sqrt|i-j| (Step-1, vLLM)"),
         PE_ONE_AT(FORM_ASYMMETRIC, "asymmetric",
                   "the first half of the heads sees the past, the second half the future, "
                   "with the same slopes"),
         PE_ONE_AT_WITH(
             FORM_TWO_SIDED, "two-sided",
             "-m |i-j| with slopes_left for past keys and slopes_right for future keys",
             "heads=2&slopes_left=0.5,0.1&slopes_right=0.2,0.05"),
         PE_ONE_AT_WITH(FORM_MANHATTAN, "manhattan",
                        "-m (|dy|+|dx|) of patches on a grid (data2vec 2)",
                        "len=48&grid=6x8&out=bias"),
         PE_ONE_AT_WITH(FORM_EUCLIDEAN, "euclidean",
                        "-m sqrt(dy^2+dx^2) of patches on a grid (data2vec 2)",
                        "len=48&grid=6x8&out=bias")),
     PE_OWN("posenc", DISTANCE, BASIC),
     .summary = "function of the query's position i, the key's position j and the slope m"},
    CAUSAL_ROWS(struct alibi, future, CAUSAL_WHEN ",distance_kind=asymmetric"),
    {PE_FIELD(struct alibi, bias_max), .type = PE_REAL, .above_min = true, .max = 256,
     .preset = 8, .when = "!slopes&!distance_kind=two-sided", PE_OWN("MPT", DISTANCE, BASIC),
     .summary = "the smallest slope is 2^-bias_max where heads is a power of two"},
    {PE_FIELD(struct alibi, non_pow2), .type = PE_CHOICE, .choices = rules,
     .when = "!slopes&!distance_kind=two-sided", PE_OWN("posenc", CONVENTION, BASIC),
     .summary = "rule for the slopes where heads is no power of two"},
    {PE_FIELD(struct alibi, slope_order),
     PE_CHOICES(PE_ONE("as-listed", "the order in which the rule lists the slopes"),
                PE_ONE("sorted", "largest slope first")),
     .when = "!slopes&!distance_kind=two-sided", PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "order of the slopes where heads is no power of two"},
    {PE_WEIGHTS(struct alibi, slopes), .when = "!distance_kind=two-sided",
     PE_OWN("Press et al. 2022", WEIGHTS, ADVANCED),
     .summary = "slopes in place of those of the rule, one a head"},
    {PE_WEIGHTS(struct alibi, slopes_left), .required = true, .when = "distance_kind=two-sided",
     PE_OWN("posenc", WEIGHTS, ADVANCED),
     .summary = "slopes for keys before the query, one a head"},
    {PE_WEIGHTS(struct alibi, slopes_right), .required = true,
     .when = "distance_kind=two-sided", PE_OWN("posenc", WEIGHTS, ADVANCED),
     .summary = "slopes for keys after the query, one a head"},
    {PE_FIELD(struct alibi, partial_heads), .type = PE_INT, .optional = true, .min = 1,
     .max = 4096, PE_OWN("posenc", SHAPE, ADVANCED),
     .summary = "number of heads of the answer: the first `heads` have a bias, the others 0"},
    {PE_FIELD(struct alibi, length_scale), .type = PE_REAL, .min = 1e-18, .max = 1e18,
     .preset = 1, PE_OWN("posenc", DISTANCE, ADVANCED),
     .summary = "factor on the slopes: trained length / length interpolates positions"},
    {PE_FIELD(struct alibi, applies),
     PE_CHOICES(
         PE_ONE("after_scale", "the bias is added to scores that are already scaled"),
         PE_ONE_WITH("before_scale",
                     "the bias is added before the scores are scaled, so that it is divided by "
                     "softmax_scale here (Falcon)",
                     "softmax_scale=0.125")),
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "whether the model adds the bias before or after it scales the scores"},
    {PE_FIELD(struct alibi, softmax_scale), .type = PE_REAL, .required = true, .min = 1e-18,
     .max = 1e18, .when = "applies=before_scale"},
    {PE_FIELD(struct alibi, grid), .type = PE_GRID, .required = true,
     .when = "distance_kind=manhattan|euclidean",
     .summary = "patches HEIGHTxWIDTH, which q and k number row by row"},
    {PE_FIELD(struct alibi, attention_mask), .type = PE_REALS, .matrix = true, .required = true,
     .min = 0, .max = 1},
};

#define SLOPE_NAMES                                                                            \
    "heads", "bias_max", "non_pow2", "slope_order", "slopes", "partial_heads", "length_scale", \
        "applies", "softmax_scale"
#define MATRIX_NAMES                                                                           \
    SLOPE_NAMES, "len", "q", "k", "distance_kind", "causal", "future", "mask_value",           \
        "slopes_left", "slopes_right"

static const char bound[] = "0.501 ULP; f64 1 ULP";

static const struct pe_output outputs[] = {
    [ALIBI_BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
                    .one_of = "len|k|grid", .by_default = true,
                    .summary = "bias that is added to the attention scores",
                    .uses = PE_WORDS(MATRIX_NAMES, "grid"), .bound = bound},
    [ALIBI_TOEPLITZ] = {PE_OUTPUT("toeplitz", PE_F32, "heads", "difference"),
                        .label = "Bias by difference", .one_of = QUERY_KEY_ONE_OF,
                        .summary = "bias by difference: element t is that of query - key = "
                                   "q[0] - k[last] + t",
                        .uses = PE_WORDS(MATRIX_NAMES), .bound = bound},
    [ALIBI_SLOPES] = {PE_OUTPUT("slopes", PE_F32, "heads"), .label = "Slopes",
                      .summary = "slope of each head", .uses = PE_WORDS(SLOPE_NAMES),
                      .bound = bound},
    [ALIBI_PADDED_BIAS] = {PE_OUTPUT("padded_bias", PE_F32, "batch", "heads", "q", "k"),
                           .label = "Bias of a padded batch",
                           .summary = "bias m j of a padded batch, one row for all queries, "
                                      "with j = (cumsum(mask) - 1) * mask (BLOOM, Falcon)",
                           .uses = PE_WORDS(SLOPE_NAMES, "attention_mask"), .bound = bound},
};

/* ---- rules ------------------------------------------------------------------------------- */

/* True when an output with queries and keys is wanted. */
static bool wants_matrix(const struct pe_args *args)
{
    return pe_wants(args, ALIBI_BIAS) || pe_wants(args, ALIBI_TOEPLITZ);
}

/* True when some entries hold mask_value. */
static bool hides(const struct alibi *a)
{
    return (a->future.causal && a->future.future == CAUSAL_MASKED) ||
           a->distance_kind == FORM_ASYMMETRIC;
}

static void resolve_positions(struct pe_args *args, struct alibi *a, struct pe_errors *errors)
{
    int64_t patches = a->grid.height * a->grid.width;

    if (a->pairs.len == PE_ABSENT_INT && patches > 0 && !a->pairs.q && !a->pairs.k)
        a->pairs.len = patches; /* every patch attends to every patch */
    if (a->pairs.len == PE_ABSENT_INT && !a->pairs.q && a->pairs.k && !a->future.causal &&
        (a->distance_kind == FORM_KEY_INDEX || a->distance_kind == FORM_LAST_QUERY))
        /* Without causal these forms do not depend on the query: one row holds all. */
        pe_args_put_slice(args, offsetof(struct alibi, pairs.q), 0, 1, errors);
    else
        query_key_resolve(args, offsetof(struct alibi, pairs), true, true, errors);
}

/* Makes parameters that have no effect absent, so that the canonical form leaves them out: for
 * powers of two all rules for head counts agree, and the slopes are already sorted. */
static void leave_out(struct alibi *a, bool matrix)
{
    bool own = a->slopes.rows > 0 || (a->distance_kind == FORM_TWO_SIDED && matrix);

    if (own)
        a->bias_max = NAN;
    if (own || (a->heads & (a->heads - 1)) == 0)
        a->non_pow2 = a->slope_order = ABSENT_CHOICE;
    if (!hides(a))
        a->future.mask_value = NAN;
    if (!a->future.causal)
        a->future.future = ABSENT_CHOICE;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct alibi *a = values;

    if (a->partial_heads == PE_ABSENT_INT)
        a->partial_heads = a->heads;
    leave_out(a, wants_matrix(args));
    if (wants_matrix(args))
        resolve_positions(args, a, errors);
}

static void check_list(const struct alibi *a, const char *name, const struct pe_reals *list,
                       struct pe_errors *errors)
{
    if (list->rows > 0 && list->cols != (size_t)a->heads)
        pe_fail(errors, PE_CONFLICT, name, "must have one slope a head, %lld; got %zu",
                (long long)a->heads, list->cols);
}

static void check_slopes(const struct pe_args *args, const struct alibi *a,
                         struct pe_errors *errors)
{
    check_list(a, "slopes", &a->slopes, errors);
    check_list(a, "slopes_left", &a->slopes_left, errors);
    check_list(a, "slopes_right", &a->slopes_right, errors);
    if (a->partial_heads < a->heads)
        pe_fail(errors, PE_CONFLICT, "partial_heads", "must be at least heads, %lld; got %lld",
                (long long)a->heads, (long long)a->partial_heads);
}

static bool on_grid(const struct alibi *a)
{
    return a->distance_kind == FORM_MANHATTAN || a->distance_kind == FORM_EUCLIDEAN;
}

static void check_grid(const struct alibi *a, struct pe_errors *errors)
{
    if (!on_grid(a))
        return;
    if (a->future.causal)
        pe_fail(errors, PE_CONFLICT, "causal", "must be 0 on a grid, which has no future");
    query_key_check_patches(&a->pairs, &a->grid, errors);
}

/* The compact output exists only for functions of the difference, at steps of 1. */
static void check_toeplitz(const struct alibi *a, struct pe_errors *errors)
{
    if (a->distance_kind == FORM_KEY_INDEX || a->distance_kind == FORM_LAST_QUERY || on_grid(a))
        pe_fail(errors, PE_CONFLICT, "out",
                "cannot be toeplitz: this form is no function of the difference; use "
                "out=bias");
    query_key_check_slices(&a->pairs, errors);
}

static void check_mask(const struct pe_args *args, const struct alibi *a,
                       struct pe_errors *errors)
{
    causal_check_value(args, a->future.mask_value, ALIBI_BIAS, errors);
    if (a->distance_kind == FORM_ASYMMETRIC && a->heads % 2 == 1)
        pe_fail(errors, PE_CONFLICT, "heads",
                "must be even with distance_kind=asymmetric; got %lld", (long long)a->heads);
    if (a->distance_kind == FORM_ASYMMETRIC && a->future.causal)
        pe_fail(errors, PE_CONFLICT, "causal",
                "must be 0 with distance_kind=asymmetric, which masks itself");
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct alibi *a = values;

    check_slopes(args, a, errors);
    if (pe_wants(args, ALIBI_PADDED_BIAS)) {
        for (size_t i = 0; i < a->attention_mask.rows * a->attention_mask.cols; i++) {
            if (a->attention_mask.values[i] != 0 && a->attention_mask.values[i] != 1) {
                pe_fail(errors, PE_BAD_VALUE, "attention_mask",
                        "must hold 0 and 1 only; got %g", a->attention_mask.values[i]);
                return;
            }
        }
    }
    if (wants_matrix(args)) {
        check_mask(args, a, errors);
        check_grid(a, errors);
    }
    if (pe_wants(args, ALIBI_TOEPLITZ))
        check_toeplitz(a, errors);
}

/* ---- sizes ------------------------------------------------------------------------------- */

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct alibi *a = values;

    dims[0] = (uint64_t)a->partial_heads;
    if (output == ALIBI_SLOPES)
        return 1;
    if (output == ALIBI_PADDED_BIAS) {
        dims[0] = a->attention_mask.rows;
        dims[1] = (uint64_t)a->partial_heads;
        dims[2] = 1;
        dims[3] = a->attention_mask.cols;
        return 4;
    }
    if (output == ALIBI_TOEPLITZ) {
        dims[1] = query_key_differences(&a->pairs);
        return 2;
    }
    return 1 + query_key_shape(&a->pairs, dims + 1);
}

/* ---- how each output is filled ----------------------------------------------------------- */

static double plan_ns(const struct pe_args *args, const void *values)
{
    return pe_wants(args, ALIBI_BIAS) ? alibi_forms_plan_ns(values) : 0;
}

static void fill_slopes(struct pe_build *build, const struct alibi_forms *state)
{
    const struct alibi *a = state->alibi;
    double *slopes = precomputed_new(build, ALIBI_SLOPES, 1, (uint64_t)a->partial_heads);

    for (size_t h = 0; slopes && h < (size_t)a->heads; h++)
        /* heads from `heads` on keep 0: they have no bias */
        slopes[h] = state->slopes[h].hi;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct alibi *a = values;
    const struct pe_args *args = pe_build_args(build);
    struct alibi_forms *state = alibi_forms_new(build, a);

    if (!state)
        return;
    toeplitz_fill(build, ALIBI_BIAS, &state->matrix);
    pe_build_fill(build, ALIBI_TOEPLITZ, &toeplitz_compact_filler, &state->matrix);
    if (pe_wants(args, ALIBI_PADDED_BIAS))
        alibi_forms_fill_padded(build, ALIBI_PADDED_BIAS, state);
    if (pe_wants(args, ALIBI_SLOPES))
        fill_slopes(build, state);
    pe_build_fact_text(build, "applies",
                       a->applies == APPLIES_BEFORE ? "before_scale" : "after_scale");
    pe_build_fact_text(build, "sign", "penalties are negative; distance is query - key");
}

const struct pe_encoding pe_encoding_alibi = {
    .name = "alibi",
    .title = "ALiBi: attention with linear biases",
    .formula = "bias[h][i][j] = -m_h |q_i - k_j|, m_h = 2^(-bias_max (h + 1) / heads); "
               "distance_kind replaces -m |i - j| by another function",
    .when_to_use =
        "BLOOM, MPT, Falcon-RW, Baichuan-13B and Jina BERT use it. It has no weights, and "
        "causal models run beyond the trained length without changes; models that must find "
        "far tokens are better served by rope.",
    .what_goes_wrong =
        "Where heads is no power of two, ports disagree about the slopes (non_pow2), and a "
        "tensor-parallel shard must cut its slopes out of the list for all heads. Falcon adds "
        "the bias before it divides by sqrt(head_dim), BLOOM after. Forms that agree under a "
        "causal softmax, such as m j and -m (i-j), are different numbers, and bfloat16 cannot "
        "hold the products of long contexts.",
    .picture = "heads=8&len=48&attention_mask=0,0,0,0,1,1,1,1,1,1,1,1;1,1,1,1,1,1,1,1,1,1,0,0",
    .summary = "attention bias that falls linearly with distance, one slope a head",
    .source =
        "Press et al. 2022, Train Short, Test Long, section 3; forms of BLOOM, Falcon, MPT, "
        "Baichuan, GPT-NeoX, attention-gym, vLLM, data2vec 2",
    .examples = PE_WORDS("heads=8&len=4", "heads=2&len=3&causal=1&mask_value=-inf",
                         "heads=2&q=2:3&k=0:3", "heads=12&out=slopes&non_pow2=geometric",
                         "heads=4&len=4&causal=1&out=toeplitz",
                         "heads=2&out=padded_bias&attention_mask=0,1,0,1,1,0",
                         "heads=2&grid=2x2&distance_kind=manhattan"),
    .family = PE_BIAS,
    PE_TABLES(struct alibi, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
