/* SPDX-License-Identifier: Apache-2.0
 * hf_config.c - from a configuration to the uses of a model: its encoding, the width of its
 * heads, and the settings of each type of layer. */
#include "proto/models/hf/hf_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/model_text.h"
#include "proto/models/hf/hf_base.h"
#include "proto/models/hf/hf_beside.h"
#include "proto/models/hf/hf_both.h"
#include "proto/models/hf/hf_layers.h"
#include "proto/models/hf/hf_no_rope.h"
#include "proto/models/hf/hf_plain.h"
#include "proto/models/hf/hf_reader.h"
#include "proto/models/hf/hf_rope.h"
#include "proto/models/hf/hf_type.h"
#include "proto/models/hf/hf_unknown_keys.h"

const char *const hf_config_skipped[] = {"quantization_config",
                                         "compression_config",
                                         "quantization",
                                         "id2label",
                                         "label2id",
                                         "task_specific_params",
                                         NULL};

struct json_body *hf_config_body(uint64_t max_bytes)
{
    return json_body_new_python(max_bytes, hf_config_skipped);
}

void hf_config_free(struct hf_config *config)
{
    if (!config)
        return;
    for (struct hf_text *text = config->texts, *next; text; text = next) {
        next = text->next;
        free(text);
    }
    free(config->pattern);
    free(config);
}

const struct model *hf_config_model(const struct hf_config *config)
{
    return &config->model;
}

const char *const *hf_config_notes(const struct hf_config *config, size_t *count)
{
    *count = config->note_count;
    return config->notes;
}

/* ---- the model's identity ------------------------------------------------------------ */

/* Finds the nested part of the configuration that describes the language model. */
static void find_inner(struct hf_reader *reader)
{
    static const char *const names[] = {"text_config",    "llm_config", "language_config",
                                        "thinker_config", "llm_cfg",    "decoder_config"};
    struct json_body_value value;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct json_body_value *parent = reader->nested ? &reader->inner : reader->outer;

        if (json_body_find(reader->body, parent, names[i], &value) &&
            value.kind == JSON_BODY_OBJECT) {
            reader->twice = reader->nested;
            reader->around = reader->inner;
            reader->inner = value;
            reader->nested = true;
            i = (size_t)-1; /* thinker_config has a text_config in it */
        }
    }
}

static void find_family(struct hf_reader *reader)
{
    const char *type = hf_type_read(reader);

    if (type) {
        reader->family = hf_family_find(type);
        reader->config->model.family = hf_reader_keep(reader, type, strlen(type));
    }
}

static void find_name(struct hf_reader *reader, const char *id)
{
    const char *name = hf_reader_text(reader, "_name_or_path");
    struct model *model = &reader->config->model;

    model->id = hf_reader_keep(reader, id ? id : "config", strlen(id ? id : "config"));
    if (name && *name != '\0' && strnlen(name, 200) < 200)
        model->name = hf_reader_keep(reader, name, strlen(name));
}

/* ---- RoPE ---------------------------------------------------------------------------- */

enum { DICT_MEMBERS_MAX = 64 }; /* every rope_type has fewer keys */

/* Refuses a dictionary with more members than are cheap to compare with each other. */
static bool is_small(struct hf_reader *reader, const struct json_body_value *dict)
{
    struct json_body_value member;
    size_t count = 0;

    for (json_body_walk(reader->body, dict, &member); json_body_next(reader->body, &member);)
        count++;
    if (count > DICT_MEMBERS_MAX)
        hf_reader_refuse_many(reader, dict, "members", count, DICT_MEMBERS_MAX);
    return count <= DICT_MEMBERS_MAX;
}

/* Returns whether the dictionary's members are dictionaries, each for a layer type. */
static bool is_per_type(const struct hf_reader *reader, const struct json_body_value *dict)
{
    struct json_body_value member;
    bool objects = false;

    for (json_body_walk(reader->body, dict, &member); json_body_next(reader->body, &member);)
        objects |= member.kind == JSON_BODY_OBJECT;
    return objects;
}

static double width_of(struct hf_reader *reader, const struct hf_base *outside,
                       const char *type)
{
    double wide;

    return strcmp(type, "full_attention") == 0 &&
                   hf_reader_number(reader, NULL, "global_head_dim", &wide)
               ? wide
               : outside->dim;
}

/* Returns whether layers of the type do not rotate, whatever a dictionary says. */
static bool is_still(struct hf_reader *reader, const char *type)
{
    return hf_layers_without_positions(type) || strcmp(type, "no_rotation") == 0 ||
           (strcmp(type, "full_attention") == 0 && !hf_layers_full_rotate(reader));
}

static bool is_added(const struct model *model, const char *layer_type)
{
    size_t i = 0;

    while (i < model->use_count && strcmp(model->uses[i].layer_type, layer_type) != 0)
        i++;
    return i < model->use_count;
}

