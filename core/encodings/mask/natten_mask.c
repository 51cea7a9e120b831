/* SPDX-License-Identifier: Apache-2.0
 * natten_mask.c - neighbourhood attention: the nearest keys, never fewer at a border; on a
 * line or on a grid.
 *
 *     attend iff k = q mod d, and s <= floor(k/d) < s + K on each axis, where
 *     s = clamp(floor(q/d) - floor(K/2), 0, L' - K), L' the count of keys that are q mod d
 *
 * Hassani et al. 2023, Neighborhood Attention Transformer; Hassani and Shi 2022, Dilated
 * Neighborhood Attention.
 */
#include "core/encodings/mask/masks.h"

enum { AXES = 2 };

struct natten_mask {
    struct masks masks;
    const struct pe_positions *kernel_size, *dilation;
    struct pe_grid grid;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct natten_mask, kernel_size), .type = PE_POSITIONS, .required = true,
     .summary = "number of keys along an axis, odd: 3, or 3,5 for the two axes of a grid"},
    {PE_FIELD(struct natten_mask, dilation), .type = PE_POSITIONS, .preset_text = "1",
     .summary = "step between neighbours: 2, or 2,1 for the two axes of a grid"},
    {PE_FIELD_OF(struct natten_mask, masks, len), .type = PE_INT, .optional = true, .min = 0,
     .max = 0x1p53, .summary = "number of tokens of a line"},
    {PE_FIELD(struct natten_mask, grid), .type = PE_GRID,
     .summary = "tokens of a grid, HEIGHTxWIDTH, numbered row by row"},
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS("len|grid", "kernel_size", "dilation", "len", "grid", "attention_mask")};

/* Axis 0 is the height of a grid; a line is a grid of one row. */
struct neighbours {
    int64_t length[AXES], kernel[AXES], dilation[AXES];
};

static int64_t number_of(const struct pe_positions *list, size_t axis)
{
    return (int64_t)pe_positions_at(list, axis < pe_positions_count(list) ? axis : 0);
}

static struct neighbours neighbours_of(const struct natten_mask *v)
{
    struct neighbours n = {{1, v->masks.len},
                           {1, number_of(v->kernel_size, 0)},
                           {1, number_of(v->dilation, 0)}};

    if (v->grid.height > 0) {
        n.length[0] = v->grid.height;
        n.length[1] = v->grid.width;
        for (size_t axis = 0; axis < AXES; axis++) {
            n.kernel[axis] = number_of(v->kernel_size, axis);
            n.dilation[axis] = number_of(v->dilation, axis);
        }
    }
    return n;
}

/* Returns the first neighbour of x, numbered among positions congruent to x mod dilation. */
static int64_t first_of(const struct neighbours *n, size_t axis, int64_t x)
{
    int64_t dilation = n->dilation[axis], members;
    int64_t first = x / dilation - n->kernel[axis] / 2;

    members = (n->length[axis] - x % dilation + dilation - 1) / dilation;
    if (first > members - n->kernel[axis])
        first = members - n->kernel[axis];
    return first < 0 ? 0 : first;
}

static bool sees_axis(const struct neighbours *n, size_t axis, int64_t query, int64_t key)
{
    int64_t first = first_of(n, axis, query), number = key / n->dilation[axis];

    return (query - key) % n->dilation[axis] == 0 && number >= first &&
           number < first + n->kernel[axis];
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct neighbours *n = context;
    int64_t width = n->length[1];

    return sees_axis(n, 0, query / width, key / width) &&
           sees_axis(n, 1, query % width, key % width);
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct neighbours *n = context;

    out[0].first = first_of(n, 1, query);
    out[0].last = out[0].first + n->kernel[1] - 1;
    return 1;
}

static const struct mask_rule on_line = {.sees = sees, .spans = spans, .most = 1},
                              rule = {.sees = sees, .witness = mask_own_key};

static void check_list(const char *name, const struct pe_positions *list, bool grid, bool odd,
                       struct pe_errors *errors)
{
    uint64_t count = pe_positions_count(list);
    double low, high;

    pe_positions_range(list, &low, &high);
    if (count < 1 || count > (grid ? 2 : 1)) {
        pe_fail(errors, PE_CONFLICT, name, "must be one number%s; got %llu",
                grid ? ", or one an axis" : "", (unsigned long long)count);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        int64_t number = number_of(list, i);

        if (number < 1 || (odd && number % 2 == 0)) {
            pe_fail(errors, PE_OUT_OF_RANGE, name, "must be %s; got %lld",
                    odd ? "odd, 1 or more" : "1 or more", (long long)number);
            return;
        }
    }
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct natten_mask *v = values;
    bool grid = v->grid.height > 0;
    struct neighbours n;
    uint64_t tokens;

    if (grid == (v->masks.len != PE_ABSENT_INT)) {
        pe_fail(errors, grid ? PE_CONFLICT : PE_MISSING_PARAMETER, "len",
                grid ? "is a line and grid a grid; give one of them"
                     : "is required, or grid: the tokens");
        return;
    }
    check_list("kernel_size", v->kernel_size, grid, true, errors);
    check_list("dilation", v->dilation, grid, false, errors);
    if (errors->count > 0)
        return;
    n = neighbours_of(v);
    tokens = (uint64_t)(n.length[0] * n.length[1]);
    for (size_t axis = 0; axis < AXES && tokens > 0; axis++) {
        if (n.kernel[axis] > n.length[axis] / n.dilation[axis]) {
            pe_fail(errors, PE_CONFLICT, "kernel_size",
                    "must be at most the tokens at that dilation, %lld; got %lld",
                    (long long)(n.length[axis] / n.dilation[axis]), (long long)n.kernel[axis]);
            return;
        }
    }
    v->masks.look_ns = 24; /* a dozen divisions */
    masks_resolve_sizes(&v->masks, !grid && n.dilation[1] == 1 ? &on_line : &rule, tokens,
                        tokens);
}

static void prepare(struct pe_build *build, const void *values)
{
    struct neighbours *n = pe_build_alloc(build, sizeof *n);

    if (n)
        *n = neighbours_of(values);
    masks_prepare_rule(build, values, n);
}

const struct pe_encoding pe_encoding_natten_mask = {
    .name = "natten-mask",
    .title = "Neighbourhood attention (NATTEN)",
    .formula =
        "K = kernel_size, d = dilation; attend iff k = q mod d and s <= floor(k / d) < s "
        "+ K on each axis; s = clamp(floor(q / d) - floor(K / 2), 0, L' - K)",
    .when_to_use =
        "Neighborhood Attention Transformers and DiNAT attend to the K nearest tokens on "
        "each axis. Swin computes windows that do not move with the query.",
    .what_goes_wrong =
        "At a border the window moves inwards and keeps its size; a plain sliding window "
        "is cut there instead, which differs in the first and last floor(K / 2) tokens "
        "only. Tokens of a grid are numbered row by row.",
    .picture = "grid=7x7&kernel_size=3&block_size=8",
    .summary = "attention to the nearest keys, as many at a border",
    .source = "Hassani et al. 2023, Neighborhood Attention Transformer; SHI-Labs/NATTEN",
    .examples =
        PE_WORDS("len=5&kernel_size=3", "len=7&kernel_size=3&dilation=2",
                 "grid=4x5&kernel_size=3,5&out=runs", "grid=4x6&kernel_size=1,3&dilation=1,2"),
    MASKS_HOOKS(struct natten_mask),
    .resolve = resolve,
    .prepare = prepare,
};
