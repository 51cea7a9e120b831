/* SPDX-License-Identifier: Apache-2.0
 * hf_alibi.c - ALiBi by "alibi": true, MPT's attn_config, or a family without other kinds. */
#include "proto/models/hf/hf_alibi.h"

#include <math.h>
#include <string.h>

#include "proto/models/hf/hf_base.h"

bool hf_alibi_is(struct hf_reader *reader)
{
    struct json_body_value attention, value;
    const char *type = hf_reader_text(reader, "position_embedding_type");
    bool open = hf_family_has(reader->family, HF_ALIBI_OPEN) &&
                !hf_reader_find(reader, NULL, "max_position_embeddings", &value);
    bool nested = hf_reader_find(reader, NULL, "attn_config", &attention) &&
                  attention.kind == JSON_BODY_OBJECT &&
                  hf_reader_find(reader, &attention, "alibi", &value) &&
                  value.kind == JSON_BODY_BOOL && value.flag;

    return hf_family_has(reader->family, HF_ALIBI_KEYS) || open || nested ||
           hf_reader_is(reader, "alibi", true) || (type && strcmp(type, "alibi") == 0);
}

void hf_alibi_add(struct hf_reader *reader)
{
    struct json_body_value attention, scaling;
    double heads, dim, largest;
    const char *type = hf_reader_text(reader, "position_embedding_type");
    struct model_use *use = hf_reader_use(reader, "alibi", NULL);

    if (!hf_base_heads(reader, &heads)) {
        hf_reader_fail(reader, NULL, PE_MISSING_PARAMETER, "num_attention_heads is needed");
        return;
    }
    if (hf_reader_find(reader, NULL, "rope_scaling", &scaling)) {
        hf_reader_fail(reader, &scaling, PE_CONFLICT,
                       "scales a rotation, but the configuration says ALiBi; leave one out");
        return;
    }
    hf_reader_set_number(reader, use, "heads", heads);
    if (type && strcmp(type, "alibi") == 0) {
        hf_reader_set(reader, use, "distance_kind", "symmetric");
    } else if (hf_family_has(reader->family, HF_ALIBI_LAST)) {
        hf_reader_set(reader, use, "distance_kind", "last-query");
        hf_reader_set(reader, use, "non_pow2", "mpt");
        if (hf_reader_find(reader, NULL, "attn_config", &attention) &&
            attention.kind == JSON_BODY_OBJECT &&
            hf_reader_number(reader, &attention, "alibi_bias_max", &largest))
            hf_reader_set_number(reader, use, "bias_max", largest);
    } else {
        hf_reader_set(reader, use, "distance_kind", "key-index");
    }
    if (hf_family_has(reader->family, HF_ALIBI_UNSCALED) && hf_base_width(reader, &dim)) {
        if (dim == 0) {
            hf_reader_fail(reader, NULL, PE_OUT_OF_RANGE, "head_dim must be above 0");
            return;
        }
        hf_reader_set(reader, use, "applies", "before_scale");
        hf_reader_set_number(reader, use, "softmax_scale", 1 / sqrt(dim));
    }
}
