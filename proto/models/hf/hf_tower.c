/* SPDX-License-Identifier: Apache-2.0
 * hf_tower.c - adds the tower, or else the encodings, of the class of a part: its
 * model_type, or else "TYPE.MEMBER", the model_type of the whole and the member's name, or of
 * a vision_config the model_type of the whole, as Qwen/Qwen2.5-VL-3B-Instruct has it. */
#include "proto/models/hf/hf_tower.h"

#include <stdio.h>
#include <string.h>

#include "proto/models/hf/hf_beside.h"
#include "proto/models/hf/hf_pattern.h"
#include "proto/models/hf/hf_plain.h"

enum { TYPE_MAX = 120 };

static const struct hf_class *find_tower(const char *type)
{
    const struct hf_class *row = hf_class_find(type);

    return row && row->tower ? row : NULL;
}

/* Marks the members that the sentence on what is left out names, which needs no second one. */
static void read_named(struct hf_reader *reader, const struct json_body_value *part,
                       const char *left_out)
{
    struct json_body_value member;

    for (json_body_walk(reader->body, part, &member); json_body_next(reader->body, &member);)
        if (strstr(left_out, member.name))
            hf_reads_add(&reader->reads, member.name);
}

/* Adds the encodings of a tower; returns what is left out of it, which may be NULL. */
static const char *add_tower(struct hf_reader *reader, const struct json_body_value *part,
                             const struct hf_class *row)
{
    for (const struct hf_encoding *one = row->tower; !one->last; one++) {
        struct model_use *use = hf_reader_beside(reader, part, one->encoding, one->group);

        if (use && hf_pattern_set(reader, use, part, one->settings))
            hf_beside_keep_if_legal(reader, use);
    }
    if (row->tower_left_out)
        read_named(reader, part, row->tower_left_out);
    return row->tower_left_out;
}

/* Says why nothing is answered of a part. */
static const char *reason(struct hf_reader *reader, const struct json_body_value *part,
                          const char *type)
{
    struct json_body_value theta;
    char text[200];
    const bool turns = hf_reader_find(reader, part, "rope_theta", &theta) ||
                       hf_reader_find(reader, part, "rope_parameters", &theta);

    if (type)
        snprintf(text, sizeof text, "the code of model_type %.60s is not known%s", type,
                 turns ? ", which rotates" : "");
    else
        snprintf(text, sizeof text, "it names no model_type%s",
                 turns ? ", and its code rotates" : "");
    return hf_reader_keep(reader, text, strlen(text));
}

const char *hf_tower_add(struct hf_reader *reader, const struct json_body_value *part)
{
    struct json_body_value value;
    const char *whole = reader->config->model.family;
    char own[TYPE_MAX];
    const bool named = hf_reader_find(reader, part, "model_type", &value) &&
                       value.kind == JSON_BODY_STRING && value.text_len > 0;
    const char *type = named ? value.text : NULL;

    snprintf(own, sizeof own, "%.60s.%.50s", whole ? whole : "", part->name);
    const struct hf_class *tower = find_tower(type);
    tower = tower ? tower : find_tower(own);
    if (!tower && !named && strcmp(part->name, "vision_config") == 0)
        tower = find_tower(whole);
    if (tower)
        return add_tower(reader, part, tower);
    if (type && hf_plain_add_part(reader, part, type))
        return NULL;
    return reason(reader, part, type);
}

bool hf_tower_add_whole(struct hf_reader *reader)
{
    const struct hf_class *row =
        !reader->class ? find_tower(reader->config->model.family) : NULL;

    if (!row)
        return false;
    for (const struct hf_encoding *one = row->tower; !one->last; one++) {
        struct model_use *use = hf_reader_use(reader, one->encoding, one->group);

        if (use)
            (void)hf_pattern_set(reader, use, NULL, one->settings);
    }
    if (row->tower_left_out)
        hf_reader_note(reader, "what is left out: %.200s", row->tower_left_out);
    return true;
}
