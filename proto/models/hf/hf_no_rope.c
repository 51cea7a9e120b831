/* SPDX-License-Identifier: Apache-2.0
 * hf_no_rope.c - finds the reason why nothing rotates: the family, a flag, or the name of
 * another kind of positions; and refers a client to the encoding for a model without RoPE and
 * ALiBi. Such a model has no uses: uses are the encodings beside its weights, and most such
 * models have a learned table. */
#include "proto/models/hf/hf_no_rope.h"

#include <assert.h>
#include <string.h>

#include "proto/models/hf/hf_pattern.h"
#include "proto/text/buffer.h"

/* ---- models of other encodings ----------------------------------------------------------- */

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

bool hf_no_rope_redirect(struct hf_reader *reader, const struct json_body_value *value)
{
    const char *type = reader->config->model.family;
    const struct row *row = find(hf_reader_text(reader, "position_embedding_type"));
    char text[TARGET_MAX];
    struct buffer target = buffer_over(text, sizeof text);

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

/* ---- models that do not rotate ----------------------------------------------------------- */

/* Refuses the configuration. value: the key that is the reason; NULL: the family is the
 * reason. */
static void refuse(struct hf_reader *reader, const struct json_body_value *value)
{
    const char *family = reader->config->model.family;

    if (hf_no_rope_redirect(reader, value))
        return;
    hf_reader_fail(reader, value, PE_CONFLICT,
                   "%.60s has no positional encoding that can be computed: its attention does "
                   "not rotate, whatever the configuration says of RoPE",
                   family ? family : "this model");
}

static bool is_rotary(const struct json_body_value *value)
{
    return value->kind == JSON_BODY_STRING &&
           (strcmp(value->text, "rotary") == 0 || strcmp(value->text, "rope") == 0);
}

/* Reads position_embedding_type. Known families rotate whatever the key is (ModernBERT's files
 * have "absolute", which no code reads), except the families whose code reads the key. */
static bool is_other_kind(struct hf_reader *reader)
{
    struct json_body_value value;
    bool asked = hf_family_has(reader->family, HF_NAMED);
    bool said = hf_reader_find(reader, NULL, "position_embedding_type", &value) ||
                hf_reader_find(reader, NULL, "position_embeddings_type", &value);

    if (said ? is_rotary(&value) : !asked)
        return false;
    if (reader->family && !asked) {
        hf_reader_note(reader, "position_embedding_type is not read: every %s rotates",
                       reader->family->name);
        return false;
    }
    refuse(reader, said ? &value : NULL);
    return true;
}

/* Reads "use_rope": false and other flags. */
static bool is_switched_off(struct hf_reader *reader)
{
    static const char *const flags[] = {"use_rope", "rotary", "use_mem_rope"};
    struct json_body_value value;

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (hf_reader_find(reader, NULL, flags[i], &value) && value.kind == JSON_BODY_BOOL &&
            !value.flag) {
            refuse(reader, &value);
            return true;
        }
    }
    return false;
}

bool hf_no_rope_refuse(struct hf_reader *reader)
{
    if (hf_family_has(reader->family, HF_NO_POSITIONS) ||
        hf_reader_is(reader, "mla_use_nope", true)) {
        refuse(reader, NULL);
        return true;
    }
    /* Without ALiBi, MPT has a learned table, or keys that only llm-foundry reads. */
    if (hf_family_has(reader->family, HF_ALIBI_LAST)) {
        hf_reader_fail(reader, NULL, PE_CONFLICT,
                       "%s has positions that can be computed only where attn_config has "
                       "\"alibi\": true",
                       reader->family->name);
        return true;
    }
    return is_other_kind(reader) || is_switched_off(reader);
}
