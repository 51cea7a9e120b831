/* SPDX-License-Identifier: Apache-2.0
 * hf_plain.c - finds the rows of hf_plain.def for a model_type and makes uses of them. */
#include "proto/models/hf/hf_plain.h"

#include <string.h>

#include "proto/models/hf/hf_pattern.h"

static const struct row {
    const char *type, *key, *word; /* key: NULL if the row always counts */
    bool absent;                   /* the row counts where the key is absent */
    const char *encoding, *group, *pattern;
} rows[] = {
#define HF_PLAIN(TYPE, ...) {TYPE, NULL, NULL, true, __VA_ARGS__},
#define HF_PLAIN_IF(...) {__VA_ARGS__},
#include "proto/models/hf/hf_plain.def"
#undef HF_PLAIN
#undef HF_PLAIN_IF
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Returns the first row of the type; the others of the type follow it. NULL if it has none. */
static const struct row *find(const char *type)
{
    for (size_t i = 0; type && i < ROWS; i++)
        if (strcmp(rows[i].type, type) == 0)
            return &rows[i];
    return NULL;
}

/* Returns whether the row counts: its key is the word, or is true where the word is "true". */
static bool counts(struct hf_reader *reader, const struct json_body_value *object,
                   const struct row *row)
{
    struct json_body_value value;

    if (!row->key)
        return true;
    if (!hf_reader_find(reader, object, row->key, &value))
        return row->absent;
    return value.kind == JSON_BODY_BOOL
               ? value.flag && strcmp(row->word, "true") == 0
               : value.kind == JSON_BODY_STRING && strcmp(value.text, row->word) == 0;
}

/* Notes that none of the type's encodings is switched on. */
static void note_off(struct hf_reader *reader, const char *type, const char *key)
{
    hf_reader_note(
        reader,
        "no key of %.60s switches on an encoding of positions that is known: the last "
        "that does is %.60s",
        type, key);
}

bool hf_plain_has(const char *type)
{
    return find(type) != NULL;
}

bool hf_plain_add(struct hf_reader *reader)
{
    const struct row *row = find(hf_reader_text(reader, "position_embedding_type"));

    row = row ? row : find(reader->config->model.family);
    if (!row)
        return false;
    const char *type = row->type, *key = "";
    size_t added = 0;
    for (; row < rows + ROWS && strcmp(row->type, type) == 0; row++) {
        if (!counts(reader, NULL, row)) {
            key = row->key;
            continue;
        }
        struct model_use *use = hf_reader_use(reader, row->encoding, row->group);

        added++;
        if (!use || !hf_pattern_set(reader, use, NULL, row->pattern))
            break;
    }
    if (added == 0) {
        (void)hf_reader_use(reader, NULL, NULL);
        note_off(reader, type, key);
    }
    return true;
}

bool hf_plain_add_part(struct hf_reader *reader, const struct json_body_value *part,
                       const char *type)
{
    const struct row *row = find(type);

    if (!row)
        return false;
    for (; row < rows + ROWS && strcmp(row->type, type) == 0; row++) {
        if (!counts(reader, part, row))
            continue;
        struct model_use *use = hf_reader_beside(reader, part, row->encoding, row->group);

        if (!use || !hf_pattern_set(reader, use, part, row->pattern))
            break;
    }
    return true;
}
