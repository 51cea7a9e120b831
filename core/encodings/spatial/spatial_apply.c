/* SPDX-License-Identifier: Apache-2.0
 * spatial_apply.c - hands a layout of axes and the client's vectors to the kernel that rotates
 * them. */
#include "core/encodings/spatial/spatial_apply.h"

#include "core/encodings/spatial/spatial_dense.h"

static const struct spatial_kind *kind_of(const struct pe_args *args)
{
    return pe_args_encoding(args)->detail;
}

/* ---- rules --------------------------------------------------------------------------- */

void spatial_apply_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct spatial_kind *kind = kind_of(args);
    struct spatial *spatial = (void *)((char *)values + kind->part);
    struct spatial_layout layout;

    if (vectors_resolve_dim(args, &spatial->vectors, &spatial->dim, errors))
        return;
    spatial_check_turned(spatial, kind->multiple, "dim", errors);
    if (errors->count == 0 && kind->resolve)
        kind->resolve(values, true, errors);
    if (errors->count > 0)
        return;
    layout = kind->layout(values);
    if (vectors_resolve_axis(args, &spatial->vectors, kind->rows, layout.points.rows, errors))
        return;
    if (kind->frequencies)
        vectors_resolve_heads(args, &spatial->vectors, layout.heads, errors);
}

/* ---- how it is filled ---------------------------------------------------------------- */

/* Makes each ladder of adjoining pairs a section, which has halves of its own. */
static void take_sections(const struct spatial_layout *layout, struct rotate_span *span)
{
    span->section_count = layout->ladder_count;
    for (size_t k = 0; k < layout->ladder_count; k++)
        span->section[k] = layout->ladders[k].count;
}

/* Maps coordinate c of a section of n pairs to wave c mod n; pairs are adjacent. */
static const uint32_t *tile(struct pe_build *build, const struct spatial_layout *layout)
{
    uint32_t *source = pe_build_alloc(build, 2 * layout->pairs * sizeof *source);

    for (size_t k = 0; source && k < layout->ladder_count; k++) {
        const struct axes_ladder *ladder = &layout->ladders[k];

        for (size_t c = 0; c < 2 * ladder->count; c++)
            source[c % 2 * layout->pairs + ladder->first + c / 2] =
                (uint32_t)(ladder->first + c % ladder->count);
    }
    return source;
}

void spatial_apply_build(struct pe_build *build, struct spatial_layout *layout,
                         const struct vectors *vectors, size_t offset, bool tiled)
{
    const bool adjacent = layout->pairing == SPATIAL_ADJACENT || tiled;
    const size_t heads = layout->heads > 1 ? layout->heads : 0;
    struct axes_turn *turn = pe_build_alloc(build, sizeof *turn);
    struct rotate form = {.span = {.offset = offset,
                                   .pairs = layout->pairs / (heads ? heads : 1),
                                   .adjacent = adjacent,
                                   .adjacent_out = adjacent,
                                   .in_dtype = vectors->rotate_math == VECTORS_IN_DTYPE,
                                   .apart = tiled},
                          .heads = heads,
                          .turn = axes_turn_row,
                          .context = turn};

    if (layout->pairing == SPATIAL_SECTION_HALF && !tiled)
        take_sections(layout, &form.span);
    layout->pairing = SPATIAL_HALF; /* the table has a column a pair */
    layout->width = SPATIAL_WIDTH_HALF;
    if (turn)
        *turn = (struct axes_turn){.axes = spatial_axes(build, layout),
                                   .inverse = vectors->inverse,
                                   .row_heads = heads,
                                   .source = tiled ? tile(build, layout) : NULL};
    if (!turn || !turn->axes || (tiled && !turn->source))
        return;
    form.memory_bytes = axes_turn_memory(turn);
    form.turn_ns = turn->axes->axis ? 0 : axes_cost(turn->axes) / 2;
    vectors_prepare(build, vectors, &form);
}

double spatial_apply_plan_ns(const struct pe_args *args, const void *values)
{
    return spatial_layout_ns(kind_of(args), values);
}

void spatial_apply_prepare(struct pe_build *build, const void *values)
{
    const struct spatial_kind *kind = kind_of(pe_build_args(build));
    const struct spatial *spatial = (const void *)((const char *)values + kind->part);
    struct spatial_layout layout = kind->layout(values);
    const double *frequencies = NULL;

    if (kind->frequencies) {
        frequencies = kind->frequencies(build, values);
        if (!frequencies || !spatial_dense_rotation(build, &layout, frequencies))
            return;
    }
    spatial_apply_build(build, &layout, &spatial->vectors, (size_t)spatial->offset_dims,
                        kind->tiled);
}
