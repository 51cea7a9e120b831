/* SPDX-License-Identifier: Apache-2.0
 * hf_tower.c - adds the rows of hf_towers.def, or of hf_plain.def, of a part's type: its
 * model_type, or else "TYPE.MEMBER", the model_type of the whole and the member's name, or of
 * a vision_config the model_type of the whole, as Qwen/Qwen2.5-VL-3B-Instruct has it. */
#include "proto/models/hf/hf_tower.h"

#include <stdio.h>
#include <string.h>

#include "proto/models/hf/hf_beside.h"
#include "proto/models/hf/hf_pattern.h"
#include "proto/models/hf/hf_plain.h"

static const struct tower {
    const char *type;
    const char *encoding; /* NULL: the pattern is half a sentence on what is left out */
    const char *group, *pattern;
} towers[] = {
#define HF_TOWER(...) {__VA_ARGS__},
#define HF_TOWER_LACKS(TYPE, LEFT_OUT) {TYPE, NULL, NULL, LEFT_OUT},
#include "proto/models/hf/hf_towers.def"
#undef HF_TOWER
#undef HF_TOWER_LACKS
};
enum { TOWERS = sizeof towers / sizeof towers[0], TYPE_MAX = 120 };

static const struct tower *find_tower(const char *type)
{
    for (size_t i = 0; type && i < TOWERS; i++)
        if (strcmp(towers[i].type, type) == 0)
            return &towers[i];
    return NULL;
}

/* Adds all rows of the type of which this one is the first. */
static const char *add_rows(struct hf_reader *reader, const struct json_body_value *part,
                            const struct tower *tower)
{
    const char *type = tower->type, *left_out = NULL;

    for (; tower < towers + TOWERS && strcmp(tower->type, type) == 0; tower++) {
        if (!tower->encoding) {
            left_out = tower->pattern;
            continue;
        }
        struct model_use *use = hf_reader_beside(reader, part, tower->encoding, tower->group);
        if (use && hf_pattern_set(reader, use, part, tower->pattern))
            hf_beside_keep_if_legal(reader, use);
    }
    return left_out;
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
    const struct tower *tower = find_tower(type);
    tower = tower ? tower : find_tower(own);
    if (!tower && !named && strcmp(part->name, "vision_config") == 0)
        tower = find_tower(whole);
    if (tower)
        return add_rows(reader, part, tower);
    if (type && hf_plain_add_part(reader, part, type))
        return NULL;
    return reason(reader, part, type);
}

bool hf_tower_add_whole(struct hf_reader *reader)
{
    const struct tower *tower =
        !reader->family ? find_tower(reader->config->model.family) : NULL;

    if (!tower)
        return false;
    for (const char *type = tower->type;
         tower < towers + TOWERS && strcmp(tower->type, type) == 0; tower++) {
        struct model_use *use =
            tower->encoding ? hf_reader_use(reader, tower->encoding, tower->group) : NULL;

        if (!tower->encoding)
            hf_reader_note(reader, "what is left out: %.200s", tower->pattern);
        else if (use)
            (void)hf_pattern_set(reader, use, NULL, tower->pattern);
    }
    return true;
}
