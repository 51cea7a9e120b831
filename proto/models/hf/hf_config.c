/* SPDX-License-Identifier: Apache-2.0
 * hf_config.c - from a configuration to the uses of a model: its encoding, the width of its
 * heads, and the settings of each type of layer. */
#include "proto/models/hf/hf_config.h"

#include <stdlib.h>
#include <string.h>

#include "proto/describe/model_text.h"
#include "proto/models/hf/hf_base.h"
#include "proto/models/hf/hf_beside.h"
#include "proto/models/hf/hf_component.h"
#include "proto/models/hf/hf_layers.h"
#include "proto/models/hf/hf_no_rope.h"
#include "proto/models/hf/hf_plain.h"
#include "proto/models/hf/hf_reader.h"
#include "proto/models/hf/hf_rotation.h"
#include "proto/models/hf/hf_tower.h"
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
                                        "thinker_config", "llm_cfg",    "decoder_config",
                                        "encoder_config"};
    struct json_body_value value;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct json_body_value *parent = reader->nested ? &reader->inner : reader->outer;

        if (json_body_find(reader->body, parent, names[i], &value) &&
            value.kind == JSON_BODY_OBJECT) {
            hf_reads_add(&reader->reads, value.name);
            reader->twice = reader->nested;
            reader->around = reader->inner;
            reader->inner = value;
            reader->nested = true;
            i = (size_t)-1; /* thinker_config has a text_config in it */
        }
    }
}

static void find_class(struct hf_reader *reader)
{
    const char *type = hf_type_read(reader);

    if (type) {
        reader->class = hf_class_find_rotating(type);
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

/* ---- the configuration ------------------------------------------------------------------- */

/* Returns whether a key, or the class, says that queries and keys rotate. */
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
        if (hf_reader_peek(reader, keys[i], &value) &&
            (value.kind != JSON_BODY_BOOL || value.flag))
            return true;
    return reader->class || hf_reader_text(reader, "position_embedding_type");
}

/* Adds the use of ChatGLM-6B: half of each head rotates by the position in the prompt, half by
 * the position in the generated text. */
static void add_chatglm(struct hf_reader *reader)
{
    double dim;

    if (hf_base_width(reader, &dim))
        hf_reader_set_number(reader, hf_reader_use(reader, "rope2d-chatglm", NULL), "dim", dim);
}

/* Adds the uses of a configuration that is a tower's, or that of a diffusion model, whose
 * rope_theta is that of several axes; false if it is neither. */
static bool add_other(struct hf_reader *reader)
{
    return hf_tower_add_whole(reader) ||
           (!hf_reader_text(reader, "model_type") && hf_reader_text(reader, "_class_name") &&
            hf_plain_add(reader));
}

/* Adds the uses of a language model or an encoder. */
static void add_uses(struct hf_reader *reader)
{
    const size_t before = reader->errors->count;

    if (hf_reader_is(reader, "position_encoding_2d", true))
        add_chatglm(reader);
    else if (!hf_no_rope_add(reader) && is_rope(reader))
        hf_rotation_add(reader);
    else if (reader->config->model.use_count == 0 && reader->errors->count == before &&
             !hf_plain_add(reader))
        hf_reader_fail(reader, NULL, PE_MISSING_PARAMETER,
                       "the configuration says nothing of positions that can be computed: it "
                       "has no rope_theta, rope_parameters, rope_scaling or alibi, and "
                       "model_type %.60s is not known",
                       reader->config->model.family ? reader->config->model.family : "(none)");
    hf_beside_add(reader);
}

/* Refuses a class whose rules are not known: what its keys say cannot be told from their
 * names. */
static bool is_refused(struct hf_reader *reader)
{
    const char *type = reader->config->model.family;
    const struct hf_class *row = hf_class_find(type);
    struct json_body_value value;

    if (!row || !row->not_yet)
        return false;
    const bool named = hf_reader_find(reader, NULL, "model_type", &value) ||
                       hf_reader_find(reader, NULL, "_class_name", &value) ||
                       hf_reader_find(reader, NULL, "architectures", &value);
    hf_reader_fail(
        reader, named ? &value : NULL, PE_BAD_VALUE,
        "%.60s is a class of which only the name was read%s%.100s: what its code does "
        "with positions is not known here; send the object of a part whose class is "
        "known, or ask for its encodings by their own paths",
        type, row->left_out ? ", " : "", row->left_out ? row->left_out : "");
    return true;
}

static void read_all(struct hf_reader *reader, const char *id)
{
    const size_t before = reader->errors->count;

    find_inner(reader);
    find_class(reader);
    if (is_refused(reader))
        return;
    find_name(reader, id);
    hf_layers_read(reader);
    hf_base_read_length(reader);
    if (!add_other(reader))
        add_uses(reader);
    if (reader->errors->count == before)
        hf_component_add(reader);
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
