/* SPDX-License-Identifier: Apache-2.0
 * hf_component.c - finds parts by the names of members (hf_part_names.def). */
#include "proto/models/hf/hf_component.h"

#include <string.h>

#include "proto/models/hf/hf_tower.h"

static const struct named {
    const char *member, *name; /* name: NULL for an object that is no part */
    bool holds;                /* it only holds further parts */
} names[] = {
#define HF_PART_NAME(...) {__VA_ARGS__},
#define HF_PART_KEY(KEY, NAME, REASON)
#include "proto/models/hf/hf_part_names.def"
#undef HF_PART_NAME
#undef HF_PART_KEY
};

static const struct keyed {
    const char *key, *name, *left_out;
} keys[] = {
#define HF_PART_NAME(MEMBER, NAME, HOLDS)
#define HF_PART_KEY(...) {__VA_ARGS__},
#include "proto/models/hf/hf_part_names.def"
#undef HF_PART_NAME
#undef HF_PART_KEY
};

/* Returns the length of a name without the end, 0 if it has not that end or nothing before. */
static size_t without(const char *name, const char *end)
{
    const size_t len = strlen(name), end_len = strlen(end);

    return len > end_len && strcmp(name + len - end_len, end) == 0 ? len - end_len : 0;
}

/* Names the part that an object is; NULL if it is none. */
static const char *name_of(struct hf_reader *reader, const char *member, bool *holds)
{
    size_t len = without(member, "_config");

    *holds = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].member, member) == 0) {
            *holds = names[i].holds;
            return names[i].name;
        }
    }
    len = len > 0 ? len : without(member, "_cfg");
    return len > 0 ? hf_reader_keep(reader, member, len) : NULL;
}

static void add(struct hf_reader *reader, const struct json_body_value *member,
                const char *name, const char *left_out, bool is_main)
{
    struct hf_config *config = reader->config;
    char pointer[JSON_BODY_POINTER_SIZE];

    hf_reads_add(&reader->reads, member->name);
    if (config->model.component_count == HF_COMPONENTS_MAX) {
        hf_reader_note(reader, "%.60s is not read: there are more parts than %d", member->name,
                       HF_COMPONENTS_MAX);
        return;
    }
    json_body_pointer(reader->body, member, JSON_BODY_NO_ITEM, pointer);
    config->components[config->model.component_count++] = (struct model_component){
        name, hf_reader_keep(reader, pointer, strlen(pointer)), left_out, is_main};
    config->model.components = config->components;
}

/* Adds a part with its tower, unless it is the language model's, whose uses are the model's. */
static void add_part(struct hf_reader *reader, const struct json_body_value *part,
                     const char *name)
{
    if (reader->nested && part->name == reader->inner.name)
        add(reader, part, name, NULL, true);
    else
        add(reader, part, name, hf_tower_add(reader, part), false);
}

static void add_members(struct hf_reader *reader, const struct json_body_value *object)
{
    struct json_body_value part;
    const size_t before = reader->errors->count;
    bool holds;

    for (json_body_walk(reader->body, object, &part);
         reader->errors->count == before && json_body_next(reader->body, &part);) {
        const char *name =
            part.kind == JSON_BODY_OBJECT ? name_of(reader, part.name, &holds) : NULL;

        if (name && holds)
            add_members(reader, &part);
        else if (name)
            add_part(reader, &part, name);
    }
}

/* Returns whether a key names a part: it is a number above 0, or a text. */
static bool says_part(const struct json_body_value *value)
{
    return (value->kind == JSON_BODY_NUMBER && value->number > 0) ||
           (value->kind == JSON_BODY_STRING && value->text_len > 0);
}

void hf_component_add(struct hf_reader *reader)
{
    struct json_body_value value;
    struct model *model = &reader->config->model;

    add_members(reader, reader->outer);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (hf_reader_peek(reader, keys[i].key, &value) && says_part(&value))
            add(reader, &value, keys[i].name, keys[i].left_out, false);
    if (reader->nested && model->component_count == 1)
        model->component_count = 0;
    if (!reader->nested && model->component_count > 0 &&
        model->component_count < HF_COMPONENTS_MAX)
        reader->config->components[model->component_count++] =
            (struct model_component){"main", "#", NULL, true};
}
