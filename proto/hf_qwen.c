/* SPDX-License-Identifier: Apache-2.0
 * hf_qwen.c - use_dynamic_ntk and use_logn_attn: both begin at seq_length (Qwen's
 * modeling_qwen.py). */
#include "proto/hf_qwen.h"

void hf_qwen_add(struct hf_reader *reader)
{
    double length;
    struct model *model = &reader->config->model;
    if (model->use_count != 1 || !hf_reader_number(reader, NULL, "seq_length", &length)) {
        return;
    }
    if (hf_reader_is_true(reader, "use_dynamic_ntk")) {
        struct model_use *rope = &reader->config->uses[0];
        hf_reader_set(reader, rope, "scaling", "dynamic");
        hf_reader_set(reader, rope, "scaling_variant", "qwen");
        hf_reader_set_number(reader, rope, "max_position_embeddings", length);
    }
    if (hf_reader_is_true(reader, "use_logn_attn")) {
        struct model_use *logn = hf_reader_use(reader, "logn", NULL);
        hf_reader_set_number(reader, logn, "train_length", length);
    }
}
