/* SPDX-License-Identifier: Apache-2.0
 * floater.c - codes along the path of a differential equation, for any real position:
 *
 *     dp/dt = h(t, p)      p_k = p(k dt_position)
 *     h = A p + b      or      h = W2 [relu(W1 [p, t] + b1), t] + b2
 *
 *     euler: p += s h(t, p)
 *     rk4:   k1 = h(t, p), k2 = h(t + s/2, p + s/2 k1), k3 = h(t + s/2, p + s/2 k2),
 *            k4 = h(t + s, p + s k3), p += s/6 (k1 + 2 k2 + 2 k3 + k4)
 *
 * Whole steps s = solver_step lead from 0 as far as they fit, one shorter step leads to the
 * position itself (none where the quotient is whole but for rounding); below 0, steps go
 * backwards. So a code depends on its position alone. The solver's own error is of order s^4,
 * s for euler.
 *
 * Liu et al. 2020, Learning to Encode Position for Transformer with Continuous Dynamical
 * Model; xuanqing94/FLOATER.
 */
#include "core/encoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encodings/absolute/recurrence.h"
#include "core/math/precomputed.h"

enum { ROWS };
enum { RK4, EULER };

static const double most_steps = 0x1p20;

struct floater {
    const struct pe_positions *pos;
    struct recurrence map;
    double dt_position, solver_step;
    int solver;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct floater, true),
    RECURRENCE_ROWS(struct floater),
    {PE_FIELD(struct floater, dt_position), .type = PE_REAL, .min = 1e-9, .max = 1e6,
     .preset = 0.01, PE_OWN("posenc", POSITIONS, ADVANCED),
     .summary = "time from one position to the next"},
    {PE_FIELD(struct floater, solver_step), .type = PE_REAL, .min = 1e-9, .max = 1e6,
     .preset = 0.002, PE_OWN("posenc", ARITHMETIC, ADVANCED),
     .summary = "time of a whole step of the solver; the defaults are five steps a position"},
    {PE_FIELD(struct floater, solver),
     PE_CHOICES(PE_ONE_AT(RK4, "rk4",
                          "the method of Runge and Kutta of order four: four slopes a step"),
                PE_ONE_AT(EULER, "euler", "the method of Euler: one slope a step")),
     PE_OWN("posenc", ARITHMETIC, ADVANCED),
     .summary = "method that solves the differential equation"},
};

static const struct pe_output outputs[] = {
    [ROWS] =
        {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows", .one_of = "a|w1",
         .summary = "the code of each position: the path at its time", .by_default = true,
         .bound =
             "0.501 ULP, f64 1 ULP of the solver's steps, each of which errs by 2^-90 of its "
             "terms' size; from the path itself by the solver's own error"},
};

/* ---- rules ------------------------------------------------------------------------------- */

/* Returns the number of steps to a position, a fraction included. */
static double steps_to(const struct floater *f, double position)
{
    double steps = fabs(position) * f->dt_position / f->solver_step,
           nearest = floor(steps + 0.5);

    return fabs(steps - nearest) <= nearest * 0x1p-50 ? nearest : steps;
}

/* Counts the products of the whole steps in both directions and of a last step a position. */
static double products(const struct floater *f, double longest[2])
{
    double low, high;

    pe_positions_range(f->pos, &low, &high);
    longest[0] = steps_to(f, fmax(high, 0));
    longest[1] = steps_to(f, fmin(low, 0));
    return (recurrence_products(&f->map) + 4 * (double)f->map.p0.cols) *
           (f->solver == RK4 ? 4 : 1) *
           (longest[0] + longest[1] + (double)pe_positions_count(f->pos));
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct floater *f = values;
    double longest[2], work = products(f, longest);

    if (f->map.a.rows == 0 && f->map.w1.rows == 0)
        pe_fail(errors, PE_MISSING_PARAMETER, "a", "must be given, or w1 and w2");
    if (errors->count > 0)
        return;
    recurrence_check(&f->map, 1, errors);
    if (fmax(longest[0], longest[1]) > most_steps) {
        pe_fail(errors, PE_TOO_LARGE, "solver_step",
                "must reach each position in at most %.0f steps", most_steps);
        pe_note_limit(errors, (uint64_t)most_steps,
                      (uint64_t)fmin(fmax(longest[0], longest[1]), 0x1p63));
    } else if (errors->count == 0) {
        recurrence_check_products(work, "pos", errors);
    }
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    double longest[2];

    return recurrence_ns(products(values, longest));
}

