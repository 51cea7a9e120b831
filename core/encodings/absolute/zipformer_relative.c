/* SPDX-License-Identifier: Apache-2.0
 * zipformer_relative.c - the compact relative encoding of Zipformer: a distance is brought into
 * -pi/2 .. pi/2 by a logarithm and an arctangent, and its multiples are turned into waves.
 *
 *     c = sqrt(dim),  f = length_factor
 *     y(x) = sgn(x) c ln(1 + |x| / c) 2 pi / (f dim),  a(x) = atan(y(x))
 *     row[2j] = cos((j + 1) a),  row[2j + 1] = sin((j + 1) a),  row[dim - 1] = 1
 *
 * Yao et al. 2023, Zipformer; k2-fsa/icefall egs/librispeech/ASR/zipformer/zipformer.py (commit
 * 36e0420c7e3e849a25b3d24dbf913c424f3d23c9), CompactRelPositionalEncoding.
 */
#include "core/encoding.h"
#include "core/math/relative/compressed_distance.h"

enum { ROWS };

struct zipformer_relative {
    const struct pe_positions *pos;
    int64_t dim;
    double length_factor;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct zipformer_relative, pos), .type = PE_POSITIONS, .required = true,
     .unit = "distances",
     .summary = "distances of the rows, as -3:4 for the table of four frames"},
    {PE_FIELD(struct zipformer_relative, dim), .type = PE_INT, .required = true, .min = 2,
     .max = 65536, .multiple_of = 2, .summary = "width of a row (pos_dim, 48 in icefall)"},
    {PE_FIELD(struct zipformer_relative, length_factor), .type = PE_REAL, .min = 1, .max = 1e6,
     .preset = 1, PE_OWN("icefall", FREQUENCIES, ADVANCED),
     .summary = "factor by which near distances are less apart"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
              .columns = PE_COLUMN_WAVE,
              .summary = "row of each distance; its last column is 1", .by_default = true,
              .bound = "0.501 ULP; f64 1 ULP"},
};

/* The angle of each distance, without its sign. */
struct angles {
    const struct zipformer_relative *values;
    struct phase_freq *angle;
};

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct zipformer_relative *z = values;

    return 60e3 * (double)pe_positions_count(z->pos);
}

static double element(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct angles *a = state;
    const double multiple = (double)(col / 2 + 1), x = pe_positions_at(a->values->pos, row);
    double sine, cosine;

    if (col + 1 == (uint64_t)a->values->dim)
        return 1;
    if (x == 0)
        return col % 2 == 0;
    phase_sincos_at(&a->angle[row], x < 0 ? -multiple : multiple, &sine, &cosine);
    return col % 2 ? sine : cosine;
}

static const struct pe_filler filler = {.element = element, .ns_per_element = 60};

static void prepare(struct pe_build *build, const void *values)
{
    const struct zipformer_relative *z = values;
    const uint64_t count = pe_positions_count(z->pos);
    struct angles *a = pe_build_alloc(build, sizeof *a);

    if (!a || !pe_build_claim(build, count * sizeof *a->angle))
        return;
    *a = (struct angles){z, pe_build_alloc(build, count * sizeof *a->angle)};
    if (!a->angle)
        return;
    compressed_distance_angles(build, a->angle, z->pos, z->dim, z->length_factor);
    pe_build_fill(build, ROWS, &filler, a);
}

const struct pe_encoding pe_encoding_zipformer_relative = {
    .name = "zipformer-relative",
    .title = "Compact relative encoding (Zipformer)",
    .formula =
        "a(x) = atan(sgn(x) sqrt(dim) ln(1 + |x| / sqrt(dim)) 2 pi / (length_factor dim))\n"
        "rows[x, 2j] = cos((j + 1) a), [x, 2j + 1] = sin((j + 1) a), [x, dim - 1] = 1",
    .when_to_use =
        "Zipformer of icefall projects these rows to keys of distances: near frames are told "
        "apart one by one, far ones hardly. transformer-xl has sinusoids of the distance "
        "itself.",
    .what_goes_wrong =
        "The last column is no sine but 1, for a bias. Multiples begin with 1, and the table "
        "runs from -(T - 1) to T - 1: row T - 1 is distance 0.",
    .picture = "pos=-32:33&dim=48",
    .summary = "waves of a compressed distance, which grows as its logarithm (Zipformer)",
    .source = "Yao et al. 2023, Zipformer; k2-fsa/icefall zipformer.py",
    .examples = PE_WORDS("pos=-3:4&dim=8", "pos=-100:101:50&dim=48&length_factor=2"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct zipformer_relative, params, outputs),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
