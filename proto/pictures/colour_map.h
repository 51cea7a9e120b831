/* SPDX-License-Identifier: Apache-2.0
 * colour_map.h - the colours of pictures (colour_maps.def). A picture has at most 256 colours:
 * COLOUR_MAP_STEPS of its map, and three beside them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

enum colour_map_kind {
    COLOUR_MAP_KIND_DIVERGING,
    COLOUR_MAP_KIND_SEQUENTIAL,
    COLOUR_MAP_KIND_TRUTH
};

struct colour_map {
    const char *name; /* the value of cmap= */
    enum colour_map_kind kind;
    const char *summary;
    const uint32_t *stops; /* 0xrrggbb */
    size_t stop_count;
};

enum colour_map_id {
#define COLOUR_MAP(ID, NAME, KIND, SUMMARY, ...) COLOUR_MAP_##ID,
#include "proto/pictures/colour_maps.def"
#undef COLOUR_MAP
    COLOUR_MAP_COUNT
};

/* Indices of colours: the steps of the map from its lowest value, then what is no value. The
 * number of steps is odd, so that zero has the middle one. */
enum {
    COLOUR_MAP_STEPS = 253,
    COLOUR_MASKED = 253, /* an element that a mask hides */
    COLOUR_HATCH = 254,  /* the stripes over it */
    COLOUR_GAP = 255,    /* between tiles */
    COLOUR_COUNT = 256,
};

const struct colour_map *colour_map_at(enum colour_map_id id);
/* Writes the colours of all indices, 0xrrggbb. */
void colour_map_write(const struct colour_map *map, uint32_t colours[COLOUR_COUNT]);
/* Returns the map that suits the values of an output: MASK for truth values, VIRIDIS for whole
 * numbers and logarithms, DIVERGING for others. */
enum colour_map_id colour_map_of(const struct pe_output *output, enum pe_dtype dtype);
