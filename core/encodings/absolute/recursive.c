/* SPDX-License-Identifier: Apache-2.0
 * recursive.c - each code is made from the code before it:
 *
 *     p_0 given, p_(k+1) = f(p_k)
 *     f(p) = A p + b, or its tanh; A is a matrix, a diagonal, or blocks that rotate columns,
 *                                  (cos w, -sin w; sin w, cos w)
 *     f(p) = W2 tanh(W1 p + b1) + b2
 *
 * Blocks with p_0 = (1, 0, 1, 0, ...) give sinusoids, cosine first, of frequencies w. Codes
 * stay bounded when no eigenvalue of A is beyond 1 in size. It is the discrete relative of
 * floater.c: Liu et al. 2020, Learning to Encode Position for Transformer with Continuous
 * Dynamical Model.
 */
#include "core/encoding.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/encodings/absolute/recurrence.h"
#include "core/math/precomputed.h"
#include "core/math/trig/phase.h"

enum { ROWS };

struct recursive {
    struct recurrence map;
    struct pe_reals diagonal, angles;
    int64_t len;
    bool tanh;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct recursive, len), .type = PE_INT, .required = true, .max = 0x1p20},
    RECURRENCE_ROWS(struct recursive),
    {PE_FIELD(struct recursive, diagonal), .type = PE_REALS, .min = -1e18, .max = 1e18,
     .when = "!a&!angles&!w1", PE_OWN("posenc", WEIGHTS, BASIC),
     .summary = "the diagonal of A, whose other entries are 0, in place of a"},
    {PE_FIELD(struct recursive, angles), .type = PE_REALS, .min = -0x1p53, .max = 0x1p53,
     .when = "!a&!w1", .unit = "radians", PE_OWN("posenc", FREQUENCIES, BASIC),
     .summary = "angles by which a step turns columns 0 and 1, 2 and 3 ..., in place of a"},
    {PE_FIELD(struct recursive, tanh), .type = PE_BOOL, .when = "!w1",
     PE_OWN("posenc", WEIGHTS, ADVANCED),
     .summary = "a step is the tanh of A p + b, which keeps codes within -1..1"},
};

