/* SPDX-License-Identifier: Apache-2.0
 * complex_order.c - word vectors as waves of their position: word j has amplitudes r_j,
 * frequencies w_j and phases theta, and at position k the complex vector
 *
 *     f(j, k) = r_j e^(i (w_j k + theta))
 *
 * whose product with another's conjugate depends on the distance alone. In the published code
 * each word has frequencies of its own (token_ids choose the rows of w) and there is no theta.
 *
 * Wang et al. 2020, Encoding word order in complex embeddings; iclr-complex-order. */
#include "core/encodings/spatial/spatial_columns.h"

enum { REAL_IMAG, MAGNITUDE_PHASE };
enum { PLACE, ONE, NUMBERS };

struct complex_order {
    const struct pe_positions *pos, *token_ids;
    struct pe_reals r, w, theta;
    int complex_form;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct complex_order, true),
    {PE_FIELD(struct complex_order, r), .type = PE_REALS, .matrix = true, .required = true,
     .min = -1e18, .max = 1e18, PE_OWN("Wang et al. 2020", WEIGHTS, BASIC),
     .summary = "amplitudes r, a number a column: one row for every word, or a row a word"},
    {PE_FIELD(struct complex_order, w), .type = PE_REALS, .matrix = true, .required = true,
     .min = -1e18, .max = 1e18, .unit = "radians", .level = PE_BASIC,
     .summary = "frequencies w, a number a column: one row for every word, or a row a word"},
    {PE_FIELD(struct complex_order, theta), .type = PE_REALS, .min = -1e18, .max = 1e18,
     .unit = "radians", PE_OWN("Wang et al. 2020", WEIGHTS, ADVANCED),
     .summary = "initial phases theta, a number a column; 0 by default"},
    {PE_FIELD(struct complex_order, token_ids), .type = PE_POSITIONS, .optional = true,
     PE_OWN("posenc", POSITIONS, BASIC),
     .summary = "the word at each of pos, counted from 0: which row of r and w it has"},
    {PE_FIELD(struct complex_order, complex_form),
     PE_CHOICES(
         PE_ONE_AT(REAL_IMAG, "real-imag",
                   "all real parts r cos(angle), then all imaginary parts r sin(angle)"),
         PE_ONE_AT(MAGNITUDE_PHASE, "magnitude-phase",
                   "all amplitudes r, then all angles w pos + theta, not reduced to a turn")),
     PE_OWN("posenc", CONVENTION, BASIC),
     .summary = "how a complex number is written in two columns"},
};

