/* SPDX-License-Identifier: Apache-2.0
 * model_parts.h - what a client asks of all tables of a model, as one request for each use of
 * the model: "pos=0:4096&masks=dense&dtype=bf16&grid=16x16". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/models/models.h"
#include "proto/request/request.h"

/* How masks are in the file: as runs of keys, each pair of a query and a key, or not at all.
 * The first stands for slopes of biases too, the second for each element of them. */
enum model_parts_masks { MODEL_PARTS_RUNS, MODEL_PARTS_DENSE, MODEL_PARTS_NONE };
/* Returns "runs", "dense" or "none". */
const char *model_parts_masks_name(enum model_parts_masks masks);

/* The tables of one use; or the use is left out, since the request lacks what it needs. */
struct model_part {
    char *name;              /* "all_layers.rope": the group and the encoding */
    struct request *request; /* checked; NULL: left out */
    char needs[64];          /* names of what is lacking, joined by commas */
    char *left_out;          /* what the layers do besides; NULL: nothing */
};

struct model_parts {
    size_t count;
    struct model_part *at;
    enum model_parts_masks masks;
};

/* Makes the parts. Every parameter but pos and masks is given to each use with a table that
 * depends on it. Returns PE_OK, or a failure with problems in *errors; *parts is then empty.
 * The models may be freed afterwards. */
enum pe_status model_parts_init(struct model_parts *parts, const struct models *models,
                                const struct model *model, const char *query, size_t len,
                                struct pe_errors *errors);
void model_parts_fini(struct model_parts *parts);