/* ---- steps ------------------------------------------------------------------------------- */

/* The vectors have dim numbers, `units` one a hidden unit; `in` and `units` end with time. */
struct path {
    const struct floater *of;
    struct pe_build *build;
    struct dd *code, *landed, *in, *slope, *sum, *units;
};

static struct dd *path_new(struct path *path, struct pe_build *build, const struct floater *f)
{
    const size_t dim = f->map.p0.cols;
    struct dd *buffer = calloc(5 * dim + 1 + f->map.w1.rows + 1, sizeof *buffer);

    *path = (struct path){.of = f, .build = build};
    if (!buffer)
        return NULL;
    path->code = buffer;
    path->landed = buffer + dim;
    path->slope = buffer + 2 * dim;
    path->sum = buffer + 3 * dim;
    path->in = buffer + 4 * dim;
    path->units = path->in + dim + 1;
    return buffer;
}

/* Computes slope = h(t, in). */
static void path_slope(const struct path *path, struct dd t)
{
    const struct recurrence *map = &path->of->map;

    if (map->a.rows > 0) {
        mlp_layer(&map->a, &map->b, path->in, path->slope);
        return;
    }
    path->in[map->p0.cols] = t;
    mlp_layer(&map->w1, &map->b1, path->in, path->units);
    mlp_relu(path->units, map->w1.rows);
    path->units[map->w1.rows] = t;
    mlp_layer(&map->w2, &map->b2, path->units, path->slope);
}

/* Computes to = from + by * x. */
static void advance(struct dd *to, const struct dd *from, struct dd by, const struct dd *x,
                    size_t dim)
{
    for (size_t i = 0; i < dim; i++)
        to[i] = elementary_add(from[i], elementary_multiply(by, x[i]));
}

/* Sets `to` to the code one step of time s after t. */
static void path_step(const struct path *path, struct dd t, struct dd s, struct dd *to)
{
    const size_t dim = path->of->map.p0.cols;
    const struct dd one = {1, 0}, two = {2, 0};
    const struct dd half = {s.hi / 2, s.lo / 2};
    const struct dd middle = elementary_add(t, half), end = elementary_add(t, s);

    memcpy(path->in, path->code, dim * sizeof *path->in);
    path_slope(path, t);
    if (path->of->solver == EULER) {
        advance(to, path->code, s, path->slope, dim);
        return;
    }
    memcpy(path->sum, path->slope, dim * sizeof *path->sum);
    advance(path->in, path->code, half, path->slope, dim);
    path_slope(path, middle);
    advance(path->sum, path->sum, two, path->slope, dim);
    advance(path->in, path->code, half, path->slope, dim);
    path_slope(path, middle);
    advance(path->sum, path->sum, two, path->slope, dim);
    advance(path->in, path->code, s, path->slope, dim);
    path_slope(path, end);
    advance(path->sum, path->sum, one, path->slope, dim);
    advance(to, path->code, elementary_divide(s, (struct dd){6, 0}), path->sum, dim);
}

/* ---- from position to position ----------------------------------------------------------- */

struct stop {
    double position;
    size_t row;
};

/* Orders stops by their distance from 0. */
static int stop_order(const void *left, const void *right)
{
    double a = fabs(((const struct stop *)left)->position),
           b = fabs(((const struct stop *)right)->position);

    return (a > b) - (a < b);
}

static void refuse_growth(double within, double asked, struct pe_errors *errors)
{
    pe_fail(errors, PE_TOO_LARGE, "pos",
            "must be at most %.0f steps of the solver from 0 here: " RECURRENCE_RANGE, within);
    pe_note_limit(errors, (uint64_t)within, (uint64_t)ceil(asked));
}

/* Fills the rows of one direction, sign 1 or -1, from p_0 on; false when stopped or refused. A
 * whole step is written to the row that it leads to, so that leaving the range is seen at
 * once. */
