/* SPDX-License-Identifier: Apache-2.0
 * hf_unknown_keys.c - the words in names of keys about positions and attention, and the keys
 * with such a name that say nothing of them (hf_ignored.def). */
#include "proto/models/hf/hf_unknown_keys.h"

#include <string.h>

static const char *const *const of_rotation = WORDS("rope", "rotary", "theta");
static const char *const *const words =
    WORDS("rope", "rotary", "theta", "alibi", "nope", "ntk", "logn", "window", "attn",
          "attention", "position", "causal", "direction", "relative", "layer_type",
          "block_type", "layers_block", "index_topk", "sink");

static const char *const ignored[] = {
#define HF_IGNORED(PATTERN) PATTERN,
#define HF_MOOT(KEY, SWITCH)
#include "proto/models/hf/hf_ignored.def"
#undef HF_IGNORED
#undef HF_MOOT
};

static const struct moot {
    const char *key, *with;
} moots[] = {
#define HF_IGNORED(PATTERN)
#define HF_MOOT(KEY, SWITCH) {KEY, SWITCH},
#include "proto/models/hf/hf_ignored.def"
#undef HF_IGNORED
#undef HF_MOOT
};

/* Returns whether the name is the pattern, which may have a '*' at its begin or end. */
static bool is_like(const char *name, const char *pattern)
{
    const size_t len = strlen(pattern), name_len = strlen(name);
    const bool head = pattern[0] == '*', tail = pattern[len - 1] == '*';
    const char *text = pattern + head;
    const size_t text_len = len - head - tail;

    if (name_len < text_len)
        return false;
    if (head && tail)
        return memmem(name, name_len, text, text_len) != NULL;
    return strncmp(head ? name + name_len - text_len : name, text, text_len) == 0 &&
           (head || tail || name_len == text_len);
}

static bool is_ignored(const char *name)
{
    size_t i = 0;

    while (i < sizeof ignored / sizeof ignored[0] && !is_like(name, ignored[i]))
        i++;
    return i < sizeof ignored / sizeof ignored[0];
}

/* Returns whether the key counts only with a switch, which is off or not there. */
static bool is_moot(struct hf_reader *reader, const char *name)
{
    for (size_t i = 0; i < sizeof moots / sizeof moots[0]; i++)
        if (strcmp(moots[i].key, name) == 0 && !hf_reader_is(reader, moots[i].with, true))
            return true;
    return false;
}

static bool has_any(const char *name, const char *const *word)
{
    while (*word && !strstr(name, *word))
        word++;
    return *word != NULL;
}

/* Returns whether the name speaks of attention or positions; of a rotation only where there may
 * be one. */
static bool has_word(const struct hf_reader *reader, const char *name)
{
    return has_any(name, words) && !(reader->still && has_any(name, of_rotation));
}

/* Returns whether the value changes anything: it is not false, an empty list or zeros, and a
 * factor is not 1. */
static bool says_something(const struct json_body_value *value)
{
    size_t zeros = 0;

    switch (value->kind) {
    case JSON_BODY_NULL:
        return false;
    case JSON_BODY_BOOL:
        return value->flag;
    case JSON_BODY_NUMBER:
        return value->number != 1 || strcmp(value->name, "rope_position_scale") != 0;
    case JSON_BODY_NUMBERS:
        while (zeros < value->rows * value->cols && value->numbers[zeros] == 0)
            zeros++;
        return zeros < value->rows * value->cols;
    default:
        return true;
    }
}

/* Returns whether the list has an entry for each layer, or for each and those that predict
 * further tokens. */
static bool is_per_layer(const struct hf_reader *reader, const struct json_body_value *value)
{
    const size_t layers = (size_t)reader->config->model.layers;
    const size_t count =
        value->kind == JSON_BODY_NUMBERS ? value->cols : json_body_item_count(value);

    return layers > 3 && value->kind != JSON_BODY_STRING && count == layers;
}

/* Returns whether the member has been read, or its namesake in the nested part, which comes
 * before it. */
static bool is_read(const struct hf_reader *reader, const struct json_body_value *member)
{
    struct json_body_value inner;

    return hf_reads_has(&reader->reads, member->name) ||
           (reader->nested &&
            json_body_find(reader->body, &reader->inner, member->name, &inner) &&
            hf_reads_has(&reader->reads, inner.name));
}

static bool is_dictionary(const char *name)
{
    return strcmp(name, "rope_scaling") == 0 || strcmp(name, "rope_parameters") == 0;
}

static void note(struct hf_reader *reader, const struct json_body_value *member,
                 const char *parent)
{
    if (parent)
        hf_reader_note(reader, "%.60s of %.60s is not read", member->name, parent);
    else
        hf_reader_note(reader, "%.60s is not read", member->name);
}

/* Returns whether nothing is answered of the part that the object is, and that is said. */
static bool is_left_out(const struct hf_reader *reader, const struct json_body_value *object)
{
    const struct model *model = &reader->config->model;
    char pointer[JSON_BODY_POINTER_SIZE];
    bool out = false;

    json_body_pointer(reader->body, object, JSON_BODY_NO_ITEM, pointer);
    for (size_t i = 0; i < model->component_count; i++)
        out |= strcmp(model->components[i].from, pointer) == 0 && model->components[i].left_out;
    for (size_t i = 0; i < model->beside_count; i++)
        out &= strcmp(model->besides[i].from, pointer) != 0;
    return out;
}

/* Notes the members of an object; parent: its name, NULL for the configuration and the language
 * model's part. */
static void note_members(struct hf_reader *reader, const struct json_body_value *object,
                         const char *parent, unsigned depth)
{
    struct json_body_value value;

    for (json_body_walk(reader->body, object, &value); json_body_next(reader->body, &value);) {
        const bool inner = reader->nested && value.name == reader->inner.name;
        const bool read = is_read(reader, &value);

        if (is_ignored(value.name) || !says_something(&value) ||
            (!read && !parent && is_moot(reader, value.name)))
            continue;
        if (value.kind == JSON_BODY_OBJECT && (read || !has_word(reader, value.name))) {
            if (depth > 0 && !(read && is_dictionary(value.name)) &&
                !is_left_out(reader, &value))
                note_members(reader, &value, inner ? NULL : value.name, depth - 1);
        } else if (!read && (has_word(reader, value.name) || is_per_layer(reader, &value))) {
            note(reader, &value, parent);
        }
    }
}

void hf_unknown_keys_note(struct hf_reader *reader)
{
    enum { DEPTH = 4 };

    note_members(reader, reader->outer, NULL, DEPTH);
}
