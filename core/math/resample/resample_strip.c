/* SPDX-License-Identifier: Apache-2.0
 * resample_strip.c - see resample_strip.h. A sum and the size of its terms say between which
 * numbers the sum of resample_place.h lies; where both round to one element, it is that one.
 *
 * A sum of n products of two factors and a value is within (n + 1) 2^-53 of the sizes of its
 * terms, and a sum of r products of a factor and sums of c products within (r + c + 2) 2^-53
 * (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1). Where terms cancel,
 * resample_place.h adds exactly, which is nearer still. */
#include "core/math/resample/resample_strip.h"

#include <math.h>
#include <string.h>

#include "core/math/cpu.h"
#include "core/math/tensor_row.h"

enum {
    SPAN = 64,          /* columns of the old grid */
    CHUNK = 64,         /* channels at a time */
    TAPS = 9,           /* fewest taps of a place for which strips are faster */
    FEW = 4,            /* most elements of a chunk that are computed one by one */
    ROWS_MOST = 1 << 14 /* most taps along an axis, for which the bounds hold */
};

/* Sums of the channels, and the sizes of their terms. */
struct sums {
    double sum[CHUNK], size[CHUNK];
};

struct work {
    struct sums columns[SPAN]; /* of the old grid, at one row of the new one */
    struct sums place;
    double values[CHUNK]; /* of a row of the table, or the ends of bounds */
    float singles[CHUNK]; /* of a row of the table */
    char low[CHUNK * sizeof(float)], high[CHUNK * sizeof(float)]; /* as dtype */
};

/* Limits of the difference between the sums of a place and those of resample_place.h. */
struct limits {
    double bound; /* the greatest difference, as a part of the size of the terms */
    double least; /* terms of a size below it may have underflowed */
};

_Static_assert(sizeof(struct work) <= RESAMPLE_STRIP_SCRATCH, "the work fits");

#define INLINE static inline __attribute__((always_inline))

bool resample_strip_pays(const struct resample_plane *plane, enum pe_dtype dtype)
{
    const struct resample_axis *rows = &plane->rows, *cols = &plane->cols;
    const uint32_t inner_rows = rows->taps[plane->to.height / 2];
    const uint32_t inner_cols = cols->taps[plane->to.width / 2];

    return (dtype == PE_F32 || dtype == PE_F16 || dtype == PE_BF16) &&
           (uint64_t)inner_rows * inner_cols >= TAPS && cols->stride <= SPAN &&
           rows->stride <= ROWS_MOST;
}

/* ---- sums -------------------------------------------------------------------------------- */

/* The functions of a CPU path, each of which works on CHUNK channels. */
struct path {
    /* Adds values, times a weight; float32 of any alignment, or doubles. */
    void (*add_singles)(struct sums *sums, double weight, const void *values);
    void (*add_doubles)(struct sums *sums, double weight, const double *values);
    /* Adds sums, times a weight. */
    void (*add_sums)(struct sums *sums, double weight, const struct sums *more);
    /* Writes the ends of the bounds, which are `bound` sizes from the sums, as float32. */
    void (*bound_singles)(const struct sums *sums, const struct limits *limits, float *low,
                          float *high);
};

INLINE void add_value(struct sums *sums, size_t c, double weight, double value)
{
    const double term = weight * value;

    sums->sum[c] += term;
    sums->size[c] += fabs(term);
}

INLINE void add_singles(struct sums *restrict sums, double weight, const void *restrict values)
{
    for (size_t c = 0; c < CHUNK; c++) {
        float value;

        memcpy(&value, (const char *)values + c * sizeof value, sizeof value);
        add_value(sums, c, weight, (double)value);
    }
}

INLINE void add_doubles(struct sums *restrict sums, double weight,
                        const double *restrict values)
{
    for (size_t c = 0; c < CHUNK; c++)
        add_value(sums, c, weight, values[c]);
}

INLINE void add_sums(struct sums *restrict sums, double weight,
                     const struct sums *restrict more)
{
    for (size_t c = 0; c < CHUNK; c++)
        sums->sum[c] += weight * more->sum[c];
    for (size_t c = 0; c < CHUNK; c++)
        sums->size[c] += fabs(weight) * more->size[c];
}

