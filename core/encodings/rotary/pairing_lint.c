/* SPDX-License-Identifier: Apache-2.0
 * pairing_lint.c - checks that a table of cosines and sines fits the rotation applied with it:
 *
 *     adjacent-duplicated: c[2k] = c[2k+1]     half-duplicated: c[k] = c[k + r/2]
 *     A^2 = cos^2 + sin^2     w_k = angle of pair k at position p, over p
 *     theta = (w_0 / w_k)^(m/k), if all k agree
 *
 * A mismatch keeps shapes and sizes, and position 0 turns nothing in any of them, so the first
 * token looks right. V-JEPA 2 rotates adjacent pairs by a half table and was trained so; other
 * models shipped the mismatch by mistake. */
#include <math.h>

#include "core/encoding.h"
#include "core/math/number/arc.h"
#include "core/math/precomputed.h"
#include "core/math/scaling/scaling_exact.h"

enum { VERDICT, LAYOUT, AMPLITUDE, THETA, OUTPUT_COUNT };
enum { ROTATION_HALF, ROTATION_ADJACENT };
enum layout { NEITHER, ADJACENT, HALF, BOTH };
enum verdict { CONSISTENT, INVERSE, HALF_TABLE, ADJACENT_TABLE, UNKNOWN_TABLE };

struct pairing_lint {
    const struct pe_positions *pos;
    struct pe_reals cos, sin;
    int rotation;
    double tolerance;
};

static const struct pe_choice rotations[] = {
    [ROTATION_HALF] = {"half", PE_WORDS("neox", "rotate_half"),
                       "the rotation turns columns k and k + r/2 together", NULL, NULL},
    [ROTATION_ADJACENT] = {"adjacent", PE_WORDS("interleaved", "gptj"),
                           "the rotation turns columns 2k and 2k + 1 together", NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct pairing_lint, pos), .type = PE_POSITIONS, .required = true,
     .unit = "positions", .summary = "positions of the rows of the table, as 0:4"},
    {PE_FIELD(struct pairing_lint, cos), .type = PE_REALS, .required = true, .matrix = true,
     .min = -1e6, .max = 1e6, PE_OWN("transformers", VECTORS, BASIC),
     .summary = "rows of cosines of the table, as wide as the vectors that are turned"},
    {PE_FIELD(struct pairing_lint, sin), .type = PE_REALS, .required = true, .matrix = true,
     .min = -1e6, .max = 1e6, PE_OWN("transformers", VECTORS, BASIC),
     .summary = "rows of sines of the table, as wide as those of cos"},
    {PE_FIELD(struct pairing_lint, rotation), .type = PE_CHOICE, .required = true,
     .choices = rotations, PE_OWN("posenc", CONVENTION, BASIC),
     .summary = "rotation that the code applies with the table"},
    {PE_FIELD(struct pairing_lint, tolerance), .type = PE_REAL, .min = 0, .max = 1,
     .preset = 1e-3, PE_OWN("posenc", ARITHMETIC, ADVANCED),
     .summary =
         "difference up to which two numbers count as equal; 1e-2 for tables of 16 bits"},
};

#define LAYOUT_NAMES "pos", "cos", "sin", "tolerance"

