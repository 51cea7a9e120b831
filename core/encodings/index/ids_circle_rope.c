/* SPDX-License-Identifier: Apache-2.0
 * ids_circle_rope.c - ids of Circle-RoPE: text along the diagonal, the patches of an image on a
 * circle across it, so that every text token is equally far from all patches.
 *
 *     theta = 2 pi (alpha (atan2(y, x) - min) / (max - min) + (1 - alpha) patch / patches)
 *     (t, h, w) = next + R (cos theta u + sin theta v)
 *     u = (0, 1, -1) / sqrt 2    v = (2, -1, -1) / sqrt 6
 *
 * x and y are column and row from the middle. Wang et al. 2025, Circle-RoPE;
 * lose4578/CircleRoPE code/circle_rope.py. */
#include <math.h>

#include "core/args/segments.h"
#include "core/encodings/index/ids_mrope_check.h"
#include "core/math/axes/circle_plane.h"
#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"

enum { POSITIONS, POSITION_DELTA };
enum { RADIUS_FIXED, RADIUS_AUTO };
enum { AXES = 3 };

struct ids_circle_rope {
    struct pe_segments segments;
    int64_t spatial_merge_size;
    double radius, radius_scale, alpha, dff_rate, positive_offset;
    int radius_rule;
    bool move_to_origin, move_to_positive;
};

#define OWN(LEVEL) PE_OWN("lose4578/CircleRoPE", POSITIONS, LEVEL)

static const struct pe_param params[] = {
    {PE_FIELD(struct ids_circle_rope, segments), .type = PE_SEGMENTS, .required = true,
     .summary = "parts of the sequence: text:3,image:1x8x12,text:2"},
    {PE_FIELD(struct ids_circle_rope, spatial_merge_size), .type = PE_INT, .min = 1, .max = 64,
     .preset = 2, .summary = "patches along height, and along width, that become one token"},
    {PE_FIELD(struct ids_circle_rope, alpha), .type = PE_REAL, .max = 1, .preset = .5,
     .summary = "share of a patch's own angle, seen from the middle, in its angle on the "
                "circle; the rest is that of its number"},
    {PE_FIELD(struct ids_circle_rope, radius_rule),
     PE_CHOICES(
         PE_ONE_AT(RADIUS_FIXED, "fixed", "radius, whatever the size of the image"),
         PE_ONE_AT(RADIUS_AUTO, "auto",
                   "radius_scale times the largest coordinate of a patch (radius=auto-...)")),
     OWN(ADVANCED), .summary = "what the radius of the circle is"},
    {PE_FIELD(struct ids_circle_rope, radius), .type = PE_REAL, .max = 0x1p40, .preset = 10,
     .when = "radius_rule=fixed", OWN(BASIC), .summary = "radius of the circle, in ids"},
    {PE_FIELD(struct ids_circle_rope, radius_scale), .type = PE_REAL, .max = 1e9, .preset = 1,
     .when = "radius_rule=auto", OWN(ADVANCED),
     .summary = "factor of the largest coordinate that gives the radius"},
    {PE_FIELD(struct ids_circle_rope, move_to_origin), .type = PE_BOOL, .preset = 1,
     OWN(ADVANCED), .summary = "coordinates of patches are counted from the image's middle"},
    {PE_FIELD(struct ids_circle_rope, dff_rate), .type = PE_REAL, .max = 1, OWN(ADVANCED),
     .summary = "share of a patch's own place in the plane of the circle; 1: no circle"},
    {PE_FIELD(struct ids_circle_rope, move_to_positive), .type = PE_BOOL, OWN(ADVANCED),
     .summary = "the size of the smallest coordinate of an image is added to all of them"},
    {PE_FIELD(struct ids_circle_rope, positive_offset), .type = PE_REAL, .min = -0x1p40,
     .max = 0x1p40, .when = "move_to_positive", OWN(ADVANCED),
     .summary = "number that is added besides (move_to_positive=...)"},
};

