/* SPDX-License-Identifier: Apache-2.0
 * shown.c - see shown.h. Sizes come first: most parameters without a default are sizes. */
#include "core/verify/sight/shown.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void shown_add_whole(struct shown *shown, int64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, value);
    for (size_t i = 0; i < shown->whole_count; i++)
        if (strcmp(shown->whole[i], text) == 0)
            return;
    if (shown->whole_count < SHOWN_TEXTS)
        memcpy(shown->whole[shown->whole_count++], text, sizeof text);
}

void shown_add_list(struct shown *shown, const int64_t *values, size_t count)
{
    shown_add_rows(shown, values, 1, count);
}

void shown_add_rows(struct shown *shown, const int64_t *values, size_t rows, size_t cols)
{
    const size_t count = rows * cols;
    size_t len = 0;

    if (shown->list_count == SHOWN_LISTS || count == 0)
        return;
    char *text = shown->list[shown->list_count];
    for (size_t i = 0; i < count; i++) {
        if (len + 24 > SHOWN_LIST)
            return;
        len += (size_t)snprintf(text + len, SHOWN_LIST - len, "%s%" PRId64,
                                i == 0          ? ""
                                : i % cols == 0 ? ";"
                                                : ",",
                                values[i]);
    }
    for (size_t i = 0; i < shown->list_count; i++)
        if (strcmp(shown->list[i], text) == 0)
            return;
    shown->list_count++;
}

static void add_text(char (*texts)[32], size_t *count, const char *text)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(texts[i], text) == 0)
            return;
    if (*count < SHOWN_TEXTS)
        snprintf(texts[(*count)++], sizeof *texts, "%s", text);
}

/* Adds the grids of so many cells, the squarest first. */
static void add_grids(struct shown *shown, uint64_t cells)
{
    char text[32];

    for (uint64_t height = (uint64_t)sqrt((double)cells); height > 0 && cells < 1 << 24;
         height--)
        if (cells % height == 0) {
            snprintf(text, sizeof text, "%" PRIu64 "x%" PRIu64, height, cells / height);
            add_text(shown->grid, &shown->grid_count, text);
            snprintf(text, sizeof text, "%" PRIu64 "x%" PRIu64, cells / height, height);
            add_text(shown->grid, &shown->grid_count, text);
        }
}

static void add_sizes(struct shown *shown, const struct view *view)
{
    char text[32];

    for (size_t axis = 0; axis < view->rank && axis < 4; axis++) {
        const uint64_t size = view->dims[axis];

        shown_add_whole(shown, (int64_t)size);
        shown_add_whole(shown, (int64_t)(2 * size));
        snprintf(text, sizeof text, "0:%" PRIu64, size);
        add_text(shown->range, &shown->range_count, text);
        if (axis + 1 < view->rank) {
            snprintf(text, sizeof text, "%" PRIu64 "x%" PRIu64, size, view->dims[axis + 1]);
            add_text(shown->grid, &shown->grid_count, text);
        }
    }
    for (size_t axis = 0; axis < view->rank && axis < 4; axis++)
        add_grids(shown, view->dims[axis]);
}

void shown_read_sizes(struct shown *shown, const struct view *views, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_sizes(shown, &views[i]);
    shown->whole_sizes = shown->whole_count;
}

const char *shown_text(const struct shown *shown, const struct pe_param *param, bool sizes,
                       size_t i)
{
    const size_t whole = sizes ? shown->whole_sizes : shown->whole_count;
    const size_t list = sizes ? 0 : shown->list_count;

    switch (param->type) {
    case PE_INT:
        return i < whole ? shown->whole[i] : NULL;
    case PE_POSITIONS:
        return i < shown->range_count          ? shown->range[i]
               : i < shown->range_count + list ? shown->list[i - shown->range_count]
               : !sizes && i < shown->range_count + list + whole
                   ? shown->whole[i - shown->range_count - list]
                   : NULL;
    case PE_REALS:
        return i < list ? shown->list[i] : NULL;
    case PE_SEGMENTS:
        return !sizes && i < shown->segment_count ? shown->segments[i] : NULL;
    case PE_GRID:
        return i < shown->grid_count ? shown->grid[i] : NULL;
    default:
        return NULL;
    }
}
