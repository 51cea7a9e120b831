/* SPDX-License-Identifier: Apache-2.0
 * detr_sine3d.c - DETR's sines and cosines of every pixel of a video, whose place among the
 * frames that show it unpadded is a third coordinate:
 *
 *     z_e(t,y,x) = unmasked pixels (y,x) in frames 0..t; y_e and x_e are those of detr-sine
 *     e_F(c) = F channels, f even: sin(c / base^(2 floor(f/2) / F)), odd: cos
 *     mask2former   [e_F(y_e) | e_F(x_e)] + e_2F(z_e)      2F channels
 *     vistr         [e_F(z_e) | e_F(y_e) | e_F(x_e)]       3F
 *
 * Cheng et al. 2021, Mask2Former for Video Instance Segmentation; facebookresearch/Mask2Former
 * mask2former_video/modeling/transformer_decoder/position_encoding.py; Wang et al. 2021,
 * End-to-End Video Instance Segmentation with Transformers; Epiphqny/VisTR
 * models/position_encoding.py. */
#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/detr_places.h"

enum { MASK2FORMER, VISTR };
enum { TABLE, MAP };

struct detr_sine3d {
    struct combine combine; /* parameters of detr-sine3d/apply */
    int64_t frames;
    struct detr_places places;
    struct detr_ladder ladder;
    int convention;
};

enum { AXES = 3, CHUNK = 256 };

/* The parameters of the /apply twin come last. */
static const struct pe_param params[] = {
    {PE_FIELD(struct detr_sine3d, frames), .type = PE_INT, .required = true, .min = 1,
     .max = 65536, .summary = "frames of the video"},
    DETR_PLACES_ROWS_PIXELS(
        struct detr_sine3d, places,
        "pixels as rows of 1 (padding) and 0, all rows of one frame after the other"),
    DETR_LADDER_ROWS(struct detr_sine3d, ladder, "normalize"),
    DETR_PLACES_ROWS_NORMALIZE(struct detr_sine3d, places),
    {PE_FIELD(struct detr_sine3d, convention),
     PE_CHOICES(
         PE_ONE_AT(
             MASK2FORMER, "mask2former",
             "Mask2Former: the channels of the frame are added to those of row and column"),
         PE_ONE_AT_WITH(VISTR, "vistr",
                        "VisTR: the channels of the frame come before those of row and column",
                        "combine=concat")),
     .summary = "model whose order of channels is followed"},
    COMBINE_ROWS_ALONE(struct detr_sine3d),
};

#define BOUND "0.501 ULP; f64 1 ULP; where two terms cancel 2^-51 of the larger"

static const struct pe_output outputs[] = {
    [TABLE] = {PE_OUTPUT("table", PE_F32, "t", "place", "dim"), .label = "Table",
               .one_of = DETR_PLACES_PIXELS,
               .summary = "the encoding of each pixel of each frame, a row a pixel",
               .bound = BOUND},
    [MAP] = {PE_OUTPUT("map", PE_F32, "t", "channel", "h", "w"), .label = "Map",
             .one_of = DETR_PLACES_PIXELS,
             .summary =
                 "the encoding of each pixel of each frame, channels before rows and columns",
             .by_default = true, .bound = BOUND},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct detr_sine3d *d = values;

    detr_places_resolve(&d->places, &d->ladder);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct detr_sine3d *d = values;

    detr_places_check(&d->places, d->frames, AXES, errors);
}

static uint64_t channels_of(const struct detr_sine3d *d)
{
    return (d->convention == VISTR ? 3 : 2) * (uint64_t)d->ladder.num_pos_feats;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct detr_sine3d *d = values;
    const struct pe_grid grid = detr_places_grid(&d->places, d->frames);
    uint64_t frame[PE_MAX_RANK];
    const size_t rank =
        spatial_columns_shape(output == MAP ? SPATIAL_COLUMNS_MAP : SPATIAL_COLUMNS_ROWS,
                              channels_of(d), &grid, frame);

    dims[0] = (uint64_t)d->frames;
    for (size_t a = 0; a < rank; a++)
        dims[1 + a] = frame[a];
    return 1 + rank;
}

