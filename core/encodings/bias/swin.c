/* SPDX-License-Identifier: Apache-2.0
 * swin.c - one learned number for each offset between two patches of a window.
 *
 *     index = (yq - yk + height - 1) (2 width - 1) + (xq - xk + width - 1)
 *
 * Liu et al. 2021, Swin Transformer, section 3.2; microsoft/Swin-Transformer, timm
 * pos_embed_rel.py. MaxViT and CoAtNet in TensorFlow number key - query: the transpose.
 */
#include "core/encodings/bias/window.h"

static const struct pe_param params[] = {WINDOW_ROW(struct window),
                                         WINDOW_TABLE_ROW(struct window)};

static const struct pe_output outputs[] = {WINDOW_OUTPUT_ROWS("window_size")};

const struct pe_encoding pe_encoding_swin = {
    .name = "swin",
    .title = "Swin relative position bias",
    .formula =
        "index = (yq - yk + height - 1) (2 width - 1) + (xq - xk + width - 1); bias[h] = "
        "table[index][h]",
    .when_to_use =
        "Swin and its relatives learn one number for each offset between two patches of a "
        "window. BEiT adds a class token (beit-index), Swin V2 a network (swinv2).",
    .what_goes_wrong =
        "MaxViT and CoAtNet in TensorFlow number key - query, the transpose. Checkpoints "
        "store the table with heads last, and a window of another size needs "
        "resize-table-relative.",
    .picture = WINDOW_PICTURE,
    .summary = "offsets between the patches of a window, numbered",
    .source = "Liu et al. 2021, Swin Transformer, section 3.2; timm pos_embed_rel.py",
    .examples = PE_WORDS("window_size=2x2", "window_size=2x3", "window_size=7x7",
                         "window_size=1x2&out=bias&table=1,2;3,4;5,6"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct window, params, outputs),
    .check = window_check,
    .range = window_range,
    .lengths = PE_WORDS("heads=table.1", "q=window_size", "k=window_size"),
    .plan_ns = window_plan_ns,
    .prepare = window_prepare,
};
