/* SPDX-License-Identifier: Apache-2.0
 * model_param.c - see model_param.h. */
#include "proto/output/model_param.h"

#include <assert.h>

#include "proto/text/word.h"

/* The order is that of enum model_parts_masks. */
static const char *const masks[] = {"runs", "dense", "none", NULL};

static const struct model_param rows[MODEL_PARAM_COUNT] = {
    [MODEL_PARAM_POS] = {.name = "pos",
                         .summary = "positions of every table, 0:4096",
                         .required = true,
                         .example = "0:16"},
    [MODEL_PARAM_MASKS] = {.name = "masks",
                           .summary = "masks as runs of keys and biases as slopes, each "
                                      "element, or no masks",
                           .choices = masks},
    [MODEL_PARAM_DTYPE] = {.name = "dtype", .summary = "element type of the real tables"},
};

const struct model_param *model_param_at(size_t i)
{
    assert(i < MODEL_PARAM_COUNT);
    return &rows[i];
}

const struct model_param *model_param_find(const char *name, size_t len)
{
    for (size_t i = 0; i < MODEL_PARAM_COUNT; i++)
        if (word_is(rows[i].name, name, len))
            return &rows[i];
    return NULL;
}
