/* SPDX-License-Identifier: Apache-2.0
 * hf_plain.c - makes uses of the encodings that a class has whatever rope_theta says. */
#include "proto/models/hf/hf_plain.h"

#include <string.h>

#include "proto/models/hf/hf_pattern.h"

/* Returns the encodings of the class of that name, or of its part; NULL if it has none. */
static const struct hf_encoding *find(const char *name)
{
    const struct hf_class *row = hf_class_find(name);

    if (row && row->part && !row->encodings)
        row = hf_class_find(row->part);
    return row ? row->encodings : NULL;
}

/* Returns whether the encoding counts: its key is the word, or is true where the word is
 * "true". */
static bool counts(struct hf_reader *reader, const struct json_body_value *object,
                   const struct hf_encoding *one)
{
    struct json_body_value value;

    if (!one->key)
        return true;
    if (!hf_reader_find(reader, object, one->key, &value))
        return one->absent;
    return value.kind == JSON_BODY_BOOL
               ? value.flag && strcmp(one->word, "true") == 0
               : value.kind == JSON_BODY_STRING && strcmp(value.text, one->word) == 0;
}

/* Notes that none of the class's encodings is switched on. */
static void note_off(struct hf_reader *reader, const char *name, const char *key)
{
    hf_reader_note(
        reader,
        "no key of %.60s switches on an encoding of positions that is known: the last "
        "that does is %.60s",
        name, key);
}

bool hf_plain_has(const char *type)
{
    return find(type) != NULL;
}

bool hf_plain_add(struct hf_reader *reader)
{
    const char *name = hf_reader_text(reader, "position_embedding_type"), *key = "";
    const struct hf_encoding *one = find(name);
    size_t added = 0;

    if (!one) {
        name = reader->config->model.family;
        one = find(name);
    }
    if (!one)
        return false;
    for (; !one->last; one++) {
        if (!counts(reader, NULL, one)) {
            key = one->key;
            continue;
        }
        struct model_use *use = hf_reader_use(reader, one->encoding, one->group);

        added++;
        if (!use || !hf_pattern_set(reader, use, NULL, one->settings))
            break;
    }
    if (added == 0) {
        (void)hf_reader_use(reader, NULL, NULL);
        note_off(reader, name, key);
    }
    return true;
}

bool hf_plain_add_part(struct hf_reader *reader, const struct json_body_value *part,
                       const char *type)
{
    const struct hf_encoding *one = find(type);

    if (!one)
        return false;
    for (; !one->last; one++) {
        if (!counts(reader, part, one))
            continue;
        struct model_use *use = hf_reader_beside(reader, part, one->encoding, one->group);

        if (!use || !hf_pattern_set(reader, use, part, one->settings))
            break;
    }
    return true;
}
