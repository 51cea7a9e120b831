/* SPDX-License-Identifier: Apache-2.0
 * hf_plain.c - finds the rows of hf_plain.def for a model_type and makes uses of them. */
#include "proto/models/hf/hf_plain.h"

#include <string.h>

#include "proto/models/hf/hf_pattern.h"

static const struct row {
    const char *type, *encoding, *group, *pattern;
} rows[] = {
#define HF_PLAIN(...) {__VA_ARGS__},
#include "proto/models/hf/hf_plain.def"
#undef HF_PLAIN
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

bool hf_plain_add(struct hf_reader *reader)
{
    const struct row *row = find(hf_reader_text(reader, "position_embedding_type"));

    row = row ? row : find(reader->config->model.family);
    if (!row)
        return false;
    for (const char *type = row->type; row < rows + ROWS && strcmp(row->type, type) == 0;
         row++) {
        struct model_use *use = hf_reader_use(reader, row->encoding, row->group);

        if (!use || !hf_pattern_set(reader, use, NULL, row->pattern))
            break;
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
        struct model_use *use = hf_reader_beside(reader, part, row->encoding, row->group);

        if (!use || !hf_pattern_set(reader, use, part, row->pattern))
            break;
    }
    return true;
}
