/* SPDX-License-Identifier: Apache-2.0
 * bodies.c - see bodies.h. */
#include "tests/proto/support/bodies.h"

#include "proto/text/buffer.h"

char *bodies_count_up(const char *before, size_t count, const char *behind)
{
    struct buffer text = {0};
    size_t len = 0;

    buffer_add_text(&text, before);
    for (size_t i = 0; i < count; i++)
        buffer_add_format(&text, "%s%zu", i > 0 ? "," : "", i);
    buffer_add_text(&text, behind);
    return buffer_take(&text, &len);
}
