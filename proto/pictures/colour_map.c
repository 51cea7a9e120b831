/* SPDX-License-Identifier: Apache-2.0
 * colour_map.c - the maps, and their colours between the stops. */
#include "proto/pictures/colour_map.h"

#include <assert.h>
#include <math.h>

#define COLOUR_MAP(ID, NAME, KIND, SUMMARY, ...)                                               \
    static const uint32_t stops_##ID[] = {__VA_ARGS__};
#include "proto/pictures/colour_maps.def"
#undef COLOUR_MAP

static const struct colour_map maps[] = {
#define COLOUR_MAP(ID, NAME, KIND, SUMMARY, ...)                                               \
    {NAME, COLOUR_MAP_KIND_##KIND, SUMMARY, stops_##ID, sizeof stops_##ID / sizeof *stops_##ID},
#include "proto/pictures/colour_maps.def"
#undef COLOUR_MAP
};

const struct colour_map *colour_map_at(enum colour_map_id id)
{
    assert(id < COLOUR_MAP_COUNT);
    return &maps[id];
}

/* Returns one of the three parts of a colour `share` of the way from one to another. */
static uint32_t between(uint32_t from, uint32_t to, unsigned shift, double share)
{
    const double a = from >> shift & 0xff, b = to >> shift & 0xff;

    return (uint32_t)lround(a + (b - a) * share) << shift;
}

static uint32_t colour_at(const struct colour_map *map, double share)
{
    const double place = share * (double)(map->stop_count - 1);
    const size_t last = map->stop_count - 2, stop = place < (double)last ? (size_t)place : last;
    const uint32_t from = map->stops[stop], to = map->stops[stop + 1];
    const double rest = place - (double)stop;

    return between(from, to, 16, rest) | between(from, to, 8, rest) |
           between(from, to, 0, rest);
}

void colour_map_write(const struct colour_map *map, uint32_t colours[COLOUR_COUNT])
{
    for (size_t i = 0; i < COLOUR_MAP_STEPS; i++)
        colours[i] = colour_at(map, (double)i / (COLOUR_MAP_STEPS - 1));
    colours[COLOUR_MASKED] = 0xd8d6cf;
    colours[COLOUR_HATCH] = 0xbdbab1;
    colours[COLOUR_GAP] = 0xffffff;
}

enum colour_map_id colour_map_of(const struct pe_output *output, enum pe_dtype dtype)
{
    if (dtype == PE_BOOL8)
        return COLOUR_MAP_MASK;
    return dtype > PE_BF16 || output->scale == PE_LOGARITHMIC ? COLOUR_MAP_VIRIDIS
                                                              : COLOUR_MAP_DIVERGING;
}