static const struct pe_output outputs[] = {
    [VERDICT] = {PE_OUTPUT("verdict", PE_I64, NULL), .label = "Verdict",
                 .sign = PE_NOT_NEGATIVE,
                 .summary =
                     "whether table and rotation fit: 0 consistent, 1 inverse rotation, 2 "
                     "half table with adjacent "
                     "rotation, 3 "
                     "adjacent table with half rotation, 4 not a table of pairs",
                 .by_default = true, .uses = PE_WORDS(LAYOUT_NAMES, "rotation"),
                 .bound = "exact"},
    [LAYOUT] = {PE_OUTPUT("layout", PE_I64, NULL), .label = "Layout", .sign = PE_NOT_NEGATIVE,
                .summary =
                    "where the table has each value twice: 0 nowhere, 1 in adjacent columns, "
                    "2 in both halves, 3 both",
                .by_default = true, .uses = PE_WORDS(LAYOUT_NAMES), .bound = "exact"},
    [AMPLITUDE] =
        {PE_OUTPUT("amplitude", PE_F64, NULL), .label = "Amplitude", .sign = PE_NOT_NEGATIVE,
         .summary = "mean size of (cos, sin): not 1 where an attention factor is in the table",
         .by_default = true, .uses = PE_WORDS(LAYOUT_NAMES), .bound = "2^-40 relative"},
    [THETA] = {PE_OUTPUT("theta", PE_F64, NULL), .label = "Base", .sign = PE_NOT_NEGATIVE,
               .summary =
                   "estimated base of the frequencies; 0 where they are no geometric ladder",
               .by_default = true, .uses = PE_WORDS(LAYOUT_NAMES),
               .bound = "as good as the table"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct pairing_lint *l = values;

    if (l->cos.rows != l->sin.rows || l->cos.cols != l->sin.cols)
        pe_fail(errors, PE_CONFLICT, "sin",
                "must have the shape of cos, %zu rows of %zu; got %zu rows of %zu", l->cos.rows,
                l->cos.cols, l->sin.rows, l->sin.cols);
    else if (l->cos.cols % 2 != 0)
        pe_fail(errors, PE_CONFLICT, "cos",
                "must have rows as wide as what rotates, an even number; got %zu", l->cos.cols);
    else if (pe_positions_count(l->pos) != l->cos.rows)
        pe_fail(errors, PE_CONFLICT, "pos",
                "must have a position for each of the %zu rows of cos; got %llu", l->cos.rows,
                (unsigned long long)pe_positions_count(l->pos));
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    return (struct pe_interval){0, output == VERDICT ? (double)UNKNOWN_TABLE : (double)BOTH};
}

/* ---- layout of the table ----------------------------------------------------------------- */

static bool is_duplicated(const struct pairing_lint *l, const struct pe_reals *table,
                          bool adjacent)
{
    const size_t pairs = table->cols / 2;

    for (size_t row = 0; row < table->rows; row++) {
        const double *at = table->values + row * table->cols;

        for (size_t k = 0; k < pairs; k++) {
            const double first = at[adjacent ? 2 * k : k];
            const double second = at[adjacent ? 2 * k + 1 : k + pairs];

            if (!(fabs(first - second) <= l->tolerance))
                return false;
        }
    }
    return true;
}

static enum layout layout_of(const struct pairing_lint *l)
{
    const bool adjacent = is_duplicated(l, &l->cos, true) && is_duplicated(l, &l->sin, true);
    const bool half = is_duplicated(l, &l->cos, false) && is_duplicated(l, &l->sin, false);

    return (enum layout)((adjacent ? ADJACENT : 0) + (half ? HALF : 0));
}

/* Finds the row of position 0 or of the smallest position above 0; rows if there is none. */
static size_t find_row(const struct pairing_lint *l, bool zero)
{
    size_t found = l->cos.rows;
    double least = INFINITY;

    for (size_t row = 0; row < l->cos.rows; row++) {
        const double position = pe_positions_at(l->pos, row);

        if (zero ? position == 0 : position > 0 && position < least) {
            least = position;
            found = row;
        }
    }
    return found;
}

/* Says whether cos is 0 and sin is not at position 0, where a cosine is 1 and a sine 0. */
static bool is_swapped(const struct pairing_lint *l)
{
    const size_t row = find_row(l, true);
    bool swapped = row < l->cos.rows;

    for (size_t c = 0; swapped && c < l->cos.cols; c++)
        swapped = fabs(l->cos.values[row * l->cos.cols + c]) <= l->tolerance &&
                  fabs(l->sin.values[row * l->sin.cols + c]) > l->tolerance;
    return swapped;
}

static struct pairing_lint exchanged(const struct pairing_lint *l)
{
    struct pairing_lint other = *l;

    other.cos = l->sin;
    other.sin = l->cos;
    return other;
}

/* Says whether more sines are below 0 than above it at the smallest positive position. */
static bool is_inverse(const struct pairing_lint *l)
{
    const size_t row = find_row(l, false);
    size_t below = 0, above = 0;

    for (size_t c = 0; row < l->sin.rows && c < l->sin.cols; c++) {
        below += l->sin.values[row * l->sin.cols + c] < 0;
        above += l->sin.values[row * l->sin.cols + c] > 0;
    }
    return below > above;
}

static enum verdict verdict_of(const struct pairing_lint *l, enum layout layout)
{
    if (layout == NEITHER)
        return UNKNOWN_TABLE;
    if (layout == HALF && l->rotation == ROTATION_ADJACENT)
        return HALF_TABLE;
    if (layout == ADJACENT && l->rotation == ROTATION_HALF)
        return ADJACENT_TABLE;
    return is_inverse(l) ? INVERSE : CONSISTENT;
}

/* ---- sizes and frequencies --------------------------------------------------------------- */

/* Returns the mean of A and sets *varies when the elements do not agree on A^2. */
static double amplitude_of(const struct pairing_lint *l, bool *varies)
{
    const size_t count = l->cos.rows * l->cos.cols;
    double sum = 0, least = INFINITY, most = 0;

    for (size_t i = 0; i < count; i++) {
        const double square =
            l->cos.values[i] * l->cos.values[i] + l->sin.values[i] * l->sin.values[i];

        least = fmin(least, square);
        most = fmax(most, square);
        sum += sqrt(square);
    }
    *varies = count > 0 && most - least > 4 * l->tolerance * fmax(1, most);
    return count > 0 ? sum / (double)count : 0;
}

/* Returns theta, 0 unless all pairs agree to 1e-3. Beyond position 3 the fastest pair, of
 * frequency 1, may have turned by more than pi. */
static double theta_of(const struct pairing_lint *l, enum layout layout)
{
    const size_t row = find_row(l, false), pairs = l->cos.cols / 2;
    const size_t step = layout == ADJACENT ? 2 : 1;
    const double sign = is_inverse(l) ? -1 : 1;
    double first = 0, theta = 0, low = INFINITY, high = 0;

    if (row == l->cos.rows || layout == NEITHER || pe_positions_at(l->pos, row) > 3)
        return 0;
    for (size_t k = 0; k < pairs; k++) {
        const size_t at = row * l->cos.cols + step * k;
        const double angle = arc_of(l->cos.values[at], sign * l->sin.values[at]);

        if (k == 0)
            first = angle;
        if (k == 0 || !(angle > 1e-6) || !(first > 1e-6))
            continue;
        theta = scaling_pow(first / angle, (double)pairs / (double)k);
        low = fmin(low, theta);
        high = fmax(high, theta);
    }
    return theta > 0 && isfinite(high) && high - low <= 1e-3 * high ? theta : 0;
}

/* ---- answers ----------------------------------------------------------------------------- */

static const char *const layouts[] = {"neither", "adjacent-duplicated", "half-duplicated",
                                      "both"};
static const char *const verdicts[] = {
    "consistent", "inverse rotation: the sines have the other sign",
    "mismatch: half table with adjacent rotation (as V-JEPA 2)",
    "mismatch: adjacent table with half rotation", "not a table of pairs that are duplicated"};

static void prepare(struct pe_build *build, const void *values)
{
    const struct pairing_lint *given = values;
    const bool swapped = is_swapped(given);
    const struct pairing_lint l = swapped ? exchanged(given) : *given;
    const enum layout layout = layout_of(&l);
    const enum verdict verdict = verdict_of(&l, layout);
    bool varies;
    const double amplitude = amplitude_of(&l, &varies);
    const double results[] = {[VERDICT] = verdict,
                              [LAYOUT] = layout,
                              [AMPLITUDE] = amplitude,
                              [THETA] = theta_of(&l, layout)};

    for (size_t i = 0; i < OUTPUT_COUNT; i++)
        precomputed_scalar(build, i, results[i]);
    pe_build_fact_text(build, "table", layouts[layout]);
    pe_build_fact_text(build, "says", verdicts[verdict]);
    if (swapped)
        pe_build_warn(build, "cos and sin are exchanged: the row of position 0 has cosines of "
                             "0; the rest was judged with them the other way round");
    if (varies)
        pe_build_warn(build, "cos^2 + sin^2 differs between elements: more than a rotation and "
                             "one factor is in the table, or its tolerance is too small");
    else if (fabs(amplitude - 1) > l.tolerance)
        pe_build_warn(build,
                      "cos^2 + sin^2 is not 1: an attention factor (mscale) of %.6g is "
                      "in the table",
                      amplitude);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct pairing_lint *l = values;

    return 10e3 * (double)l->cos.cols + 20 * (double)(l->cos.rows * l->cos.cols);
}

const struct pe_encoding pe_encoding_pairing_lint = {
    .name = "pairing-lint",
    .title = "Check of a rotary table",
    .formula =
        "a table is adjacent-duplicated where columns 2k and 2k + 1 agree, half-duplicated "
        "where columns k and k + r/2 do; the rotation must pair the same columns",
    .when_to_use =
        "Send the table of your code and the rotation that it does: the verdict says whether "
        "they belong together, before any model runs.",
    .what_goes_wrong =
        "A table of one pairing with the rotation of the other is no rotation at all: norms "
        "change with position. vjepa2 does so on purpose, and its weights need it.",
    .picture =
        "pos=0,1&rotation=half&cos=1,1,1,1;.540302,.99995,.540302,.99995&sin=0,0,0,0;.841471,"
        ".0099998,.841471,.0099998",
    .summary = "finds out whether a table of cosines and sines fits the rotation done with it",
    .source = "facebookresearch/vjepa2 src/models/utils/modules.py, whose table and pairs "
              "differ on purpose; llama.cpp convert_hf_to_gguf.py permute",
    .examples = PE_WORDS("pos=0,1&rotation=half&cos=1,1,1,1;.540302,.99995,.540302,.99995"
                         "&sin=0,0,0,0;.841471,.0099998,.841471,.0099998",
                         "pos=0,1&rotation=adjacent&cos=1,1,1,1;.540302,.99995,.540302,.99995"
                         "&sin=0,0,0,0;.841471,.0099998,.841471,.0099998&out=verdict",
                         "pos=1&cos=.540302,.540302,.99995,.99995&sin=.841471,.841471,"
                         ".0099998,"
                         ".0099998"
                         "&out=layout,amplitude,theta&tolerance=.01"),
    .family = PE_ROTARY,
    .kind = PE_INPUT,
    PE_TABLES(struct pairing_lint, params, outputs),
    .check = check,
    .range = range,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
