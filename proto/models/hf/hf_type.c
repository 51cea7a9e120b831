/* SPDX-License-Identifier: Apache-2.0
 * hf_type.c - see hf_type.h. */
#include "proto/models/hf/hf_type.h"

#include <ctype.h>
#include <string.h>

#include "proto/models/hf/hf_class.h"
#include "proto/models/hf/hf_plain.h"

/* Reads the model_type that the class in architectures is named after, as umt5 of
 * UMT5ForConditionalGeneration: google/umt5-base has no model_type. NULL if none is known. */
static const char *type_of_class(struct hf_reader *reader)
{
    struct json_body_value list;
    char type[64];

    if (!hf_reader_find(reader, NULL, "architectures", &list) ||
        json_body_item_count(&list) == 0)
        return NULL;
    const char *name = json_body_item_text(&list, 0), *end = name ? strstr(name, "For") : NULL;
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
    const char *type = hf_reader_text(reader, "model_type");

    type = type ? type : hf_reader_text(reader, "_class_name");
    return type ? type : type_of_class(reader);
}