static bool walk(const struct path *path, double sign, const struct stop *stops, size_t count,
                 double *rows)
{
    const struct floater *f = path->of;
    const size_t dim = f->map.p0.cols;
    const struct dd full_step = {sign * f->solver_step, 0};
    double done = 0;

    for (size_t i = 0; i < dim; i++)
        path->code[i] = (struct dd){f->map.p0.values[i], 0};
    for (size_t i = 0; i < count; i++) {
        double *row = rows + stops[i].row * dim, steps = steps_to(f, stops[i].position);
        struct dd *at = path->code;

        if (signbit(stops[i].position) != signbit(sign))
            continue;
        for (; done + 1 <= steps; done++) {
            if (pe_build_stopped(path->build))
                return false;
            path_step(path, elementary_product(done, full_step.hi), full_step, path->code);
            if (!recurrence_row(path->code, dim, row)) {
                refuse_growth(done, steps, pe_build_errors(path->build));
                return false;
            }
        }
        if (steps > done) {
            struct dd time = elementary_product(done, full_step.hi);
            struct dd end = elementary_product(stops[i].position, f->dt_position);

            at = path->landed;
            path_step(path, time, elementary_add(end, (struct dd){-time.hi, -time.lo}), at);
        }
        if (!recurrence_row(at, dim, row)) {
            refuse_growth(done, steps, pe_build_errors(path->build));
            return false;
        }
    }
    return true;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct floater *f = values;
    const size_t count = (size_t)pe_positions_count(f->pos);
    double *rows = precomputed_new(build, ROWS, count, f->map.p0.cols);
    struct stop *stops = calloc(count + 1, sizeof *stops);
    struct path path;
    struct dd *buffer = path_new(&path, build, f);

    if (rows && stops && buffer) {
        for (size_t i = 0; i < count; i++)
            stops[i] = (struct stop){pe_positions_at(f->pos, i), i};
        qsort(stops, count, sizeof *stops, stop_order);
        if (walk(&path, 1, stops, count, rows))
            walk(&path, -1, stops, count, rows);
    } else {
        pe_build_no_memory(build);
    }
    free(buffer);
    free(stops);
}

const struct pe_encoding pe_encoding_floater = {
    .name = "floater",
    .title = "FLOATER: positions by a differential equation",
    .formula = "dp/dt = h(t, p), p(0) = p0, rows[k] = p(k dt_position)\n"
               "h(t, p) = a p + b, or w2 [relu(w1 [p, t] + b1), t] + b2",
    .when_to_use =
        "Learned positions without a longest one, at real positions too (Liu et al. 2020): "
        "the weights of the dynamics come from the checkpoint. recursive is the same idea in "
        "discrete steps; sinusoidal needs no weights.",
    .what_goes_wrong =
        "The published code takes five steps of 0.002 from one position to the next 0.01 "
        "later: with another solver or step the codes differ by the solver's error. Time is "
        "the last input of both layers, so that w1 and w2 have one column more than the code "
        "and the hidden layer. Its default dynamics are convolutional, and are not offered "
        "here.",
    .picture = "pos=0:64&p0=1,0,1,0&a=0,-1,0,0;1,0,0,0;0,0,0,-0.3;0,0,0.3,0&dt_position=0.2&"
               "solver_step=0.1",
    .summary = "codes along the path of a differential equation (FLOATER)",
    .source = "Liu et al. 2020, Learning to Encode Position for Transformer with Continuous "
              "Dynamical Model; xuanqing94/FLOATER",
    .examples = PE_WORDS("pos=0:4&p0=1,0&a=0,-1;1,0&dt_position=0.1&solver_step=0.1",
                         "pos=0,2.5,-1&p0=1,0.5&a=-1,0;0,2&b=1,0&solver=euler",
                         "pos=0:3&p0=1,-1&w1=1,0,2;0,1,-1&b1=0,1&w2=1,0,1;0.5,1,0"),
    .family = PE_ABSOLUTE,
    .kind = PE_WHOLE,
    PE_TABLES(struct floater, params, outputs),
    .check = check,
    .lengths = PE_WORDS("dim=p0"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
