/* SPDX-License-Identifier: Apache-2.0
 * ids_window_order.c - the order in which a vision tower lists tokens, so that those of one
 * window follow each other.
 *
 *     images one after the other, of each its frames, of each its windows row by row, of each
 *     its tokens row by row; windows at the right and at the bottom hold what is left
 *     index[i] = number of the token at place i;  inverse[index[i]] = i
 *     cu_window_seqlens = the first patch of each window, and the end of the last
 *
 * A token is a block of spatial_merge_size^2 patches. Qwen2.5-VL and Muse Glimmer: transformers
 * vision_utils.py (commit 0173fbbadd0fcaf8d5e3bb2e4f223d897ba1a5ab), get_vision_window_index.
 */
#include "core/encoding.h"

#include <math.h>

enum { INDEX, INVERSE, CU_WINDOW_SEQLENS, MASK };

struct window_order {
    struct pe_reals grid_thw;
    int64_t spatial_merge_size;
    const struct pe_positions *window_size;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct window_order, grid_thw), .type = PE_REALS, .required = true, .min = 0,
     .max = 65536, .matrix = true,
     .summary =
         "frames, rows and columns of patches of each image or video, a row each, as 1,8,12"},
    {PE_FIELD(struct window_order, spatial_merge_size), .type = PE_INT, .min = 1, .max = 64,
     .preset = 2,
     .summary = "patches of a side that become one token: windows hold whole tokens"},
    {PE_FIELD(struct window_order, window_size), .type = PE_POSITIONS, .preset_text = "4",
     .summary = "tokens along a side of a window: 4, or 4,8 for height and width; in "
                "Qwen2.5-VL 112 pixels by 14 a patch and 2 patches a token"},
};

static const struct pe_output outputs[] = {
    [INDEX] = {PE_OUTPUT("index", PE_I64, "token"), .label = "Order", .sign = PE_NOT_NEGATIVE,
               .summary = "number of the token at each place of the order by windows",
               .by_default = true, .bound = "exact"},
    [INVERSE] = {PE_OUTPUT("inverse", PE_I64, "token"), .label = "Places",
                 .sign = PE_NOT_NEGATIVE,
                 .summary = "place of each token, which brings outputs back to their order",
                 .bound = "exact"},
    [CU_WINDOW_SEQLENS] = {PE_OUTPUT("cu_window_seqlens", PE_I64, "boundary"),
                           .label = "Boundaries", .sign = PE_NOT_NEGATIVE,
                           .summary =
                               "patch at which each window begins, and the end of the last",
                           .by_default = true, .bound = "exact"},
    [MASK] = {PE_OUTPUT("mask", PE_BOOL8, "q", "k"), .label = "Mask", .sign = PE_NOT_NEGATIVE,
              .summary = "1 where two patches, in the order by windows, share a window",
              .bound = "exact"},
};

/* ---- tokens and windows ------------------------------------------------------------------ */

/* A frame in tokens: its sides, and those of a window. */
struct sides {
    uint64_t height, width, tall, wide;
};

/* A token of a frame: its row and column, and the number of its window and of its place. */
struct spot {
    uint64_t y, x, window, place;
};

static struct sides sides_of(const struct window_order *v, size_t image)
{
    const double *sides = v->grid_thw.values + 3 * image;
    const double merge = (double)v->spatial_merge_size;
    const uint64_t both = pe_positions_count(v->window_size) - 1;

    return (struct sides){(uint64_t)(sides[1] / merge), (uint64_t)(sides[2] / merge),
                          (uint64_t)pe_positions_at(v->window_size, 0),
                          (uint64_t)pe_positions_at(v->window_size, both)};
}

static uint64_t frames_of(const struct window_order *v, size_t image)
{
    return (uint64_t)v->grid_thw.values[3 * image];
}

static uint64_t across(const struct sides *s)
{
    return (s->width + s->wide - 1) / s->wide;
}