static void add_per_type(struct hf_reader *reader, const struct json_body_value *dict,
                         const struct hf_base *outside)
{
    struct json_body_value entry;
    const size_t before = reader->errors->count;

    for (json_body_walk(reader->body, dict, &entry);
         reader->errors->count == before && json_body_next(reader->body, &entry);) {
        struct hf_base here = *outside;
        const char *type = hf_reader_keep(reader, entry.name, entry.name_len);
        if (entry.kind == JSON_BODY_OBJECT && !is_still(reader, type) &&
            is_small(reader, &entry)) {
            here.dim = width_of(reader, outside, type);
            hf_rope_add(reader, &entry, &here, type, true, true);
        } else if (entry.kind != JSON_BODY_OBJECT && entry.kind != JSON_BODY_NULL) {
            hf_reader_fail(reader, &entry, PE_CONFLICT,
                           "stands beside dictionaries of layer types; put it into them");
        }
    }
    const struct model *model = &reader->config->model;
    for (size_t i = 0; i < model->pattern_len && reader->errors->count == before; i++)
        if (is_still(reader, model->pattern[i]) && !is_added(model, model->pattern[i]))
            (void)hf_reader_use(reader, NULL, model->pattern[i]);
}

/* Adds a use of DeepSeek-V4: layers that compress have a theta and a scaling of their own,
 * whose YaRN does not multiply cosines and sines. */
static void add_compressed(struct hf_reader *reader, const struct json_body_value *dict,
                           const struct hf_base *outside, const char *type)
{
    struct hf_base here = *outside;
    bool window = strcmp(type, "sliding_attention") == 0;

    if (!window && !hf_reader_number(reader, NULL, "compress_rope_theta", &here.theta))
        (void)hf_reader_default(reader, "compress_rope_theta", &here.theta);
    struct model_use *use = hf_rope_add(reader, dict, &here, type, !window, true);
    if (use && hf_rope_has(use, "scaling") && !hf_rope_has(use, "attention_factor"))
        hf_reader_set(reader, use, "attention_factor", "1");
}

/* Adds the rotation of the layers of one type, if one dictionary is for all layers. */
static void add_type(struct hf_reader *reader, const struct json_body_value *dict,
                     const struct hf_base *outside, const char *type)
{
    bool full = strcmp(type, "full_attention") == 0;
    struct hf_base here = *outside;
    bool local = hf_base_local_theta(reader, &here.theta);

    if (is_still(reader, type)) {
        (void)hf_reader_use(reader, NULL, type);
    } else if (hf_family_has(reader->family, HF_COMPRESSED)) {
        add_compressed(reader, dict, outside, type);
    } else if (full || !local) {
        here.theta = outside->theta;
        bool scaled = full || !hf_family_has(reader->family, HF_SCALED_FULL);
        hf_rope_add(reader, dict, &here, type, scaled, false);
    } else {
        (void)hf_reader_number(reader, NULL, "swa_head_dim", &here.dim);
        hf_rope_add(reader, NULL, &here, type, false, true);
    }
}

/* Returns whether the layers differ in their positions, not only in their attention. */
static bool layers_differ(struct hf_reader *reader, const struct json_body_value *dict)
{
    double theta;
    const struct model *model = &reader->config->model;
    bool differ = !hf_layers_full_rotate(reader) || hf_layers_have(model, "no_rotation") ||
                  hf_base_local_theta(reader, &theta) ||
                  (hf_family_has(reader->family, HF_SCALED_FULL) && dict) ||
                  hf_family_has(reader->family, HF_COMPRESSED);

    for (size_t i = 0; i < model->pattern_len; i++)
        differ |= hf_layers_without_positions(model->pattern[i]);
    return differ;
}

static void add_flat(struct hf_reader *reader, const struct json_body_value *dict,
                     const struct hf_base *outside)
{
    const struct model *model = &reader->config->model;

    if (!layers_differ(reader, dict)) {
        hf_rope_add(reader, dict, outside, NULL, true, false);
        return;
    }
    if (model->pattern_len == 0) {
        hf_reader_fail(
            reader, NULL, PE_MISSING_PARAMETER,
            "layers differ, but the configuration does not tell which; give layer_types");
        return;
    }
    const size_t before = reader->errors->count;
    for (size_t i = 0; i < model->pattern_len && reader->errors->count == before; i++)
        if (!is_added(model, model->pattern[i]))
            add_type(reader, dict, outside, model->pattern[i]);
}

