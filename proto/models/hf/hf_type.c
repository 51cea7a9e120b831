/* SPDX-License-Identifier: Apache-2.0
 * hf_type.c - see hf_type.h. */
#include "proto/models/hf/hf_type.h"

#include <ctype.h>
#include <string.h>

#include "proto/models/hf/hf_class.h"
#include "proto/models/hf/hf_plain.h"

/* Returns the class in architectures, NULL if there is none. */
static const char *architecture(struct hf_reader *reader)
{
    struct json_body_value list;

    return hf_reader_find(reader, NULL, "architectures", &list) &&
                   json_body_item_count(&list) > 0
               ? json_body_item_text(&list, 0)
               : NULL;
}

/* Reads the model_type that the class in architectures is named after, as umt5 of
 * UMT5ForConditionalGeneration: google/umt5-base has no model_type. NULL if none is known. */
static const char *type_of_class(struct hf_reader *reader)
{
    char type[64];
    const char *name = architecture(reader), *end = name ? strstr(name, "For") : NULL;

    if (!end || end == name || (size_t)(end - name) >= sizeof type)
        return NULL;
    for (size_t i = 0; name + i < end; i++)
        type[i] = (char)tolower((unsigned char)name[i]);
    type[end - name] = '\0';
    return hf_class_find_rotating(type) || hf_plain_has(type)
               ? hf_reader_keep(reader, type, (size_t)(end - name))
               : NULL;
}

const char *hf_type_read(struct hf_reader *reader)
{
    const char *type = hf_reader_text(reader, "model_type"), *name = architecture(reader);

    type = type ? type : hf_reader_text(reader, "_class_name");
    if (!hf_class_find(type) && hf_class_find(name))
        return name;
    return type ? type : type_of_class(reader);
}
