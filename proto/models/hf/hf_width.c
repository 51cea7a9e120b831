/* SPDX-License-Identifier: Apache-2.0
 * hf_width.c - reads widths by their names in configurations, or as a quotient. */
#include "proto/models/hf/hf_width.h"

#include <math.h>

bool hf_width_heads(struct hf_reader *reader, double *heads)
{
    return hf_reader_number_of(reader, NULL,
                               WORDS("num_attention_heads", "n_head", "n_heads", "num_heads"),
                               heads) ||
           hf_reader_default(reader, "num_attention_heads", heads);
}

/* Returns whether attention is multi-head, not latent, whose keys are there as well. */
bool hf_width_is_whole(struct hf_reader *reader)
{
    struct json_body_value value;

    return hf_reader_find(reader, NULL, "use_mla", &value) && value.kind == JSON_BODY_BOOL &&
           !value.flag;
}

bool hf_width_read(struct hf_reader *reader, double *dim)
{
    double hidden, heads;
    bool latent = !hf_width_is_whole(reader);

    if ((latent && hf_reader_number(reader, NULL, "qk_rope_head_dim", dim)) ||
        hf_reader_number_of(reader, NULL,
                            WORDS("head_dim", "kv_channels", "attention_head_dim"), dim) ||
        (latent && (hf_reader_default(reader, "head_dim", dim) ||
                    hf_reader_default(reader, "kv_channels", dim))))
        return true;
    bool has_hidden =
        hf_reader_number_of(reader, NULL, WORDS("hidden_size", "n_embd", "d_model"), &hidden) ||
        hf_reader_default(reader, "hidden_size", &hidden);
    if (!has_hidden || !hf_width_heads(reader, &heads)) {
        hf_reader_fail(reader, NULL, PE_MISSING_PARAMETER,
                       "head_dim is needed, or hidden_size and num_attention_heads");
        return false;
    }
    if (heads < 1 || hidden / heads != floor(hidden / heads)) {
        hf_reader_fail(reader, NULL, PE_CONFLICT,
                       "hidden_size %g is no multiple of num_attention_heads %g; give head_dim",
                       hidden, heads);
        return false;
    }
    *dim = hidden / heads;
    return true;
}
