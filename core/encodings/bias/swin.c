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
