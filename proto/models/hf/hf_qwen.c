/* SPDX-License-Identifier: Apache-2.0
 * hf_qwen.c - reads use_dynamic_ntk and use_logn_attn: both begin at seq_length (Qwen's
 * modeling_qwen.py). */
#include "proto/models/hf/hf_qwen.h"

#include "proto/models/hf/hf_rope.h"

static void add_dynamic(struct hf_reader *reader, struct model_use *rope, double length)
{
    struct json_body_value value;

    if (hf_rope_has(rope, "scaling")) {
        bool old = hf_reader_find(reader, NULL, "rope_scaling", &value);

        (void)hf_reader_find(reader, NULL, "use_dynamic_ntk", &value);
        hf_reader_fail(reader, &value, PE_CONFLICT,
                       "scales the rotation, and so does %s; leave one out",
                       old ? "rope_scaling" : "rope_parameters");
        return;
    }
    hf_reader_set(reader, rope, "scaling", "dynamic");
    hf_reader_set(reader, rope, "scaling_variant", "qwen");
    hf_reader_set_number(reader, rope, "max_position_embeddings", length);
}

void hf_qwen_add(struct hf_reader *reader)
{
    double length;
    struct json_body_value value, begin;
    const struct model *model = &reader->config->model;
    bool logn = hf_reader_is(reader, "use_logn_attn", true);
    bool dynamic = hf_reader_is(reader, "use_dynamic_ntk", true);

    if (model->use_count == 0 || (!logn && !dynamic))
        return;
    (void)hf_reader_find(reader, NULL, dynamic ? "use_dynamic_ntk" : "use_logn_attn", &value);
    if (model->use_count > 1) {
        hf_reader_fail(reader, &value, PE_CONFLICT,
                       "is read only where all layers do the same; leave it out");
        return;
    }
    if (!hf_reader_find(reader, NULL, "seq_length", &begin)) {
        hf_reader_fail(reader, &value, PE_MISSING_PARAMETER,
                       "needs seq_length, the length that it begins at");
        return;
    }
    if (!hf_reader_number(reader, NULL, "seq_length", &length))
        return;
    if (dynamic)
        add_dynamic(reader, &reader->config->uses[0], length);
    if (logn) {
        struct model_use *use = hf_reader_use(reader, "logn", NULL);

        hf_reader_set_number(reader, use, "train_len", length);
    }
}
