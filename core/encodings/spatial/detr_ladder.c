/* SPDX-License-Identifier: Apache-2.0
 * detr_ladder.c - makes ladders and columns of the parameters of DETR's encodings. */
#include "core/encodings/spatial/detr_ladder.h"

#include <math.h>

const struct pe_word detr_ladder_scales[] = {
    {"2pi", DETR_LADDER_TURN}, {"2*pi", DETR_LADDER_TURN}, {NULL, 0}};

void detr_ladder_resolve(struct detr_ladder *ladder)
{
    if (ladder->base_w == ladder->base)
        ladder->base_w = NAN; /* a base_w equal to base changes nothing */
}

size_t detr_ladder_pairs(const struct detr_ladder *ladder)
{
    return ((size_t)ladder->num_pos_feats + 1) / 2;
}

struct axes_ladder detr_ladder_of(const struct detr_ladder *ladder, size_t axis, size_t first,
                                  bool across)
{
    struct axes_ladder of =
        axes_ladder_open(axis, first, 1, detr_ladder_pairs(ladder),
                         across && !isnan(ladder->base_w) ? ladder->base_w : ladder->base,
                         (double)ladder->num_pos_feats);

    of.power = -2;
    of.pi = ladder->scale == DETR_LADDER_TURN;
    of.times = of.pi ? 2 : ladder->scale;
    return of;
}

void detr_ladder_put(const struct detr_ladder *ladder, struct axes_column *column, size_t first)
{
    const size_t feats = (size_t)ladder->num_pos_feats;

    axes_columns_put(column, 0, 2, AXES_WAVE_SIN, first, (feats + 1) / 2);
    axes_columns_put(column, 1, 2, AXES_WAVE_COS, first, feats / 2);
}