static void add_rope(struct hf_reader *reader)
{
    struct json_body_value dict, old;
    struct hf_base outside;

    hf_base_read(reader, &outside);
    bool has_new = hf_reader_find(reader, NULL, "rope_parameters", &dict);
    bool has_old = hf_reader_find(reader, NULL, "rope_scaling", &old);
    if (has_old && old.kind != JSON_BODY_OBJECT) {
        hf_reader_fail(reader, &old, PE_BAD_VALUE, "must be an object or null");
        return;
    }
    if (has_new && dict.kind != JSON_BODY_OBJECT) {
        hf_reader_fail(reader, &dict, PE_BAD_VALUE, "must be an object or null");
        return;
    }
    if ((has_new && !is_small(reader, &dict)) || (has_old && !is_small(reader, &old)))
        return;
    if (has_old && (!has_new || !hf_both_check(reader, &dict, &old)))
        dict = old;
    if (!has_new && !has_old && hf_family_has(reader->family, HF_SCALED_CLASS)) {
        hf_reader_fail(
            reader, NULL, PE_MISSING_PARAMETER,
            "rope_parameters (or rope_scaling) is needed: without it every %s scales "
            "by a dictionary of its class; write that out",
            reader->family->name);
        return;
    }
    if (isnan(outside.dim))
        return;
    if ((has_new || has_old) && is_per_type(reader, &dict))
        add_per_type(reader, &dict, &outside);
    else
        add_flat(reader, has_new || has_old ? &dict : NULL, &outside);
    hf_rope_add_qwen(reader);
    if (hf_family_has(reader->family, HF_BACKWARD))
        hf_reader_note(reader,
                       "every %s turns the other way: its sine is minus the one that is "
                       "answered, and its vectors are rotated with inverse=1",
                       reader->family->name);
    if (!reader->family)
        hf_reader_note(reader, "model_type %.60s is not known: pairing half is assumed",
                       reader->config->model.family ? reader->config->model.family : "(none)");
}

/* ---- the configuration ------------------------------------------------------------------- */

/* Returns whether a key, or the family, says that queries and keys rotate. */
static bool is_rope(struct hf_reader *reader)
{
    static const char *const keys[] = {
        "rope_theta",        "rope_scaling",     "rope_parameters",
        "rotary_pct",        "rotary_dim",       "rope_pct",
        "rotary_emb_base",   "qk_rope_head_dim", "rotary",
        "rope_ratio",        "use_rope",         "local_rope_theta",
        "global_rope_theta", "rope_interleave",  "partial_rotary_factor"};
    struct json_body_value value;

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (hf_reader_find(reader, NULL, keys[i], &value) &&
            (value.kind != JSON_BODY_BOOL || value.flag))
            return true;
    return reader->family || hf_reader_text(reader, "position_embedding_type");
}

/* Adds the use of ChatGLM-6B: half of each head rotates by the position in the prompt, half by
 * the position in the generated text. */
static void add_chatglm(struct hf_reader *reader)
{
    double dim;

    if (hf_base_width(reader, &dim))
        hf_reader_set_number(reader, hf_reader_use(reader, "rope2d-chatglm", NULL), "dim", dim);
}

static void read_all(struct hf_reader *reader, const char *id)
{
    const size_t before = reader->errors->count;

    find_inner(reader);
    find_family(reader);
    find_name(reader, id);
    hf_layers_read(reader);
    if (hf_reader_is(reader, "position_encoding_2d", true))
        add_chatglm(reader);
    else if (hf_beside_add_tower(reader))
        return;
    else if (!hf_reader_text(reader, "model_type") && hf_reader_text(reader, "_class_name") &&
             hf_plain_add(reader))
        return; /* diffusers, whose rope_theta is that of several axes */
    else if (!hf_no_rope_add(reader) && is_rope(reader))
        add_rope(reader);
    else if (reader->config->model.use_count == 0 && reader->errors->count == before &&
             !hf_plain_add(reader))
        hf_reader_fail(reader, NULL, PE_MISSING_PARAMETER,
                       "the configuration says nothing of positions that can be computed: it "
                       "has no rope_theta, rope_parameters, rope_scaling or alibi, and "
                       "model_type %.60s is not known",
                       reader->config->model.family ? reader->config->model.family : "(none)");
    hf_beside_add(reader);
    hf_unknown_keys_note(reader);
}

struct hf_config *hf_config_read(const struct json_body *body,
                                 const struct json_body_value *object, const char *id,
                                 struct pe_errors *errors)
{
    struct hf_config *config = calloc(1, sizeof *config);
    struct hf_reader reader = {.body = body,
                               .outer = object,
                               .config = config,
                               .errors = errors};
    size_t before = errors->count;

    if (!config) {
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
        return NULL;
    }
    config->model.uses = config->uses;
    read_all(&reader, id);
    for (size_t i = 0; i < config->model.use_count; i++)
        if (!config->uses[i].encoding)
            config->uses[i].settings = NULL;
    if (errors->count > before || !model_text_check(&config->model, errors)) {
        hf_config_free(config);
        return NULL;
    }
    return config;
}