static const struct pe_output outputs[] = {
    [SPATIAL_COLUMNS_ROWS] =
        {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
         .summary = "the complex vector of each position, as two columns a number",
         .by_default = true,
         .bound = "0.501 ULP; f64 2.2 ULP, where w k and theta cancel r 2^-52 of their size"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static size_t words_of(const struct complex_order *c)
{
    return c->w.rows > c->r.rows ? c->w.rows : c->r.rows;
}

static void check_token_ids(const struct complex_order *c, struct pe_errors *errors)
{
    const size_t words = words_of(c);
    const uint64_t count = pe_positions_count(c->pos);
    double low, high;

    if (!c->token_ids && words > 1)
        pe_fail(errors, PE_MISSING_PARAMETER, "token_ids",
                "is required where r or w has a row a word: the word at each of pos");
    if (!c->token_ids)
        return;
    if (words == 1) {
        pe_fail(errors, PE_CONFLICT, "token_ids",
                "has no effect where r and w have one row, for every word");
        return;
    }
    if (pe_positions_count(c->token_ids) != count)
        pe_fail(errors, PE_CONFLICT, "token_ids", "must be as many as pos, %llu; got %llu",
                (unsigned long long)count,
                (unsigned long long)pe_positions_count(c->token_ids));
    pe_positions_range(c->token_ids, &low, &high);
    if (low < 0 || high >= (double)words)
        pe_fail(errors, PE_OUT_OF_RANGE, "token_ids",
                "must be 0..%zu, rows of r and w; got %.0f", words - 1, low < 0 ? low : high);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct complex_order *c = values;
    const size_t words = words_of(c);

    if (c->r.cols != c->w.cols)
        pe_fail(errors, PE_CONFLICT, "r", "must have as many columns as w, %zu; got %zu",
                c->w.cols, c->r.cols);
    if (c->theta.cols > 0 && c->theta.cols != c->w.cols)
        pe_fail(errors, PE_CONFLICT, "theta", "must be as many as columns of w, %zu; got %zu",
                c->w.cols, c->theta.cols);
    if ((c->r.rows > 1 && c->r.rows != words) || (c->w.rows > 1 && c->w.rows != words))
        pe_fail(errors, PE_CONFLICT, "r",
                "must have one row, or one a word as w has, %zu; got %zu", c->w.rows,
                c->r.rows);
    else
        check_token_ids(c, errors);
}

/* ---- filling ----------------------------------------------------------------------------- */

static size_t numbers_of(const struct complex_order *c)
{
    return c->theta.cols > 0 ? NUMBERS : ONE;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct complex_order *c = values;

    return spatial_columns_plan_ns((double)(numbers_of(c) * c->w.rows * c->w.cols)) +
           4 * (double)words_of(c) * (double)c->w.cols;
}

static void compute(const void *context, uint64_t row, double *numbers)
{
    const struct complex_order *c = context;

    numbers[PLACE] = pe_positions_at(c->pos, row);
    numbers[ONE] = 1;
}

/* Returns the matrix w and, below it, theta repeated for each row of w (0 without theta). */
static const double *matrix_of(struct pe_build *build, const struct complex_order *c)
{
    const size_t pairs = c->w.rows * c->w.cols;
    double *matrix = pe_build_alloc(build, NUMBERS * pairs * sizeof *matrix);

    for (size_t i = 0; matrix && i < pairs; i++) {
        matrix[PLACE * pairs + i] = c->w.values[i];
        matrix[ONE * pairs + i] = c->theta.cols > 0 ? c->theta.values[i % c->w.cols] : 0;
    }
    return matrix;
}

/* Says which wave the columns of a word show, and with which amplitude. */
static void put_word(const struct complex_order *c, size_t word, struct axes_column *column,
                     double *amplitude)
{
    const size_t count = c->w.cols;
    const size_t pair = c->w.rows > 1 ? word * count : 0;
    const double *r = c->r.values + (c->r.rows > 1 ? word * count : 0);
    const bool waves = c->complex_form == REAL_IMAG;

    axes_columns_put(column, 0, 1, waves ? AXES_WAVE_COS : AXES_WAVE_ONE, pair, count);
    axes_columns_put(column, count, 1, waves ? AXES_WAVE_SIN : AXES_WAVE_ANGLE, pair, count);
    for (size_t i = 0; i < count; i++) {
        amplitude[i] = r[i];
        amplitude[count + i] = waves ? r[i] : 1;
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct complex_order *c = values;
    const size_t words = words_of(c), cols = 2 * c->w.cols;
    struct spatial_columns wanted = {.points = axes_points_none(numbers_of(c)),
                                     .pairs = c->w.rows * c->w.cols,
                                     .cols = cols,
                                     .blocks = words};
    const double *matrix = matrix_of(build, c);
    double *amplitude = pe_build_alloc(build, words * cols * sizeof *amplitude);
    struct axes_columns *columns = NULL;
    struct axes_column *column;

    wanted.points.rows = pe_positions_count(c->pos);
    wanted.points.compute = compute;
    wanted.points.context = c;
    if (matrix && amplitude && spatial_columns_dense(build, &wanted, matrix, false))
        columns = spatial_columns_new(build, &wanted, &column);
    if (columns) {
        for (size_t word = 0; word < words; word++)
            put_word(c, word, column + word * cols, amplitude + word * cols);
        columns->amplitude = amplitude;
        columns->block = c->token_ids;
    }
    spatial_columns_fill(build, columns, 0);
}

const struct pe_encoding pe_encoding_complex_order = {
    .name = "complex-order",
    .title = "Complex order embeddings",
    .formula = "f(word, p) = r[word] e^(i (w[word] p + theta))\n"
               "real-imag: rows = [r cos(w p + theta) | r sin(w p + theta)]\n"
               "magnitude-phase: rows = [r | w p + theta]",
    .when_to_use =
        "Complex-valued networks for text (Wang et al. 2020), where each word has waves of "
        "its own. With r = 1 and the same w for every word these are the sines and cosines "
        "of sinusoidal; rope puts them on queries and keys.",
    .what_goes_wrong =
        "The paper has a phase theta, the published code has none and gives each word "
        "frequencies of its own: w then needs a row a word and token_ids. Columns are all "
        "real parts, then all imaginary parts: a library that keeps the two parts of a "
        "number side by side needs another order.",
    .picture = "pos=0:64&r=1,1,0.8,0.6&w=1,0.4,0.15,0.05&theta=0,0.5,1,1.5",
    .summary = "word vectors as complex waves of their position",
    .source = "Wang et al. 2020, Encoding word order in complex embeddings; iclr-complex-order",
    .examples = PE_WORDS("pos=3&r=2,0.5&w=1,0.1&theta=0,0.3",
                         "pos=0:3&token_ids=1,0,1&r=2,0.5;1,-1&w=1,0.1;0.5,-2",
                         "pos=0,2.5&r=2,0.5&w=1,0.1&complex_form=magnitude-phase",
                         "pos=5,6&token_ids=0,1&r=1,2&w=1,0.1;-3,0"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct complex_order, params, outputs),
    .check = check,
    .lengths = PE_WORDS("dim=2*w"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