/* ---- filling ----------------------------------------------------------------------------- */

struct video {
    const struct axes_columns *places, *frames; /* columns; `frames` is added, or NULL */
    uint64_t height, count;                     /* height of a map, 0: table; frames */
};

/* Maps row (t, channel, h) of the output to row (channel, t h) of a map of columns. */
static uint64_t line_of(const struct video *v, uint64_t row)
{
    const uint64_t channel = row / v->height % v->places->cols;
    const uint64_t t = row / v->height / v->places->cols;

    return (channel * v->count + t) * v->height + row % v->height;
}

static void fill_chunk(const struct video *v, const struct pe_rect *chunk, double *out,
                       void *scratch)
{
    double added[CHUNK], *slots[] = {out}, *others[] = {added};

    axes_columns_filler.reference(v->places, chunk, slots, NULL, scratch);
    if (!v->frames)
        return;
    axes_columns_filler.reference(v->frames, chunk, others, NULL, scratch);
    for (uint64_t c = 0; c < chunk->cols; c++)
        out[c] += added[c];
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct video *v = state;

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        const uint64_t line = v->height ? line_of(v, rect->row + r) : rect->row + r;

        for (uint64_t done = 0, count; done < rect->cols; done += count) {
            count = rect->cols - done < CHUNK ? rect->cols - done : CHUNK;
            fill_chunk(v, &(struct pe_rect){line, 1, rect->col + done, count},
                       out[0] + r * rect->cols + done, scratch);
        }
    }
}

static size_t scratch_of(const void *state, uint64_t elements)
{
    const struct video *v = state;

    return axes_columns_filler.scratch(v->places, elements);
}

static double cost_of(const void *state, enum pe_dtype dtype)
{
    const struct video *v = state;

    return (v->frames ? 4 : 1.5) * axes_columns_filler.cost(v->places, dtype);
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_of, .ns_per_element = 120, .cost = cost_of};

/* ---- columns ----------------------------------------------------------------------------- */

/* Returns the ladder of the frames, which has the whole width where frames are added. */
static struct detr_ladder frames_of(const struct detr_sine3d *d)
{
    struct detr_ladder ladder = d->ladder;

    if (d->convention == MASK2FORMER)
        ladder.num_pos_feats *= 2;
    return ladder;
}

/* Copies the encoding of the points, with other columns; NULL when out of memory. */
static struct axes_columns *with_columns(struct pe_build *build,
                                         const struct axes_columns *columns,
                                         const struct axes_column *column, uint64_t width)
{
    struct axes_columns *other = columns ? pe_build_alloc(build, sizeof *other) : NULL;

    if (other) {
        *other = *columns;
        other->column = column;
        other->width = width;
    }
    return other;
}

static void serve(struct pe_build *build, const struct detr_sine3d *d, size_t output,
                  const struct axes_columns *columns, const struct axes_column *added)
{
    const struct pe_grid grid = detr_places_grid(&d->places, d->frames);
    const uint64_t width = output == MAP ? (uint64_t)grid.width : 0;
    struct video *v = pe_build_alloc(build, sizeof *v);

    if (!v || !pe_wants(pe_build_args(build), output))
        return;
    v->places = with_columns(build, columns, columns->column, width);
    v->frames = added ? with_columns(build, columns, added, width) : NULL;
    v->height = output == MAP ? (uint64_t)grid.height : 0;
    v->count = (uint64_t)d->frames;
    pe_build_fill(build, output, &filler, v);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct detr_sine3d *d = values;

    return spatial_columns_plan_ns(4 * (double)d->ladder.num_pos_feats);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct detr_sine3d *d = values;
    const struct detr_ladder frames = frames_of(d);
    const size_t feats = (size_t)d->ladder.num_pos_feats, half = detr_ladder_pairs(&d->ladder);
    const size_t first = detr_ladder_pairs(&frames), at = d->convention == VISTR ? feats : 0;
    const struct detr_ladder *const ladders[AXES] = {&frames, &d->ladder, &d->ladder};
    struct spatial_columns wanted = {.cols = (size_t)channels_of(d)};
    struct axes_columns *columns = NULL;
    struct axes_column *column, *added;

    added = pe_build_alloc(build, wanted.cols * sizeof *added);
    if (added && detr_places_points(build, &d->places, d->frames, AXES, &wanted.points) &&
        detr_places_frequencies(build, ladders, AXES, &wanted))
        columns = spatial_columns_new(build, &wanted, &column);
    if (columns) {
        detr_ladder_put(&frames, d->convention == VISTR ? column : added, 0);
        detr_ladder_put(&d->ladder, column + at, first);
        detr_ladder_put(&d->ladder, column + at + feats, first + half);
    }
    added = d->convention == VISTR ? NULL : added;
    if (columns)
        for (size_t output = TABLE; output <= MAP; output++)
            serve(build, d, output, columns, added);
}

