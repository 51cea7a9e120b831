/* SPDX-License-Identifier: Apache-2.0
 * hf_no_rope.c - finds the reason why nothing rotates: ALiBi, the class, a flag, or the name
 * of another kind of positions. The uses of such a model are one of alibi, those of
 * its class, or one without an encoding. */
#include "proto/models/hf/hf_no_rope.h"

#include <math.h>
#include <string.h>

#include "proto/models/hf/hf_base.h"
#include "proto/models/hf/hf_plain.h"

/* ---- linear biases ----------------------------------------------------------------------- */

/* Returns whether the model has ALiBi: by "alibi": true, MPT's attn_config, or a class
 * without other kinds. */
static bool is_alibi(struct hf_reader *reader)
{
    struct json_body_value attention, value;
    const char *type = hf_reader_text(reader, "position_embedding_type");
    bool open = hf_class_has(reader->class, HF_ALIBI_OPEN) &&
                !hf_reader_find(reader, NULL, "max_position_embeddings", &value);
    bool nested = hf_reader_find(reader, NULL, "attn_config", &attention) &&
                  attention.kind == JSON_BODY_OBJECT &&
                  hf_reader_find(reader, &attention, "alibi", &value) &&
                  value.kind == JSON_BODY_BOOL && value.flag;

    return hf_class_has(reader->class, HF_ALIBI_KEYS) || open || nested ||
           hf_reader_is(reader, "alibi", true) || (type && strcmp(type, "alibi") == 0);
}

/* Adds a use of alibi, or problems. */
static void add_alibi(struct hf_reader *reader)
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
    } else if (hf_class_has(reader->class, HF_ALIBI_LAST)) {
        hf_reader_set(reader, use, "distance_kind", "last-query");
        hf_reader_set(reader, use, "non_pow2", "mpt");
        if (hf_reader_find(reader, NULL, "attn_config", &attention) &&
            attention.kind == JSON_BODY_OBJECT &&
            hf_reader_number(reader, &attention, "alibi_bias_max", &largest))
            hf_reader_set_number(reader, use, "bias_max", largest);
    } else {
        hf_reader_set(reader, use, "distance_kind", "key-index");
    }
    if (hf_class_has(reader->class, HF_ALIBI_UNSCALED) && hf_base_width(reader, &dim)) {
        if (dim == 0) {
            hf_reader_fail(reader, NULL, PE_OUT_OF_RANGE, "head_dim must be above 0");
            return;
        }
        hf_reader_set(reader, use, "applies", "before_scale");
        hf_reader_set_number(reader, use, "softmax_scale", 1 / sqrt(dim));
    }
}

/* ---- models that do not rotate ----------------------------------------------------------- */

/* Adds the uses of a model that does not rotate: those of its class, or one use without an
 * encoding, with what no encoding computes or else a note. */
static void add_still(struct hf_reader *reader)
{
    const char *family = reader->config->model.family;
    const char *lack = reader->class ? reader->class->left_out : NULL;

    if (hf_plain_add(reader))
        return;
    struct model_use *use = hf_reader_use(reader, NULL, NULL);
    if (use && lack) {
        use->left_out = lack;
        return;
    }
    reader->still = true;
    hf_reader_note(reader,
                   "the attention of %.60s does not rotate, whatever the configuration says of "
                   "RoPE, and no other encoding of it is known",
                   family ? family : "this model");
}

/* Returns whether a theta is given, by itself or in a dictionary. */
static bool has_theta(struct hf_reader *reader)
{
    struct json_body_value dict, theta;

    return hf_reader_find(reader, NULL, "rope_theta", &theta) ||
           ((hf_reader_find(reader, NULL, "rope_parameters", &dict) ||
             hf_reader_find(reader, NULL, "rope_scaling", &dict)) &&
            dict.kind == JSON_BODY_OBJECT &&
            hf_reader_find(reader, &dict, "rope_theta", &theta));
}

static bool is_rotary(const struct json_body_value *value)
{
    return value->kind == JSON_BODY_STRING &&
           (strcmp(value->text, "rotary") == 0 || strcmp(value->text, "rope") == 0);
}

/* Reads position_embedding_type. Known classes rotate whatever the key is (ModernBERT's files
 * have "absolute", which no code reads), except the classes whose code reads the key. */
static bool is_other_kind(struct hf_reader *reader)
{
    struct json_body_value value;
    bool asked = hf_class_has(reader->class, HF_NAMED);
    bool said = hf_reader_find(reader, NULL, "position_embedding_type", &value) ||
                hf_reader_find(reader, NULL, "position_embeddings_type", &value);

    if (said ? is_rotary(&value) : !asked)
        return false;
    if (reader->class && !asked) {
        hf_reader_note(reader, "position_embedding_type is not read: every %s rotates",
                       reader->class->name);
        return false;
    }
    add_still(reader);
    return true;
}

/* Reads "use_rope": false and other flags. */
static bool is_switched_off(struct hf_reader *reader)
{
    static const char *const flags[] = {"use_rope", "rotary", "use_mem_rope"};
    struct json_body_value value;

    if (hf_class_has(reader->class, HF_ROPE_ON) &&
        !hf_reader_is(reader, "use_mem_rope", true)) {
        add_still(reader);
        return true;
    }

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (hf_reader_find(reader, NULL, flags[i], &value) && value.kind == JSON_BODY_BOOL &&
            !value.flag) {
            add_still(reader);
            return true;
        }
    }
    return false;
}

bool hf_no_rope_add(struct hf_reader *reader)
{
    if (is_alibi(reader)) {
        add_alibi(reader);
        return true;
    }
    if (hf_class_has(reader->class, HF_THETA_GIVEN) && !has_theta(reader)) {
        (void)hf_reader_use(reader, NULL, NULL);
        hf_reader_note(reader, "rope_theta is not given: no layer of an %.60s rotates then",
                       reader->class->name);
        return true;
    }
    if (hf_reader_is(reader, "mla_use_nope", true) ||
        hf_class_has(reader->class, HF_NO_POSITIONS)) {
        add_still(reader);
        return true;
    }
    /* Without ALiBi, MPT has a learned table, or keys that only llm-foundry reads. */
    if (hf_class_has(reader->class, HF_ALIBI_LAST)) {
        hf_reader_fail(reader, NULL, PE_CONFLICT,
                       "%s has positions that can be computed only where attn_config has "
                       "\"alibi\": true",
                       reader->class->name);
        return true;
    }
    return is_other_kind(reader) || is_switched_off(reader);
}
