/* SPDX-License-Identifier: Apache-2.0
 * hf_direction.c - see hf_direction.h. */
#include "proto/models/hf/hf_direction.h"

#include <string.h>

static const struct row {
    const char *key;
    bool both;
    const char *encoding;
} rows[] = {
#define HF_DIRECTION(...) {__VA_ARGS__},
#include "proto/models/hf/hf_directions.def"
#undef HF_DIRECTION
};

static bool says_both(const struct json_body_value *value, bool both)
{
    return value->kind == JSON_BODY_STRING
               ? both && strcmp(value->text, "all") == 0
               : value->kind == JSON_BODY_BOOL && value->flag == both;
}

/* Says what is not answered of a key that does not say that queries see both ways. */
static void note_other(struct hf_reader *reader, const struct json_body_value *value, bool both)
{
    const bool is_text = value->kind == JSON_BODY_STRING;

    if (both && is_text && strcmp(value->text, "vision") == 0)
        hf_reader_note(reader,
                       "%.60s is \"vision\": tokens of one image see each other, of which "
                       "nothing is answered",
                       value->name);
    else if (value->kind != JSON_BODY_BOOL)
        hf_reader_note(reader, "%.60s is not read: it must be true%s", value->name,
                       both ? ", false, \"all\" or \"vision\"" : " or false");
}

enum hf_direction hf_direction_read(struct hf_reader *reader, struct hf_direction_said *said)
{
    bool both = hf_class_has(reader->class, HF_BOTH_WAYS), known = both;

    said->encoding = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !said->encoding; i++) {
        struct json_body_value value;

        if (!hf_reader_find(reader, NULL, rows[i].key, &value))
            continue;
        if (says_both(&value, rows[i].both)) {
            both = true;
            *said = (struct hf_direction_said){value, rows[i].encoding};
        } else {
            note_other(reader, &value, rows[i].both);
        }
    }
    if (!both)
        return HF_ONE_WAY;
    if (hf_class_has(reader->class, HF_WINDOW_OF_BOTH))
        return HF_WINDOW_SHARED;
    return known ? HF_TWO_WAYS : HF_WINDOW_OPEN;
}