const struct pe_encoding pe_encoding_detr_sine3d = {
    .name = "detr-sine3d",
    .title = "DETR: sinusoids of the pixels of a video",
    .formula =
        "y_e and x_e of detr-sine in each frame; z_e = frames up to this one that show "
        "the pixel unpadded\n"
        "mask2former: [e_F(y) | e_F(x)] + e_2F(z), vistr: [e_F(z) | e_F(y) | e_F(x)], F "
        "= num_pos_feats\n"
        "channel f of e_F(c): sin (even f) or cos (odd f) of c / base^(2 floor(f/2) / F)",
    .when_to_use = "Transformers that segment or detect in videos: Mask2Former for videos and "
                   "VisTR. A single image takes detr-sine.",
    .what_goes_wrong =
        "Mask2Former adds the channels of the frame to those of row and column, VisTR "
        "puts them in front: the answers are 2 and 3 times num_pos_feats wide. The "
        "ladder of the added channels spans all of them, not num_pos_feats. In "
        "padding_mask 1 means padding.",
    .picture = "frames=4&grid=8x12&num_pos_feats=16",
    .summary = "sines and cosines of the place of every pixel of a video (Mask2Former, VisTR)",
    .source = "Cheng et al. 2021, Mask2Former for Video Instance Segmentation; "
              "facebookresearch/Mask2Former mask2former_video position_encoding.py; "
              "Epiphqny/VisTR models/position_encoding.py",
    .examples =
        PE_WORDS("frames=2&grid=2x3&num_pos_feats=4",
                 "frames=2&padding_mask=0,0,1;0,0,1;0,1,1;0,1,1&num_pos_feats=4&out=table",
                 "frames=2&grid=2x3&num_pos_feats=4&convention=vistr",
                 "frames=3&grid=1x2&num_pos_feats=2&normalize=0&base=20&base_w=10"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct detr_sine3d, params, 0, PE_LEN(params) - COMBINE_COUNT_ALONE,
                   outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};

const struct pe_encoding pe_encoding_detr_sine3d_apply = {
    .name = "detr-sine3d/apply",
    .title = "DETR: features of a video with their sinusoids",
    .picture = "frames=2&grid=1x2&num_pos_feats=4&x=1,0,0,0,0,0,0,0;0,1,0,0,0,0,0,0;"
               "0,0,1,0,0,0,0,0;0,0,0,1,0,0,0,0",
    .summary = "features of a video with their sinusoids added, put beside or multiplied",
    .source = "facebookresearch/Mask2Former; Epiphqny/VisTR models/transformer.py",
    .examples = PE_WORDS(
        "frames=1&grid=1x1&num_pos_feats=2&x=1,2,3,4",
        "frames=1&padding_mask=0&num_pos_feats=2&x=1,2&combine=concat&convention=vistr"),
    COMBINE_APPLY(struct detr_sine3d, pe_encoding_detr_sine3d, PE_SPATIAL, 0, NULL),
};
