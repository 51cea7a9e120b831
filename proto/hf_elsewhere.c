/* SPDX-License-Identifier: Apache-2.0
 * hf_elsewhere.c - a target for who came with the configuration of a model without RoPE and
 * ALiBi: the resolved uses of a model are what it has beside its weights, and most of these
 * have a learned table. */
#include "proto/hf_elsewhere.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/float_text.h"
#include "proto/text/buffer.h"

enum { KEY_MAX = 40, TARGET_MAX = 240 };

static const struct row {
    const char *type, *target;
    bool learned;
} rows[] = {
#define HF_LEARNED(TYPE, TARGET) {TYPE, TARGET, true},
#define HF_COMPUTED(TYPE, TARGET) {TYPE, TARGET, false},
#include "proto/hf_elsewhere.def"
#undef HF_LEARNED
#undef HF_COMPUTED
};

static const struct row *find(const char *type)
{
    for (size_t i = 0; type != NULL && i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].type, type) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* "{key:number" ... "}" -> the number that the configuration has in its place; -1, too, which
 * stands for none in DeBERTa's. False after adding a problem with it. */
static bool add_number(struct buffer *target, struct hf_reader *reader, const char *place,
                       size_t len)
{
    const char *colon = memchr(place, ':', len);
    char key[KEY_MAX] = "", text[FLOAT_TEXT_F64_MAX];
    double number = strtod(colon + 1, NULL);
    const size_t before = reader->errors->count;
    struct body_value value;
    memcpy(key, place + 1, (size_t)(colon - place - 1));
    if (hf_reader_find(reader, NULL, key, &value)) {
        number = value.kind == BODY_NUMBER ? value.number : NAN;
    }
    if (!isfinite(number)) {
        hf_reader_fail(reader, &value, PE_BAD_VALUE, "must be a number");
    } else {
        buffer_add(target, text, (size_t)(float_text_f64(text, number) - text));
    }
    return reader->errors->count == before;
}

static bool add_target(struct buffer *target, struct hf_reader *reader, const char *pattern)
{
    while (*pattern != '\0') {
        size_t len = strcspn(pattern, "{");
        buffer_add(target, pattern, len);
        pattern += len;
        if (*pattern == '{') {
            len = strcspn(pattern, "}");
            if (!add_number(target, reader, pattern, len)) {
                return false;
            }
            pattern += len + 1;
        }
    }
    return true;
}

bool hf_elsewhere_refuse(struct hf_reader *reader, const struct body_value *value)
{
    const char *type = reader->config->model.family;
    const struct row *row = find(hf_reader_text(reader, "position_embedding_type"));
    char room[TARGET_MAX];
    struct buffer target = buffer_over(room, sizeof room);
    row = row == NULL ? find(type) : row;
    if (row == NULL) {
        return false;
    }
    if (add_target(&target, reader, row->target)) {
        assert(!target.failed); /* patterns are short, and no number has more than 24 bytes */
        hf_reader_fail(reader, value, PE_CONFLICT,
                       "%.60s neither rotates nor has ALiBi: %.*s answers for its positions%s",
                       type != NULL ? type : "this model", (int)target.len, target.bytes,
                       row->learned ? ", with table=, the learned rows" : "");
    }
    return true;
}
