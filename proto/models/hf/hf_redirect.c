/* SPDX-License-Identifier: Apache-2.0
 * hf_redirect.c - refers a client to an encoding for a model without RoPE and ALiBi. Such a
 * model has no uses: uses are the encodings beside its weights, and most such models have a
 * learned table. */
#include "proto/models/hf/hf_redirect.h"

#include <assert.h>
#include <string.h>

#include "proto/models/hf/hf_pattern.h"
#include "proto/text/buffer.h"

enum { TARGET_MAX = 240 };

static const struct row {
    const char *type, *target;
    bool learned;
} rows[] = {
#define HF_LEARNED(TYPE, TARGET) {TYPE, TARGET, true},
#define HF_COMPUTED(TYPE, TARGET) {TYPE, TARGET, false},
#include "proto/models/hf/hf_redirect.def"
#undef HF_LEARNED
#undef HF_COMPUTED
};

static const struct row *find(const char *type)
{
    for (size_t i = 0; type && i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].type, type) == 0)
            return &rows[i];
    return NULL;
}

bool hf_redirect_refuse(struct hf_reader *reader, const struct json_body_value *value)
{
    const char *type = reader->config->model.family;
    const struct row *row = find(hf_reader_text(reader, "position_embedding_type"));
    char capacity[TARGET_MAX];
    struct buffer target = buffer_over(capacity, sizeof capacity);

    row = !row ? find(type) : row;
    if (!row)
        return false;
    if (hf_pattern_write(&target, reader, NULL, row->target)) {
        assert(!target.failed); /* patterns are short, and a number has at most 24 bytes */
        hf_reader_fail(reader, value, PE_CONFLICT,
                       "%.60s neither rotates nor has ALiBi: %.*s answers for its positions%s",
                       type ? type : "this model", (int)target.len, target.bytes,
                       row->learned ? ", with table=, the learned rows" : "");
    }
    return true;
}
