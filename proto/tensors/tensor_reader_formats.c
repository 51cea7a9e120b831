/* SPDX-License-Identifier: Apache-2.0
 * tensor_reader_formats.c - the table of formats. */
#include "proto/tensors/tensor_format.h"

#include <string.h>
#include <strings.h>

#include "proto/tensors/zip_reader.h"

static const struct tensor_format *const formats[] = {
#define TENSOR_FORMAT(NAME) &NAME,
#include "proto/tensors/tensor_formats.def"
#undef TENSOR_FORMAT
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

size_t tensor_format_count(void)
{
    return FORMATS;
}

const struct tensor_format *tensor_format_at(size_t i)
{
    return formats[i];
}

const struct tensor_format *tensor_format_find(const char *content_type)
{
    size_t len = strcspn(content_type, "; \t");

    for (size_t i = 0; i < FORMATS; i++) {
        for (const char *const *type = formats[i]->media_types; *type; type++)
            if (strlen(*type) == len && strncasecmp(*type, content_type, len) == 0)
                return formats[i];
    }
    return NULL;
}

const char *tensor_format_sniff(const char *bytes, size_t len)
{
    const unsigned char *start = (const unsigned char *)bytes;
    size_t space = 0;

    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i]->sniff && formats[i]->sniff(start, len))
            return formats[i]->media_types[0];
    if (len >= 2 && start[0] == 0x1f && start[1] == 0x8b)
        return "application/gzip";
    if (zip_reader_is_pickle(start, len))
        return "application/x-pickle";
    while (space < len && memchr(" \t\r\n", start[space], 4))
        space++;
    const bool json = space < len && (start[space] == '{' || start[space] == '[');
    return json ? "application/json" : NULL;
}

const char *tensor_format_media_type(const struct tensor_format *format)
{
    return format->media_types[0];
}

const char *tensor_format_summary(const struct tensor_format *format)
{
    return format->summary;
}

bool tensor_format_is_headerless(const struct tensor_format *format)
{
    return format->headerless;
}

bool tensor_format_is_unnamed(const struct tensor_format *format)
{
    return format->unnamed;
}

bool tensor_format_suits(const struct tensor_format *format, const struct pe_encoding *enc)
{
    if (format->judged)
        return false;
    return format->unnamed ? tensor_param_unnamed(enc) != NULL : tensor_is_taken(enc);
}
