/* SPDX-License-Identifier: Apache-2.0
 * hf_rotation.c - the rotation of each type of layers: by one dictionary of RoPE parameters for
 * all, or by one for each type. */
#include "proto/models/hf/hf_rotation.h"

#include <math.h>
#include <string.h>

#include "proto/models/hf/hf_base.h"
#include "proto/models/hf/hf_both.h"
#include "proto/models/hf/hf_layer_type.h"
#include "proto/models/hf/hf_layers.h"
#include "proto/models/hf/hf_rope.h"

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
                   (hf_reader_number(reader, NULL, "global_head_dim", &wide) ||
                    hf_reader_default(reader, "global_head_dim", &wide))
               ? wide
               : outside->dim;
}

/* Returns whether layers of the type do not rotate, whatever a dictionary says. */
static bool is_still(struct hf_reader *reader, const char *type)
{
    return hf_layer_type_has_no_positions(type) || strcmp(type, "no_rotation") == 0 ||
           (strcmp(type, "full_attention") == 0 && !hf_layers_full_rotate(reader));
}

static bool is_added(const struct model *model, const char *layer_type)
{
    size_t i = 0;

    while (i < model->use_count && strcmp(model->uses[i].layer_type, layer_type) != 0)
        i++;
    return i < model->use_count;
}

/* Adds the rotation of the layers of a type by their own dictionary. */
static void add_own(struct hf_reader *reader, const struct json_body_value *entry,
                    const struct hf_base *outside, const char *type)
{
    struct hf_base here = *outside;

    here.dim = width_of(reader, outside, type);
    hf_rope_add(reader, entry, &here, type, true, true);
}

static void note_unused(struct hf_reader *reader, const char *name)
{
    hf_reader_note(reader, "%.60s of rope_parameters is not read: it is about no layer", name);
}

/* Adds the rotation of the layers that a dictionary is about: those of the type that it is
 * named after, or those of each type that the class's code uses it for. */
static void add_entry(struct hf_reader *reader, const struct json_body_value *entry,
                      const struct hf_base *outside)
{
    const char *type, *name = hf_reader_keep(reader, entry->name, entry->name_len);
    const struct model *model = &reader->config->model;

    if (!is_small(reader, entry))
        return;
    if (!hf_class_has_labels(reader->class)) {
        if (is_still(reader, name))
            hf_reader_note(
                reader, "%.60s of rope_parameters is not read: its layers do not rotate", name);
        else if (model->pattern_len > 0 && !hf_layers_have(model, name))
            note_unused(reader, name);
        else
            add_own(reader, entry, outside, name);
        return;
    }
    bool used = false;
    for (size_t i = 0; (type = hf_class_label(reader->class, name, i)) != NULL; i++) {
        if (hf_layers_have(model, type)) {
            add_own(reader, entry, outside, type);
            used = true;
        }
    }
    if (!used)
        note_unused(reader, name);
}

/* Reports a member that stands beside dictionaries: code that has names of its own for them
 * reads no other member. */
static void report_beside(struct hf_reader *reader, const struct json_body_value *member)
{
    if (hf_class_has_labels(reader->class))
        hf_reader_note(reader, "%.60s of rope_parameters is not read", member->name);
    else
        hf_reader_fail(reader, member, PE_CONFLICT,
                       "stands beside dictionaries of layer types; put it into them");
}

static void refuse_unknown_layers(struct hf_reader *reader)
{
    hf_reader_fail(
        reader, NULL, PE_MISSING_PARAMETER,
        "layers differ, but the configuration does not tell which; give layer_types");
}

/* Adds the layers of a type that no dictionary is about: they do not rotate, or nothing is
 * known of them. */
static void add_rest(struct hf_reader *reader, const char *type)
{
    if (is_added(&reader->config->model, type))
        return;
    if (is_still(reader, type))
        (void)hf_reader_use(reader, NULL, type);
    else
        hf_reader_note(reader,
                       "rope_parameters has nothing for layers of %.40s, of which nothing "
                       "is answered",
                       type);
}

