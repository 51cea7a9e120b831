/* SPDX-License-Identifier: Apache-2.0
 * hf_base.c - reads widths, theta and lengths by all their names in configurations, a width
 * also as a quotient. */
#include "proto/models/hf/hf_base.h"

#include <math.h>

bool hf_base_heads(struct hf_reader *reader, double *heads)
{
    return hf_reader_number_of(reader, NULL,
                               WORDS("num_attention_heads", "n_head", "n_heads", "num_heads"),
                               heads) ||
           hf_reader_default(reader, "num_attention_heads", heads);
}

bool hf_base_is_multi_head(struct hf_reader *reader)
{
    return hf_reader_is(reader, "use_mla", false);
}

/* Reads the width by any of its keys, or as the class has it. */
static bool find_width(struct hf_reader *reader, bool latent, double *dim)
{
    return (latent && hf_reader_number(reader, NULL, "qk_rope_head_dim", dim)) ||
           hf_reader_number_of(reader, NULL,
                               WORDS("head_dim", "kv_channels", "attention_head_dim"), dim) ||
           (latent && (hf_reader_default(reader, "head_dim", dim) ||
                       hf_reader_default(reader, "kv_channels", dim)));
}

bool hf_base_width(struct hf_reader *reader, double *dim)
{
    double hidden, heads;
    bool latent = !hf_base_is_multi_head(reader);
    const char *own = reader->class ? reader->class->width_key : NULL;
    const double times = own ? reader->class->width_times : 1;

    if (own ? hf_reader_number(reader, NULL, own, dim) : find_width(reader, latent, dim))
        return true;
    bool has_hidden =
        hf_reader_number_of(reader, NULL, WORDS("hidden_size", "n_embd", "d_model"), &hidden) ||
        hf_reader_default(reader, "hidden_size", &hidden);
    if (!has_hidden || !hf_base_heads(reader, &heads)) {
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
    *dim = times * hidden / heads;
    return true;
}

/* Reads the widths of latent attention, if the factor may be of the whole head: the class says
 * so, or is unknown. */
static void read_latent(struct hf_reader *reader, struct hf_base *outside)
{
    double rope, nope;
    const bool known = hf_class_has(reader->class, HF_FACTOR_OF_HEAD);
    const bool said = hf_reader_number(reader, NULL, "qk_rope_head_dim", &rope);

    if (hf_base_is_multi_head(reader) || (!known && (reader->class || !said)))
        return;
    outside->rope_part =
        said || hf_class_default(reader->class, "qk_rope_head_dim", &rope) ? rope : NAN;
    if (!hf_reader_number(reader, NULL, "head_dim", &outside->head)) {
        if (!isnan(outside->rope_part) &&
            (hf_reader_number(reader, NULL, "qk_nope_head_dim", &nope) ||
             hf_class_default(reader->class, "qk_nope_head_dim", &nope)))
            outside->head = nope + outside->rope_part;
        else if (known)
            (void)hf_reader_default(reader, "head_dim", &outside->head);
    }
}

/* GLM's rope_ratio multiplies theta (THUDM, modeling_chatglm.py). */
static void read_theta(struct hf_reader *reader, struct hf_base *outside)
{
    struct json_body_value value;
    double ratio;

    if (hf_per_layer_find(reader, "rope_theta", &outside->thetas))
        return;
    hf_per_layer_read(reader, "layer_rope_theta", &outside->thetas);
    bool said = hf_reader_number_of(reader, NULL,
                                    WORDS("rope_theta", "rotary_emb_base", "global_rope_theta",
                                          "rotary_embedding_base", "rope_embedding_base",
                                          "rope_freq_constant"),
                                    &outside->theta);

    if (!said && hf_reader_find(reader, NULL, "attn_config", &value) &&
        value.kind == JSON_BODY_OBJECT) /* DBRX's configuration */
        (void)hf_reader_number(reader, &value, "rope_theta", &outside->theta);
    if (hf_reader_number(reader, NULL, "rope_ratio", &ratio)) {
        outside->theta = (isnan(outside->theta) ? 10000 : outside->theta) * ratio;
        if (!isfinite(outside->theta)) {
            (void)hf_reader_find(reader, NULL, "rope_ratio", &value);
            hf_reader_fail(reader, &value, PE_OUT_OF_RANGE,
                           "times rope_theta is too large; make their product at most 1.7e308");
            outside->theta = NAN; /* theta is treated as absent, as a note says */
        }
    }
}

void hf_base_read_length(struct hf_reader *reader)
{
    reader->length = NAN;
    if (hf_reader_integer_of(reader,
                             WORDS("max_position_embeddings", "n_positions",
                                   "max_sequence_length", "max_seq_len"),
                             &reader->length) &&
        reader->length < 0x1p53)
        reader->config->model.max_position_embeddings = (int64_t)reader->length;
}

void hf_base_read(struct hf_reader *reader, struct hf_base *outside)
{
    struct json_body_value value;

    *outside = (struct hf_base){.dim = NAN,
                                .rotary_dim = NAN,
                                .partial_rotary_factor = NAN,
                                .theta = NAN,
                                .max_position_embeddings = NAN,
                                .original_max_position_embeddings = NAN,
                                .rope_part = NAN,
                                .head = NAN};
    (void)hf_base_width(reader, &outside->dim);
    read_latent(reader, outside);
    read_theta(reader, outside);
    hf_per_layer_read(reader, "partial_rotary_factors", &outside->factors);
    (void)hf_reader_number_of(
        reader, NULL,
        WORDS("partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_emb_fraction"),
        &outside->partial_rotary_factor);
    if (hf_reader_number_of(reader, NULL, WORDS("rotary_dim", "attn_rotary_emb"),
                            &outside->rotary_dim) &&
        !isnan(outside->partial_rotary_factor) && !isnan(outside->dim) &&
        trunc(outside->dim * outside->partial_rotary_factor) != outside->rotary_dim) {
        (void)hf_reader_find(reader, NULL, "rotary_dim", &value);
        hf_reader_fail(reader, &value, PE_CONFLICT,
                       "is %g, and partial_rotary_factor %g of %g is not; make them agree",
                       outside->rotary_dim, outside->partial_rotary_factor, outside->dim);
    }
    outside->max_position_embeddings = reader->length;
    (void)hf_reader_integer_of(reader, WORDS("original_max_position_embeddings"),
                               &outside->original_max_position_embeddings);
}

bool hf_base_local_theta(struct hf_reader *reader, double *theta)
{
    return hf_reader_number_of(
               reader, NULL,
               WORDS("rope_local_base_freq", "local_rope_theta", "swa_rope_theta"), theta) ||
           hf_reader_default(reader, "rope_local_base_freq", theta) ||
           hf_reader_default(reader, "local_rope_theta", theta);
}
