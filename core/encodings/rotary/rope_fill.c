/* SPDX-License-Identifier: Apache-2.0
 * rope_fill.c - fills each output of rope: tables through rotation.h, frequencies and their
 * changes by the scaling as vectors and scalars kept by the plan. */
#include "core/encodings/rotary/rope.h"
#include "core/encodings/rotary/rope_matrix.h"
#include "core/math/rotation/rotation_angle.h"
#include "core/math/trig/wavelength.h"

static size_t bands_of(const struct rope *r, int width, struct rotation_band *bands)
{
    size_t pairs = ladder_pairs(&r->ladder), count = 0;

    for (size_t slot = 0; slot < 2; slot++) {
        enum rotation_wave wave = slot == 0 ? ROTATION_COS : ROTATION_SIN;
        size_t step = width == ROPE_WIDTH_FULL && r->pairing == ROPE_PAIRING_ADJACENT ? 2 : 1;

        bands[count++] = (struct rotation_band){slot, wave, 0, pairs, 0, step};
        if (width == ROPE_WIDTH_FULL)
            bands[count++] =
                (struct rotation_band){slot, wave, 0, pairs, step == 2 ? 1 : pairs, step};
    }
    return count;
}

/* Lays both waves out in one tensor. */
static size_t packed_bands(const struct rope *r, struct rotation_band *bands)
{
    size_t pairs = ladder_pairs(&r->ladder);
    bool interleaved = r->table_order == ROPE_ORDER_INTERLEAVED;
    bool sine_first = r->table_order == ROPE_ORDER_SIN_COS;
    size_t second = interleaved ? 1 : pairs, step = interleaved ? 2 : 1;

    bands[0] = (struct rotation_band){0, ROTATION_COS, 0, pairs, sine_first ? pairs : 0, step};
    bands[1] = (struct rotation_band){0, ROTATION_SIN, 0, pairs, sine_first ? 0 : second, step};
    return 2;
}

static double *new_vector(struct pe_build *build, size_t group, size_t count)
{
    double *vector = pe_build_alloc(build, count * sizeof *vector);

    if (vector)
        pe_build_fill(build, group, &wavelength_vector_filler, vector);
    return vector;
}

static void prepare_frequencies(struct pe_build *build, const struct rope *r,
                                const struct rotation *rotation)
{
    static const size_t shown[] = {ROPE_INV_FREQ, ROPE_WAVELENGTHS, ROPE_CONTEXT_TURNS};
    size_t pairs = ladder_pairs(&r->ladder);

    for (size_t k = 0; k < PE_LEN(shown); k++) {
        double *vector;

        if (!pe_wants(pe_build_args(build), shown[k]))
            continue;
        vector = new_vector(build, shown[k], pairs);
        for (size_t i = 0; vector && i < pairs; i++) {
            struct phase_freq freq = ladder_profile_frequency(rotation, i);

            if (shown[k] == ROPE_INV_FREQ)
                vector[i] = freq.hi;
            else if (shown[k] == ROPE_WAVELENGTHS)
                vector[i] = wavelength_of(&freq);
            else
                vector[i] = r->context / wavelength_of(&freq);
        }
    }
}

/* Compares each pair's frequency with that of the ladder without its scaling. */
static void prepare_changes(struct pe_build *build, const struct rope *r,
                            const struct rotation_table *table)
{
    const struct pe_args *args = pe_build_args(build);
    size_t pairs = table->pairs;
    double *turns = NULL, *kept = NULL;
    struct ladder plain = r->ladder;
    struct rotation_table *before;

    if (!pe_wants(args, ROPE_TURNS) && !pe_wants(args, ROPE_KEPT))
        return;
    plain.scaling.kind = SCALING_none;
    plain.resonance = -1;
    before = ladder_table(&plain, false);
    if (!before)
        pe_build_no_memory(build);
    if (before && pe_wants(args, ROPE_TURNS))
        turns = new_vector(build, ROPE_TURNS, pairs);
    if (before && pe_wants(args, ROPE_KEPT))
        kept = new_vector(build, ROPE_KEPT, pairs);
    for (size_t i = 0; before && i < pairs; i++) {
        if (turns)
            turns[i] = ladder_context(&r->ladder) / wavelength_of(&before->freq[i]);
        if (kept)
            kept[i] = table->freq[i].hi / before->freq[i].hi;
    }
    rotation_table_free(before);
}