static void add_per_type(struct hf_reader *reader, const struct json_body_value *dict,
                         const struct hf_base *outside)
{
    struct json_body_value entry;
    const size_t before = reader->errors->count;
    const struct model *model = &reader->config->model;

    if (model->pattern_len == 0 && hf_class_has_labels(reader->class)) {
        refuse_unknown_layers(reader);
        return;
    }
    for (json_body_walk(reader->body, dict, &entry);
         reader->errors->count == before && json_body_next(reader->body, &entry);)
        if (entry.kind == JSON_BODY_OBJECT)
            add_entry(reader, &entry, outside);
        else if (entry.kind != JSON_BODY_NULL)
            report_beside(reader, &entry);
    for (size_t i = 0; i < model->pattern_len && reader->errors->count == before; i++)
        add_rest(reader, model->pattern[i]);
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

/* Returns whether the scaling is about layers of the type: yarn_only_types lists them
 * (Step-3.5), else it is a fact of the class. */
static bool is_scaled(struct hf_reader *reader, const char *type)
{
    struct json_body_value list;
    bool listed = false;

    if (!hf_reader_find(reader, NULL, "yarn_only_types", &list) ||
        json_body_item_count(&list) == 0)
        return strcmp(type, "full_attention") == 0 ||
               !hf_class_has(reader->class, HF_SCALED_FULL);
    for (size_t i = 0; i < json_body_item_count(&list); i++) {
        const char *item = json_body_item_text(&list, i);

        listed |= item && strcmp(item, type) == 0;
    }
    return listed;
}

/* Adds the rotation of the layers of one type, if one dictionary is for all layers. */
static void add_type(struct hf_reader *reader, const struct json_body_value *dict,
                     const struct hf_base *outside, const char *type)
{
    bool full = strcmp(type, "full_attention") == 0;
    struct hf_base here = *outside;

    if ((here.thetas.numbers && !hf_per_layer_of(reader, &here.thetas, type, &here.theta)) ||
        (here.factors.numbers &&
         !hf_per_layer_of(reader, &here.factors, type, &here.partial_rotary_factor)))
        return;
    const double theta = here.theta;
    bool local = hf_base_local_theta(reader, &here.theta);
    if (is_still(reader, type) || theta == 0) { /* theta 0: these layers have no rotation */
        (void)hf_reader_use(reader, NULL, type);
    } else if (hf_class_has(reader->class, HF_COMPRESSED)) {
        add_compressed(reader, dict, outside, type);
    } else if (full || !local) {
        here.theta = theta;
        hf_rope_add(reader, dict, &here, type, is_scaled(reader, type), false);
    } else {
        (void)hf_reader_number(reader, NULL, "swa_head_dim", &here.dim);
        hf_rope_add(reader, NULL, &here, type, false, true);
    }
}

/* Returns whether the layers differ in their positions, not only in their attention. */
static bool layers_differ(struct hf_reader *reader, const struct json_body_value *dict,
                          const struct hf_base *outside)
{
    struct json_body_value only;
    double theta;
    const struct model *model = &reader->config->model;
    bool differ = !hf_layers_full_rotate(reader) || hf_layers_have(model, "no_rotation") ||
                  hf_base_local_theta(reader, &theta) || outside->thetas.numbers ||
                  outside->factors.numbers ||
                  (dict && (hf_class_has(reader->class, HF_SCALED_FULL) ||
                            hf_reader_find(reader, NULL, "yarn_only_types", &only))) ||
                  hf_class_has(reader->class, HF_COMPRESSED);

    for (size_t i = 0; i < model->pattern_len; i++)
        differ |= hf_layer_type_has_no_positions(model->pattern[i]);
    return differ;
}

static void add_flat(struct hf_reader *reader, const struct json_body_value *dict,
                     const struct hf_base *outside)
{
    const struct model *model = &reader->config->model;

    if (!layers_differ(reader, dict, outside)) {
        hf_rope_add(reader, dict, outside, NULL, true, false);
        return;
    }
    if (model->pattern_len == 0) {
        refuse_unknown_layers(reader);
        return;
    }
    const size_t before = reader->errors->count;
    for (size_t i = 0; i < model->pattern_len && reader->errors->count == before; i++)
        if (!is_added(model, model->pattern[i]))
            add_type(reader, dict, outside, model->pattern[i]);
}

void hf_rotation_add(struct hf_reader *reader)
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
    if (!has_new && !has_old && hf_class_has(reader->class, HF_SCALED_CLASS)) {
        hf_reader_fail(
            reader, NULL, PE_MISSING_PARAMETER,
            "rope_parameters (or rope_scaling) is needed: without it every %s scales "
            "by a dictionary of its class; write that out",
            reader->class->name);
        return;
    }
    if (isnan(outside.dim))
        return;
    if ((has_new || has_old) && is_per_type(reader, &dict))
        add_per_type(reader, &dict, &outside);
    else
        add_flat(reader, has_new || has_old ? &dict : NULL, &outside);
    hf_rope_add_qwen(reader);
    if (hf_class_has(reader->class, HF_BACKWARD))
        hf_reader_note(reader,
                       "every %s turns the other way: its sine is minus the one that is "
                       "answered, and its vectors are rotated with inverse=1",
                       reader->class->name);
    if (!reader->class)
        hf_reader_note(reader, "model_type %.60s is not known: pairing half is assumed",
                       reader->config->model.family ? reader->config->model.family : "(none)");
}
