/* SPDX-License-Identifier: Apache-2.0
 * swin_shift_mask.c - shifted windows: patches that the shift moved into a window from the
 * other side of the image are masked.
 *
 *     label of an axis: 0 for x < L - w, 1 for L - w <= x < L - s, 2 for x >= L - s
 *     attend iff the labels of both axes agree; one matrix (w w, w w) a window
 *
 * Liu et al. 2021, Swin Transformer, section 3.2; there masked entries hold -100.
 */
#include <math.h>

#include "core/encodings/mask/masks.h"

struct swin_shift_mask {
    struct masks masks;
    struct pe_grid grid;
    const struct pe_positions *window_size, *shift;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct swin_shift_mask, grid), .type = PE_GRID, .required = true,
     .summary = "patches of the image, HEIGHTxWIDTH, multiples of window_size"},
    {PE_FIELD(struct swin_shift_mask, window_size), .type = PE_POSITIONS, .required = true,
     .summary = "patches along a side of a window: 7, or 7,14 for height and width"},
    {PE_FIELD(struct swin_shift_mask, shift), .type = PE_POSITIONS, .required = true,
     .summary = "patches by which windows are shifted, fewer than window_size: 3, or 3,7"},
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {MASKS_OUTPUTS(NULL, "grid", "window_size", "shift")};

struct axis {
    int64_t length, window, shift;
};

static int64_t number_of(const struct pe_positions *list, size_t axis)
{
    return (int64_t)pe_positions_at(list, axis < pe_positions_count(list) ? axis : 0);
}

static struct axis axis_of(const struct swin_shift_mask *v, size_t axis)
{
    return (struct axis){axis == 0 ? v->grid.height : v->grid.width,
                         number_of(v->window_size, axis), number_of(v->shift, axis)};
}

static int label(const struct axis *axis, int64_t x)
{
    return (x >= axis->length - axis->window) + (x >= axis->length - axis->shift);
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct axis *axes = context, *y = &axes[0], *x = &axes[1];
    int64_t across = x->length / x->window, window = (int64_t)batch;
    int64_t top = window / across * y->window, left = window % across * x->window;

    return label(y, top + query / x->window) == label(y, top + key / x->window) &&
           label(x, left + query % x->window) == label(x, left + key % x->window);
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

static bool check_list(const char *name, const struct pe_positions *list, int64_t least,
                       struct pe_errors *errors)
{
    uint64_t count = pe_positions_count(list);
    double low, high;

    pe_positions_range(list, &low, &high);
    if (count < 1 || count > 2)
        pe_fail(errors, PE_CONFLICT, name, "must be one number, or one an axis; got %llu",
                (unsigned long long)count);
    else if (low < (double)least)
        pe_fail(errors, PE_OUT_OF_RANGE, name, "must be %lld or more; got %.0f",
                (long long)least, low);
    return errors->count == 0;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct swin_shift_mask *v = values;
    uint64_t cells = 1;

    if (!check_list("window_size", v->window_size, 1, errors) ||
        !check_list("shift", v->shift, 0, errors))
        return;
    for (size_t i = 0; i < 2; i++) {
        struct axis axis = axis_of(v, i);

        if (axis.length % axis.window != 0) {
            pe_fail(errors, PE_CONFLICT, "grid",
                    "must be multiples of window_size, %lld; got %lld", (long long)axis.window,
                    (long long)axis.length);
            return;
        }
        if (axis.shift >= axis.window) {
            pe_fail(errors, PE_CONFLICT, "shift", "must be below window_size, %lld; got %lld",
                    (long long)axis.window, (long long)axis.shift);
            return;
        }
        cells *= (uint64_t)axis.window;
    }
    if (isnan(v->masks.mask_value))
        v->masks.mask_value = -100;
    v->masks.batches = (uint64_t)(v->grid.height * v->grid.width) / cells;
    masks_resolve_sizes(&v->masks, &rule, cells, cells);
}

static void prepare(struct pe_build *build, const void *values)
{
    struct axis *axes = pe_build_alloc(build, 2 * sizeof *axes);

    for (size_t i = 0; axes && i < 2; i++)
        axes[i] = axis_of(values, i);
    masks_prepare_rule(build, values, axes);
}

const struct pe_encoding pe_encoding_swin_shift_mask = {
    .name = "swin-shift-mask",
    .title = "Swin shifted-window mask",
    .formula = "label of an axis: 0 for x < L - w, 1 for L - w <= x < L - s, 2 for x >= L - s; "
               "attend iff the labels of both axes agree",
    .when_to_use =
        "Swin and SwinV2 shift their windows in every other block; this mask keeps "
        "patches apart that the cyclic shift brought together. There is a matrix for "
        "each window.",
    .what_goes_wrong =
        "Masked entries hold -100 in the reference code, not -inf, which a float16 port "
        "must keep to be equal. The labels belong to the shifted image, so roll first "
        "and cut into windows then.",
    .picture = "grid=16x16&window_size=4&shift=2&block_size=4",
    .summary = "shifted windows, one matrix a window",
    .source = "Liu et al. 2021, Swin Transformer, section 3.2; microsoft/Swin-Transformer",
    .examples = PE_WORDS("grid=4x4&window_size=2&shift=1", "grid=4x6&window_size=2,3&shift=1,0",
                         "grid=4x4&window_size=2&shift=1&out=additive"),
    MASKS_HOOKS(struct swin_shift_mask),
    .resolve = resolve,
    .prepare = prepare,
};