static const struct pe_output outputs[] = {
    [ROWS] =
        {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
         .one_of = "a|diagonal|angles|w1",
         .summary = "the code of each position, beginning with p0", .by_default = true,
         .bound =
             "0.501 ULP, f64 1 ULP of the iteration; a step errs by 2^-95 of its terms' size, "
             "by 2^-51 with tanh, angles or a network, and later steps carry that on; a number "
             "below 2^-1022 becomes 0"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static double products(const struct recursive *r)
{
    return recurrence_products(&r->map) * (double)r->len;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct recursive *r = values;
    const size_t dim = r->map.p0.cols;

    if (r->map.a.rows + r->diagonal.rows + r->angles.rows + r->map.w1.rows == 0)
        pe_fail(errors, PE_MISSING_PARAMETER, "a",
                "must be given, or diagonal, angles, or w1 and w2");
    if (errors->count == 0)
        recurrence_check(&r->map, 0, errors);
    if (r->diagonal.rows > 0 && r->diagonal.cols != dim)
        pe_fail(errors, PE_CONFLICT, "diagonal", "must have %zu numbers; got %zu", dim,
                r->diagonal.cols);
    if (r->angles.rows > 0 && 2 * r->angles.cols != dim)
        pe_fail(errors, PE_CONFLICT, "angles",
                "must be one for each two numbers of p0, which has %zu; got %zu", dim,
                r->angles.cols);
    if (errors->count == 0)
        recurrence_check_products(products(r), "len", errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct recursive *r = values;
    const size_t bent = r->tanh ? r->map.p0.cols : r->map.w1.rows;

    return recurrence_ns(products(r)) + 200 * (double)bent * (double)r->len;
}

/* ---- steps ------------------------------------------------------------------------------- */

struct steps {
    const struct recursive *of;
    double *wave;                   /* cosine and sine of each angle */
    struct dd *code, *next, *units; /* parts of one allocation */
};

static void bend(struct dd *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        x[i] = (struct dd){elementary_tanh(x[i].hi + x[i].lo), 0};
}

static void scale(const struct steps *s)
{
    for (size_t i = 0; i < s->of->diagonal.cols; i++)
        s->next[i] = elementary_multiply((struct dd){s->of->diagonal.values[i], 0}, s->code[i]);
}

static void turn(const struct steps *s)
{
    for (size_t i = 0; i < s->of->angles.cols; i++) {
        const struct dd cosine = {s->wave[2 * i], 0}, sine = {s->wave[2 * i + 1], 0},
                        minus = {-s->wave[2 * i + 1], 0};
        const struct dd x = s->code[2 * i], y = s->code[2 * i + 1];

        s->next[2 * i] =
            elementary_add(elementary_multiply(cosine, x), elementary_multiply(minus, y));
        s->next[2 * i + 1] =
            elementary_add(elementary_multiply(sine, x), elementary_multiply(cosine, y));
    }
}

static void add_bias(const struct steps *s)
{
    const struct pe_reals *b = &s->of->map.b;

    for (size_t i = 0; i < b->cols; i++)
        s->next[i] = elementary_add(s->next[i], (struct dd){b->values[i], 0});
}

/* Ends codes that vanish at 0: a step rounds 2^-1073 times 0.6 to 2^-1073 again, for ever. */
static void settle(struct dd *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fabs(x[i].hi) < DBL_MIN)
            x[i] = (struct dd){0, 0};
}

static void step(struct steps *s)
{
    const struct recurrence *map = &s->of->map;
    struct dd *before = s->code;

    if (map->w1.rows > 0) {
        mlp_layer(&map->w1, &map->b1, s->code, s->units);
        bend(s->units, map->w1.rows);
        mlp_layer(&map->w2, &map->b2, s->units, s->next);
    } else if (map->a.rows > 0) {
        mlp_layer(&map->a, &map->b, s->code, s->next);
    } else {
        scale(s);
        turn(s);
        add_bias(s);
    }
    if (s->of->tanh)
        bend(s->next, map->p0.cols);
    settle(s->next, map->p0.cols);
    s->code = s->next;
    s->next = before;
}

/* Reports the spectral radius: 1 for blocks, which rotate; else the diagonal's largest size. */
static void report(struct pe_build *build, const struct recursive *r)
{
    double radius = r->angles.cols > 0;

    for (size_t i = 0; i < r->diagonal.cols; i++)
        radius = fmax(radius, fabs(r->diagonal.values[i]));
    if (r->angles.cols + r->diagonal.cols > 0)
        pe_build_fact(build, "spectral_radius", radius);
}

static void refuse_growth(const struct recursive *r, size_t most, struct pe_errors *errors)
{
    pe_fail(errors, PE_TOO_LARGE, "len", "must be at most %zu here: " RECURRENCE_RANGE, most);
    pe_note_limit(errors, most, (uint64_t)r->len);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct recursive *r = values;
    const size_t dim = r->map.p0.cols, len = (size_t)r->len;
    double *rows = precomputed_new(build, ROWS, len, dim);
    struct dd *buffer = calloc(2 * dim + r->map.w1.rows, sizeof *buffer);
    struct steps s = {r, pe_build_alloc(build, (dim + 1) * sizeof(double)), buffer, NULL, NULL};
    size_t k = 0;

    if (!rows || !buffer || !s.wave) {
        pe_build_no_memory(build);
        free(buffer);
        return;
    }
    s.next = buffer + dim;
    s.units = buffer + 2 * dim;
    for (size_t i = 0; i < r->angles.cols; i++)
        phase_sincos_at(&phase_radian, r->angles.values[i], &s.wave[2 * i + 1], &s.wave[2 * i]);
    for (size_t i = 0; i < dim; i++)
        s.code[i] = (struct dd){r->map.p0.values[i], 0};
    while (k < len && !pe_build_stopped(build) && recurrence_row(s.code, dim, rows + k * dim))
        if (++k < len)
            step(&s);
    free(buffer);
    if (pe_build_stopped(build))
        return;
    report(build, r);
    if (k != len)
        refuse_growth(r, k, pe_build_errors(build));
}

const struct pe_encoding pe_encoding_recursive = {
    .name = "recursive",
    .title = "Recursive position codes",
    .formula = "rows[0] = p0, rows[k+1] = f(rows[k])\n"
               "f(p) = A p + b, or its tanh; A is a, a diagonal, or turns by angles\n"
               "f(p) = w2 tanh(w1 p + b1) + b2",
    .when_to_use =
        "Position as the state of a recurrence whose map is learned: it has no longest "
        "position and few weights (Liu et al. 2020). floater is the same idea with continuous "
        "time; turns by fixed angles give sinusoidal rows.",
    .what_goes_wrong =
        "Codes grow or vanish exponentially unless no eigenvalue of A is beyond 1 in size: "
        "the fact spectral_radius tells it for a diagonal and for angles. Every step adds to "
        "the error of the one before, so that float32 code drifts from these rows. From "
        "p0=1,0 turns give cosines first, sinusoidal rows have sines first.",
    .picture = "len=64&p0=1,0,1,0,1,0,1,0&angles=1,0.3,0.1,0.03",
    .summary = "each code from the code before it, by a matrix, blocks or a small network",
    .source = "Liu et al. 2020, Learning to Encode Position for Transformer with Continuous "
              "Dynamical Model (discrete steps)",
    .examples = PE_WORDS("len=4&p0=1,0&angles=0.1", "len=4&p0=1,2&a=0.5,1;0,-0.5&b=1,0&tanh=1",
                         "len=3&p0=1,1&diagonal=0.5,2",
                         "len=3&p0=1,-1&w1=1,2;0.5,0;1,1&b1=0,1,0&w2=1,0,1;0,2,0&b2=0,0.5"),
    .family = PE_ABSOLUTE,
    .revision = 2,
    .kind = PE_WHOLE,
    PE_TABLES(struct recursive, params, outputs),
    .check = check,
    .lengths = PE_WORDS("pos=len", "dim=p0"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