/* Returns the end of the bound that lies `side` bounds above the sum. Of a sum that is not
 * known well enough it is `side`, so that two ends differ. */
INLINE double end_of(const struct sums *sums, size_t c, const struct limits *limits,
                     double side)
{
    const double sum = sums->sum[c], size = sums->size[c];
    const bool known = (size >= limits->least) & (size <= 0x1p900);

    return known ? sum + side * (limits->bound * size) : side;
}

INLINE void bound_singles(const struct sums *restrict sums, const struct limits *limits,
                          float *restrict low, float *restrict high)
{
    const struct limits l = *limits;

    for (size_t c = 0; c < CHUNK; c++) {
        low[c] = (float)end_of(sums, c, &l, -1) + 0.0F; /* -0 becomes 0 */
        high[c] = (float)end_of(sums, c, &l, 1) + 0.0F;
    }
}

/* ---- paths ------------------------------------------------------------------------------- */

#define PATH(NAME, TARGET)                                                                     \
    TARGET static void singles_##NAME(struct sums *sums, double weight, const void *values)    \
    {                                                                                          \
        add_singles(sums, weight, values);                                                     \
    }                                                                                          \
    TARGET static void doubles_##NAME(struct sums *sums, double weight, const double *values)  \
    {                                                                                          \
        add_doubles(sums, weight, values);                                                     \
    }                                                                                          \
    TARGET static void sums_##NAME(struct sums *sums, double weight, const struct sums *more)  \
    {                                                                                          \
        add_sums(sums, weight, more);                                                          \
    }                                                                                          \
    TARGET static void bound_##NAME(const struct sums *sums, const struct limits *limits,      \
                                    float *low, float *high)                                   \
    {                                                                                          \
        bound_singles(sums, limits, low, high);                                                \
    }                                                                                          \
    static const struct path path_##NAME = {singles_##NAME, doubles_##NAME, sums_##NAME,       \
                                            bound_##NAME}

PATH(generic, );
PATH(avx2, CPU_TARGET_AVX2);
PATH(avx512, CPU_TARGET_AVX512);

static const struct path *const paths[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = &path_generic, [CPU_AVX2] = &path_avx2, [CPU_AVX512] = &path_avx512};

/* ---- one strip --------------------------------------------------------------------------- */

/* Places `x` to `end` - 1 of row y of the new grid, and the columns of the old grid that they
 * need. */
struct stretch {
    uint64_t y, x, end;
    uint64_t from, to;
};

static struct stretch stretch_of(const struct resample_strip *strip)
{
    const struct resample_plane *p = strip->plane;
    const uint64_t width = (uint64_t)p->to.width, x = strip->first % width;
    const uint64_t end = width - x < strip->most ? width : x + strip->most;
    struct stretch s = {strip->first / width, x, x + 1, p->cols.first[x], 0};

    for (s.to = s.from + p->cols.taps[x]; s.end < end; s.end++) {
        const uint64_t from = p->cols.first[s.end], to = from + p->cols.taps[s.end];

        if (from < s.from || (to > s.to ? to : s.to) - s.from > SPAN)
            break;
        s.to = to > s.to ? to : s.to;
    }
    return s;
}

/* Adds a row of the table to a column. */
static void add_row(const struct resample_strip *strip, uint64_t row, uint64_t col, size_t cols,
                    double weight, struct sums *sums, struct work *work)
{
    const struct pe_tensor *table = strip->plane->table;
    const struct path *path = paths[cpu_path()];

    if (table->dtype == PE_F32) {
        const void *values =
            (const char *)strip->data + (row * table->dims[1] + col) * sizeof(float);

        if (cols < CHUNK)
            values = memcpy(work->singles, values, cols * sizeof(float));
        path->add_singles(sums, weight, values);
        return;
    }
    tensor_row(table, strip->data, row, col, cols, work->values);
    path->add_doubles(sums, weight, work->values);
}