static const struct pe_output outputs[] = {
    [POSITIONS] = {PE_OUTPUT("positions", PE_F32, "axis", "token"), .label = "Positions",
                   .summary = "ids of each token on the axes time, height and width",
                   .by_default = true, .bound = "0.501 ULP; f64 1 ULP"},
    [POSITION_DELTA] = {PE_OUTPUT("position_delta", PE_F32, NULL), .label = "Position delta",
                        .summary = "largest id + 1 - number of tokens: decoding goes on at "
                                   "cache length + position_delta",
                        .by_default = true, .bound = "0.501 ULP; f64 1 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static uint64_t tokens_of(const struct ids_circle_rope *c, const struct pe_segment *item)
{
    const uint64_t merge = (uint64_t)c->spatial_merge_size;

    if (item->kind == PE_SEGMENT_TEXT)
        return (uint64_t)item->size[0];
    return (uint64_t)item->size[1] / merge * ((uint64_t)item->size[2] / merge);
}

/* Counts all tokens, or those of images alone. */
static uint64_t count(const struct ids_circle_rope *c, bool text)
{
    uint64_t tokens = 0;

    for (size_t i = 0; i < c->segments.count; i++)
        if (text || c->segments.items[i].kind != PE_SEGMENT_TEXT)
            tokens += tokens_of(c, &c->segments.items[i]);
    return tokens;
}

/* The ids of all tokens are prepared whatever is wanted, as double-doubles before they are
 * rounded. */
static void check_tokens(const struct ids_circle_rope *c, struct pe_errors *errors)
{
    const uint64_t tokens = count(c, true), most = PE_DEFAULT_MAX_PREPARED / (4 * AXES);

    if (tokens <= most)
        return;
    pe_fail(errors, PE_TOO_LARGE, "segments", "must have at most %llu tokens in all; got %llu",
            (unsigned long long)most, (unsigned long long)tokens);
    pe_note_limit(errors, most, tokens);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ids_circle_rope *c = values;

    for (size_t i = 0; i < c->segments.count; i++) {
        const struct pe_segment *item = &c->segments.items[i];

        if (item->kind != PE_SEGMENT_TEXT &&
            (item->kind != PE_SEGMENT_IMAGE || item->size[0] != 1 || item->seconds >= 0)) {
            pe_fail(errors, PE_CONFLICT, "segments",
                    "must be text and images of one frame: Circle-RoPE has no circle for "
                    "videos or sound");
            return;
        }
    }
    ids_mrope_check_sizes(&c->segments, c->spatial_merge_size, 1, errors);
    if (errors->count == 0)
        check_tokens(c, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    if (output == POSITION_DELTA)
        return 0;
    dims[0] = AXES;
    dims[1] = count(values, true);
    return 2;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    return 20 * (double)count(values, true) + 25000 * (double)count(values, false);
}

/* ---- the sequence ------------------------------------------------------------------------ */

struct walk {
    struct dd *ids; /* [AXES][tokens] */
    uint64_t tokens, done;
    struct dd next, high; /* id of the next text token; largest id so far */
};

static struct dd plus(struct dd a, double b)
{
    return elementary_add(a, (struct dd){b, 0});
}

static void add_text(struct walk *w, uint64_t tokens)
{
    for (uint64_t i = 0; i < tokens; i++)
        for (size_t axis = 0; axis < AXES; axis++)
            w->ids[axis * w->tokens + w->done + i] = plus(w->next, (double)i);
    w->next = plus(w->next, (double)tokens);
}

static bool add_image(struct pe_build *build, const struct ids_circle_rope *c, struct walk *w,
                      const struct pe_segment *image)
{
    const struct circle_plane plane = {
        .rows = (uint64_t)(image->size[1] / c->spatial_merge_size),
        .cols = (uint64_t)(image->size[2] / c->spatial_merge_size),
        .radius = c->radius_rule == RADIUS_AUTO ? NAN : c->radius,
        .scale = c->radius_scale,
        .alpha = c->alpha,
        .flat = c->dff_rate,
        .offset = c->move_to_positive ? c->positive_offset : 0,
        .to_origin = c->move_to_origin,
        .to_positive = c->move_to_positive};
    struct dd high;

    if (!circle_plane_fill(build, &plane, w->ids + w->done, w->tokens, &high))
        return false;
    for (size_t axis = 0; axis < AXES; axis++)
        for (uint64_t i = 0; i < plane.rows * plane.cols; i++) {
            struct dd *id = &w->ids[axis * w->tokens + w->done + i];

            *id = elementary_add(*id, w->next);
        }
    w->next = plus(elementary_add(w->next, high), 1);
    return true;
}

static bool walk(struct pe_build *build, const struct ids_circle_rope *c, struct walk *w)
{
    for (size_t i = 0; i < c->segments.count; i++) {
        const struct pe_segment *item = &c->segments.items[i];

        if (item->kind == PE_SEGMENT_TEXT)
            add_text(w, tokens_of(c, item));
        else if (!add_image(build, c, w, item))
            return false;
        w->done += tokens_of(c, item);
    }
    return true;
}

static bool is_below(struct dd a, struct dd b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct ids_circle_rope *c = values;
    struct walk w = {.tokens = count(c, true)};
    double *out = precomputed_new(build, POSITIONS, AXES, w.tokens);
    struct dd delta;

    w.ids = pe_build_alloc(build, AXES * w.tokens * sizeof *w.ids);
    if (!out || !w.ids || !walk(build, c, &w))
        return;
    for (uint64_t i = 0; i < AXES * w.tokens; i++) {
        w.high = i == 0 || is_below(w.high, w.ids[i]) ? w.ids[i] : w.high;
        out[i] = w.ids[i].hi + w.ids[i].lo;
    }
    delta = plus(w.high, 1 - (double)w.tokens);
    precomputed_scalar(build, POSITION_DELTA, delta.hi + delta.lo);
    pe_build_fact(build, "tokens", (double)w.tokens);
}

const struct pe_encoding pe_encoding_ids_circle_rope = {
    .name = "ids-circle-rope",
    .title = "Position ids of Circle-RoPE",
    .formula =
        "theta = 2 pi (alpha (atan2(y, x) - min) / (max - min) + (1 - alpha) patch / patches), "
        "x and y from the middle of the image\n"
        "(t, h, w) = next + R (cos theta u + sin theta v), u = (0, 1, -1) / sqrt 2, v = (2, "
        "-1, -1) / sqrt 6; text goes on after the largest id",
    .when_to_use =
        "Circle-RoPE makes every text token equally far from all patches of an image. mrope "
        "makes the tables of these positions, with Qwen2.5-VL's sections. In the published "
        "model every second layer has these ids, the others those of ids-mrope.",
    .what_goes_wrong =
        "Ids are real and, around the text, fall below it: a cache of integer positions loses "
        "them. The angle is stretched from the least to the largest angle of a patch, so "
        "several patches share an angle unless alpha is below 1.",
    .picture = "segments=text:6,image:1x8x12,text:6&radius=4",
    .summary = "ids of Circle-RoPE: patches on a circle around the line of the text",
    .source = "Wang et al. 2025, Circle-RoPE; lose4578/CircleRoPE code/circle_rope.py",
    .examples = PE_WORDS(
        "segments=text:2,image:1x4x4,text:1", "segments=image:1x4x6,text:1&alpha=0&radius=3",
        "segments=image:1x4x6,text:1&radius_rule=auto&radius_scale=1.5&dff_rate=0.25",
        "segments=text:1,image:1x4x4&move_to_positive=1&positive_offset=2&move_to_origin=0"),
    .family = PE_INDEX,
    .kind = PE_WHOLE,
    PE_TABLES(struct ids_circle_rope, params, outputs),
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