/* Counts the coordinates whose pairs turn more than once in the context. */
static double critical_dim(const struct rope *r, const struct rotation *rotation)
{
    double dim = 0;

    for (size_t i = 0; i < ladder_pairs(&r->ladder); i++) {
        struct phase_freq freq = ladder_profile_frequency(rotation, i);

        dim += wavelength_below(&freq, r->context) ? 2 : 0;
    }
    return dim;
}

struct scalars { /* values in the order of their outputs */
    double values[5];
};

static void fill_scalars(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    const struct scalars *scalars = state;

    for (size_t slot = 0; slot < PE_LEN(scalars->values); slot++)
        if (out[slot] && rect->rows > 0 && rect->cols > 0)
            out[slot][0] = scalars->values[slot];
}

static const struct pe_filler scalars_filler = {.reference = fill_scalars, .ns_per_element = 1};

static void prepare_scalars(struct pe_build *build, const struct rope *r,
                            const struct rotation *rotation)
{
    const struct pe_args *args = pe_build_args(build);
    struct scalars *scalars;
    bool wanted = pe_wants(args, ROPE_ATTENTION_FACTOR) ||
                  pe_wants(args, ROPE_EFFECTIVE_BASE) || pe_wants(args, ROPE_NTK_ALPHA) ||
                  pe_wants(args, ROPE_MIN_THETA) || pe_wants(args, ROPE_CRITICAL_DIM);

    if (!wanted)
        return;
    scalars = pe_build_alloc(build, sizeof *scalars);
    if (!scalars)
        return;
    *scalars =
        (struct scalars){{ladder_attention(&r->ladder), ladder_effective_base(&r->ladder),
                          r->ladder.scaling.alpha,
                          pe_wants(args, ROPE_MIN_THETA)
                              ? scaling_least_base((size_t)r->ladder.rotary_dim, r->context)
                              : 0,
                          pe_wants(args, ROPE_CRITICAL_DIM) ? critical_dim(r, rotation) : 0}};
    pe_build_fill(build, ROPE_ATTENTION_FACTOR, &scalars_filler, scalars);
}

static void prepare_tables(struct pe_build *build, const struct rope *r,
                           struct rotation *rotation)
{
    const struct pe_args *args = pe_build_args(build);
    struct rotation half = *rotation; /* one cosine and one sine a pair */

    half.cols = ladder_pairs(&r->ladder);
    half.band_count = bands_of(r, ROPE_WIDTH_HALF, half.bands);
    if (pe_wants(args, ROPE_COS) || pe_wants(args, ROPE_SIN))
        rotation_plan(build, ROPE_COS, rotation);
    if (pe_wants(args, ROPE_ANGLES))
        pe_build_fill(build, ROPE_ANGLES, &rotation_angle_filler, rotation);
    if (pe_wants(args, ROPE_TABLE)) {
        struct rotation *packed = pe_build_alloc(build, sizeof *packed);

        if (!packed)
            return;
        *packed = *rotation;
        packed->cols = 2 * ladder_pairs(&r->ladder);
        packed->band_count = packed_bands(r, packed->bands);
        rotation_plan(build, ROPE_TABLE, packed);
    }
    if (pe_wants(args, ROPE_MATRIX))
        rope_matrix_prepare(build, ROPE_MATRIX, &half, (size_t)r->ladder.dim,
                            r->pairing == ROPE_PAIRING_ADJACENT);
}

void rope_fill_prepare(struct pe_build *build, const void *values)
{
    const struct rope *r = values;
    const struct rotation_table *table = pe_build_table(build);
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);

    if (!rotation || !ladder_profile_rotation(build, &r->ladder, table, rotation))
        return;
    rotation->pos = r->pos;
    rotation->cols = ladder_pairs(&r->ladder) * (r->width == ROPE_WIDTH_FULL ? 2 : 1);
    rotation->band_count = bands_of(r, r->width, rotation->bands);
    prepare_tables(build, r, rotation);
    prepare_frequencies(build, r, rotation);
    prepare_changes(build, r, table);
    prepare_scalars(build, r, rotation);
    rope_decay_prepare(build, r->distance, rotation);
    ladder_facts(build, &r->ladder);
}