static void add_columns(const struct resample_strip *strip, const struct stretch *s,
                        uint64_t col, size_t cols, struct work *work)
{
    const struct resample_axis *rows = &strip->plane->rows;

    if (cols < CHUNK) { /* the channels that are not there */
        memset(work->values, 0, sizeof work->values);
        memset(work->singles, 0, sizeof work->singles);
    }
    memset(work->columns, 0, (s->to - s->from) * sizeof work->columns[0]);
    for (uint64_t x = s->from; x < s->to; x++)
        for (uint64_t i = 0; i < rows->taps[s->y]; i++)
            add_row(strip, resample_place_row(strip->plane, rows->first[s->y] + i, x), col,
                    cols, rows->weights[s->y * rows->stride + i].hi,
                    &work->columns[x - s->from], work);
}

static void add_place(const struct resample_strip *strip, const struct stretch *s, uint64_t x,
                      struct work *work)
{
    const struct resample_axis *axis = &strip->plane->cols;
    const struct path *path = paths[cpu_path()];

    memset(&work->place, 0, sizeof work->place);
    for (uint64_t j = 0; j < axis->taps[x]; j++)
        path->add_sums(&work->place, axis->weights[x * axis->stride + j].hi,
                       &work->columns[axis->first[x] - s->from + j]);
}

static struct limits limits_of(const struct resample_plane *p, const struct stretch *s,
                               uint64_t x)
{
    const double rows = p->rows.taps[s->y], cols = p->cols.taps[x];

    return (struct limits){.bound = (rows * cols + rows + cols + 8) * 0x1p-52,
                           .least = p->table->dtype == PE_F64 ? 0x1p-900 : 0};
}

/* Computes the channels of which the ends of the bounds differ. */
static void repair(const struct resample_strip *strip, uint64_t place, uint64_t col,
                   size_t cols, struct work *work, char *to)
{
    const size_t size = pe_dtype_size(strip->dtype);
    size_t at[FEW], count = 0;

    for (size_t c = 0; c < cols; c++) {
        if (memcmp(work->low + c * size, work->high + c * size, size) == 0)
            continue;
        if (count == FEW) {
            resample_place_fill(strip->plane, strip->data, place, col, cols, work->values);
            pe_dtype_from_f64(strip->dtype, to, work->values, cols);
            return;
        }
        at[count++] = c;
    }
    for (size_t i = 0; i < count; i++) {
        double value;

        resample_place_fill(strip->plane, strip->data, place, col + at[i], 1, &value);
        pe_dtype_from_f64(strip->dtype, to + at[i] * size, &value, 1);
    }
}

/* Writes channels of a place whose sums are known. */
static void write_place(const struct resample_strip *strip, uint64_t place,
                        const struct limits *limits, uint64_t col, size_t cols,
                        struct work *work, char *to)
{
    const size_t bytes = cols * pe_dtype_size(strip->dtype);

    if (strip->dtype == PE_F32) {
        paths[cpu_path()]->bound_singles(&work->place, limits, (float *)(void *)work->low,
                                         (float *)(void *)work->high);
    } else {
        for (size_t c = 0; c < cols; c++)
            work->values[c] = end_of(&work->place, c, limits, -1);
        pe_dtype_from_f64(strip->dtype, work->low, work->values, cols);
        for (size_t c = 0; c < cols; c++)
            work->values[c] = end_of(&work->place, c, limits, 1);
        pe_dtype_from_f64(strip->dtype, work->high, work->values, cols);
    }
    memcpy(to, work->low, bytes);
    if (memcmp(work->low, work->high, bytes) != 0)
        repair(strip, place, col, cols, work, to);
}

uint64_t resample_strip_fill(const struct resample_strip *strip, void *out, void *scratch)
{
    const struct resample_plane *p = strip->plane;
    const struct stretch s = stretch_of(strip);
    const size_t size = pe_dtype_size(strip->dtype);
    struct work *work = scratch;

    for (uint64_t done = 0, part; done < strip->cols; done += part) {
        part = strip->cols - done < CHUNK ? strip->cols - done : CHUNK;
        add_columns(strip, &s, strip->col + done, (size_t)part, work);
        for (uint64_t x = s.x; x < s.end; x++) {
            const struct limits limits = limits_of(p, &s, x);
            char *to = (char *)out + ((x - s.x) * strip->cols + done) * size;

            add_place(strip, &s, x, work);
            write_place(strip, strip->first + (x - s.x), &limits, strip->col + done,
                        (size_t)part, work, to);
        }
    }
    return s.end - s.x;
}
