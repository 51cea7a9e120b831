/* SPDX-License-Identifier: Apache-2.0
 * beit_index.c - one learned number for each offset between patches, and three for a class
 * token before them.
 *
 *     index = (yq - yk + height - 1) (2 width - 1) + (xq - xk + width - 1) of patches,
 *     T token to patch, T + 1 patch to token, T + 2 token to itself, T = (2 h - 1) (2 w - 1)
 *
 * Bao et al. 2022, BEiT; microsoft/unilm beit, timm pos_embed_rel.py.
 */
#include "core/encodings/bias/window.h"

static const struct pe_param params[] = {
    WINDOW_ROW(struct window),
    {PE_FIELD(struct window, class_token), .type = PE_BOOL, .preset = 1,
     PE_OWN("timm", SHAPE, BASIC),
     .summary = "token 0 is a class token, which is no patch of the window"},
    WINDOW_TABLE_ROW(struct window),
};

static const struct pe_output outputs[] = {WINDOW_OUTPUT_ROWS("window_size", "class_token")};

const struct pe_encoding pe_encoding_beit_index = {
    .name = "beit-index",
    .title = "BEiT relative position index",
    .formula =
        "index = (yq - yk + height - 1) (2 width - 1) + (xq - xk + width - 1); "
        "T class token to patch, T + 1 patch to class token, T + 2 class token to itself, "
        "T = (2 height - 1) (2 width - 1)",
    .when_to_use = "BEiT, BEiT v2 and data2vec vision models look their learned biases up by "
                   "it. Without a class token it is swin.",
    .what_goes_wrong = "The three rows of the class token come last in the table, and resizing "
                       "a checkpoint to another window must leave them alone. Offsets count "
                       "query - key; the transpose is a silent error.",
    .picture = WINDOW_PICTURE ";-2;2;5",
    .summary = "offsets between patches and a class token, numbered",
    .source = "Bao et al. 2022, BEiT; timm pos_embed_rel.py",
    .examples = PE_WORDS("window_size=2x2", "window_size=4x3", "window_size=2x3&class_token=0",
                         "window_size=1x1&out=bias&table=1;2;3;4"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct window, params, outputs),
    .check = window_check,
    .range = window_range,
    .lengths =
        PE_WORDS("heads=table.1", "q=window_size+class_token", "k=window_size+class_token"),
    .plan_ns = window_plan_ns,
    .prepare = window_prepare,
};