static uint64_t windows_of(const struct sides *s)
{
    return (s->height + s->tall - 1) / s->tall * across(s);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the place of the first token of a window. */
static uint64_t begin_of(const struct sides *s, uint64_t window)
{
    const uint64_t top = window / across(s) * s->tall, left = window % across(s) * s->wide;

    return top * s->width + least(s->tall, s->height - top) * left;
}

static struct spot at_place(const struct sides *s, uint64_t place)
{
    const uint64_t top = place / (s->tall * s->width) * s->tall;
    const uint64_t rows = least(s->tall, s->height - top);
    const uint64_t within = place - top * s->width, left = within / (rows * s->wide) * s->wide;
    const uint64_t columns = least(s->wide, s->width - left), rest = within - rows * left;

    return (struct spot){top + rest / columns, left + rest % columns,
                         top / s->tall * across(s) + left / s->wide, place};
}

static struct spot at_token(const struct sides *s, uint64_t token)
{
    struct spot spot = {token / s->width, token % s->width, 0, 0};
    const uint64_t top = spot.y / s->tall * s->tall, left = spot.x / s->wide * s->wide;

    spot.window = spot.y / s->tall * across(s) + spot.x / s->wide;
    spot.place = begin_of(s, spot.window) + (spot.y - top) * least(s->wide, s->width - left) +
                 spot.x - left;
    return spot;
}

/* What lies before a frame: tokens and windows. */
struct before {
    struct sides sides;
    uint64_t tokens, windows;
};

/* Finds the frame of a token or, if `by_windows`, of a window, whose number in the frame
 * replaces *number. The end of all, which is in no frame, is that of the last one. */
static struct before find_frame(const struct window_order *v, uint64_t *number, bool by_windows)
{
    struct before at = {{0}, 0, 0};

    for (size_t image = 0; image < v->grid_thw.rows; image++) {
        at.sides = sides_of(v, image);
        const uint64_t tokens = at.sides.height * at.sides.width;
        const uint64_t windows = windows_of(&at.sides);
        const uint64_t each = by_windows ? windows : tokens, frames = frames_of(v, image);
        const uint64_t frame = least(*number / each, frames);

        at.tokens += frame * tokens;
        at.windows += frame * windows;
        *number -= frame * each;
        if (frame < frames)
            break;
    }
    return at;
}

/* ---- elements ---------------------------------------------------------------------------- */

static double index_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct before at = find_frame(state, &col, false);
    const struct spot spot = at_place(&at.sides, col);

    return (double)(at.tokens + spot.y * at.sides.width + spot.x);
}

static double inverse_at(const void *state, uint64_t row, uint64_t col,
                         const void *const input[])
{
    const struct before at = find_frame(state, &col, false);

    return (double)(at.tokens + at_token(&at.sides, col).place);
}

static double boundary_at(const void *state, uint64_t row, uint64_t col,
                          const void *const input[])
{
    const struct window_order *v = state;
    const struct before at = find_frame(v, &col, true);
    const uint64_t token = at.tokens + (col ? begin_of(&at.sides, col) : 0);

    return (double)(token * (uint64_t)(v->spatial_merge_size * v->spatial_merge_size));
}

static uint64_t window_of(const struct window_order *v, uint64_t patch)
{
    uint64_t token = patch / (uint64_t)(v->spatial_merge_size * v->spatial_merge_size);
    const struct before at = find_frame(v, &token, false);

    return at.windows + at_place(&at.sides, token).window;
}

static double mask_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    return window_of(state, row) == window_of(state, col);
}

static double ns_each(const void *state, enum pe_dtype dtype)
{
    return 30 + 10 * (double)((const struct window_order *)state)->grid_thw.rows;
}

static double ns_pair(const void *state, enum pe_dtype dtype)
{
    return 2 * ns_each(state, dtype);
}

static const struct pe_filler index_filler = {.element = index_at, .cost = ns_each},
                              inverse_filler = {.element = inverse_at, .cost = ns_each},
                              boundary_filler = {.element = boundary_at, .cost = ns_each},
                              mask_filler = {.element = mask_at, .cost = ns_pair};

static void prepare(struct pe_build *build, const void *values)
{
    pe_build_fill(build, INDEX, &index_filler, values);
    pe_build_fill(build, INVERSE, &inverse_filler, values);
    pe_build_fill(build, CU_WINDOW_SEQLENS, &boundary_filler, values);
    pe_build_fill(build, MASK, &mask_filler, values);
}

