/* SPDX-License-Identifier: Apache-2.0
 * hf_unknown_keys.c - the words in names of keys about positions, and the known keys. */
#include "proto/models/hf/hf_unknown_keys.h"

#include <string.h>

static const char *const *const words =
    WORDS("rope", "rotary", "theta", "alibi", "nope", "ntk", "logn", "pretrained_window");
/* Keys about positions that other files read, or that have no effect, as qk_nope_head_dim, the
 * width of a head's part that does not rotate. */
static const char *const *const known = WORDS(
    "rope_theta", "rotary_emb_base", "global_rope_theta", "local_rope_theta",
    "rope_local_base_freq", "swa_rope_theta", "rope_ratio", "rope_scaling", "rope_parameters",
    "rope_interleave", "rope_pct", "rotary_pct", "rotary_dim", "attn_rotary_emb",
    "rotary_emb_fraction", "rotary_embedding_base", "rope_embedding_base", "rope_freq_constant",
    "memory_attention_rope_theta", "compress_rope_theta", "indexer_rope_interleave",
    "use_mem_rope", "partial_rotary_factor", "qk_rope_head_dim", "qk_nope_head_dim",
    "no_rope_layers", "no_rope_layer_interval", "nope_layer_interval", "layer_rope_theta",
    "partial_rotary_factors", "alibi", "use_dynamic_ntk", "use_logn_attn", "mla_use_nope",
    "use_rope", "rotary", "rope_traditional", "original_rope");

static bool speaks_of_positions(const char *name)
{
    const char *const *word = words;

    while (*word && !strstr(name, *word))
        word++;
    const char *const *key = known;
    while (*key && strcmp(name, *key) != 0)
        key++;
    return *word && !*key;
}

static bool says_something(const struct json_body_value *value)
{
    bool neutral = value->kind == JSON_BODY_NUMBER && value->number == 1 &&
                   strcmp(value->name, "rope_position_scale") == 0;
    size_t zeros = 0;

    while (value->kind == JSON_BODY_NUMBERS && zeros < value->rows * value->cols &&
           value->numbers[zeros] == 0)
        zeros++;
    neutral |= value->kind == JSON_BODY_NUMBERS && zeros == value->rows * value->cols;
    return value->kind != JSON_BODY_NULL && !(value->kind == JSON_BODY_BOOL && !value->flag) &&
           !neutral;
}

static void note_members(struct hf_reader *reader, const struct json_body_value *object)
{
    struct json_body_value value;

    for (json_body_walk(reader->body, object, &value); json_body_next(reader->body, &value);)
        if (speaks_of_positions(value.name) && says_something(&value))
            hf_reader_note(reader, "%.60s is not read", value.name);
}

void hf_unknown_keys_note(struct hf_reader *reader)
{
    note_members(reader, reader->outer);
    if (reader->nested)
        note_members(reader, &reader->inner);
}
