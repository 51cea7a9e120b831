/* SPDX-License-Identifier: Apache-2.0
 * hf_no_rope.c - finds the reason why nothing rotates: the family, a flag, or the name of
 * another kind of positions. The uses of such a model are those of hf_plain.def, or one without
 * an encoding. */
#include "proto/models/hf/hf_no_rope.h"

#include <string.h>

#include "proto/models/hf/hf_plain.h"

/* ---- models that do not rotate ----------------------------------------------------------- */

/* Adds the uses of a model that does not rotate: the rows of its family, or one use without an
 * encoding, with a note. */
static void add_still(struct hf_reader *reader)
{
    const char *family = reader->config->model.family;

    if (hf_plain_add(reader))
        return;
    (void)hf_reader_use(reader, NULL, NULL);
    hf_reader_note(reader,
                   "the attention of %.60s does not rotate, whatever the configuration says of "
                   "RoPE, and no other encoding of it is known",
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
    add_still(reader);
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
            add_still(reader);
            return true;
        }
    }
    return false;
}

bool hf_no_rope_add(struct hf_reader *reader)
{
    if (hf_family_has(reader->family, HF_NO_POSITIONS) ||
        hf_reader_is(reader, "mla_use_nope", true)) {
        add_still(reader);
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