/* ---- rules ------------------------------------------------------------------------------- */

static bool is_side(double side, double multiple)
{
    return side >= 1 && side == trunc(side) && fmod(side, multiple) == 0;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct window_order *v = values;
    const uint64_t count = pe_positions_count(v->window_size);
    const double merge = (double)v->spatial_merge_size;
    double low, high;

    if (v->grid_thw.rows > 0 && v->grid_thw.cols != 3) {
        pe_fail(errors, PE_BAD_VALUE, "grid_thw",
                "must have three numbers a grid, frames,rows,columns; got %zu",
                v->grid_thw.cols);
        return;
    }
    for (size_t image = 0; image < v->grid_thw.rows && errors->count == 0; image++) {
        const double *side = v->grid_thw.values + 3 * image;

        if (!is_side(side[0], 1) || !is_side(side[1], merge) || !is_side(side[2], merge))
            pe_fail(errors, PE_CONFLICT, "grid_thw",
                    "must have whole sides from 1, rows and columns multiples of "
                    "spatial_merge_size, %lld; got %g,%g,%g",
                    (long long)v->spatial_merge_size, side[0], side[1], side[2]);
    }
    pe_positions_range(v->window_size, &low, &high);
    if (count < 1 || count > 2)
        pe_fail(errors, PE_CONFLICT, "window_size",
                "must be one number, or one an axis; got %llu", (unsigned long long)count);
    else if (low < 1 || high > 65536)
        pe_fail(errors, PE_OUT_OF_RANGE, "window_size", "must be 1..65536; got %.0f",
                low < 1 ? low : high);
}

static uint64_t tokens_of(const struct window_order *v, uint64_t *windows)
{
    uint64_t tokens = 0;

    *windows = 0;
    for (size_t image = 0; image < v->grid_thw.rows; image++) {
        const struct sides sides = sides_of(v, image);

        tokens += frames_of(v, image) * sides.height * sides.width; /* each below 2^48 */
        *windows += frames_of(v, image) * windows_of(&sides);
    }
    return tokens;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct window_order *v = values;
    uint64_t windows;
    const uint64_t tokens = tokens_of(v, &windows);
    const uint64_t patches = tokens * (uint64_t)(v->spatial_merge_size * v->spatial_merge_size);

    dims[0] = output == CU_WINDOW_SEQLENS ? windows + 1 : output == MASK ? patches : tokens;
    dims[1] = patches;
    return output == MASK ? 2 : 1;
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct window_order *v = values;
    const double merge = (double)v->spatial_merge_size;
    uint64_t windows;

    return (struct pe_interval){
        0, output == MASK ? 1 : (double)tokens_of(v, &windows) * merge * merge};
}

const struct pe_encoding pe_encoding_ids_window_order = {
    .name = "ids-window-order",
    .title = "Order of tokens by windows (Qwen2.5-VL)",
    .formula = "index[i] = the token at place i: image, frame, window and token, row by row\n"
               "inverse[index[i]] = i; cu_window_seqlens = where windows begin, in patches",
    .when_to_use =
        "The vision towers of Qwen2.5-VL and Muse Glimmer sort their tokens so, and their "
        "angles with them, attend within cu_window_seqlens in most layers, and sort the "
        "outputs back by inverse.",
    .what_goes_wrong =
        "Windows are counted in tokens of spatial_merge_size^2 patches, so window_size is 112 "
        "pixels / 14 / 2 = 4. What is left at the right and at the bottom are windows of their "
        "own, smaller ones; cos and sin must be sorted as the tokens are.",
    .picture = "grid_thw=1,12,20",
    .summary = "order of an image's tokens in which each attention window is one run",
    .source = "Qwen2.5-VL; transformers vision_utils.py, get_vision_window_index",
    .examples = PE_WORDS("grid_thw=1,6,10&window_size=2",
                         "grid_thw=1,4,6;2,4,4&spatial_merge_size=1&window_size=2,3",
                         "grid_thw=1,2,6&window_size=2&spatial_merge_size=1&out=mask"),
    .family = PE_INDEX,
    PE_TABLES(struct window_order, params, outputs),
    .check = check,
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
