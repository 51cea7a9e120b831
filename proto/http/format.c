/* SPDX-License-Identifier: Apache-2.0
 * format.c - the registry of formats, from formats.def. */
#include "proto/http/format.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "proto/text/buffer.h"

static const struct format *const formats[] = {
#define FORMAT(NAME, ALIAS) &format_##NAME,
#include "proto/http/formats.def"
#undef FORMAT
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

size_t format_count(void)
{
    return FORMATS;
}

const struct format *format_at(size_t i)
{
    assert(i < FORMATS);
    return formats[i];
}

const struct format *const *format_all(void)
{
    return formats;
}

size_t format_index(const struct format *format)
{
    size_t i = 0;

    while (formats[i] != format) {
        i++;
        assert(i < FORMATS);
    }
    return i;
}

const struct format *format_find(const char *name, size_t len)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strlen(formats[i]->name) == len && memcmp(formats[i]->name, name, len) == 0)
            return formats[i];
    return NULL;
}

bool format_is_type(const struct format *format, const char *content_type)
{
    const size_t len = strcspn(content_type, "; \t");

    return len == strlen(format->media_type) &&
           strncasecmp(content_type, format->media_type, len) == 0;
}

const struct format *format_find_suffix(const char *suffix)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i]->extension, suffix) == 0)
            return formats[i];
    return format_find(suffix, strlen(suffix));
}

void format_write_suffixes(struct buffer *out)
{
    for (size_t i = 0; i < FORMATS; i++) {
        const struct format *format = formats[i];

        if (format_find_suffix(format->extension) == format)
            buffer_add_format(out, "%s.%s", i > 0 ? ", " : "", format->extension);
        if (strcmp(format->extension, format->name) != 0)
            buffer_add_format(out, ", .%s", format->name);
    }
}

const struct format *format_binary(size_t tensors)
{
    size_t i = 0;

    while (!formats[i]->binary || formats[i]->single != (tensors == 1)) {
        i++;
        assert(i < FORMATS);
    }
    return formats[i];
}
