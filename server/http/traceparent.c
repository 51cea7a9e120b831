/* SPDX-License-Identifier: Apache-2.0
 * traceparent.c - see traceparent.h: "00-<32 hex>-<16 hex>-<2 hex>". */
#include "server/http/traceparent.h"

#include <string.h>

enum {
    VERSION_LEN = 2,
    TRACE_AT = VERSION_LEN + 1,
    PARENT_AT = TRACE_AT + TRACEPARENT_TRACE_LEN + 1,
    FLAGS_AT = PARENT_AT + TRACEPARENT_SPAN_LEN + 1,
    LEN = FLAGS_AT + 2,
};

static bool is_hex(const char *text, size_t len)
{
    return strspn(text, "0123456789abcdef") >= len;
}

static bool is_zero(const char *text, size_t len)
{
    return strspn(text, "0") >= len;
}

bool traceparent_parse(struct traceparent *parent, const char *text)
{
    const char *flags = text ? text + FLAGS_AT : NULL;

    if (!text || strnlen(text, LEN) < LEN || !is_hex(text, VERSION_LEN) ||
        strncmp(text, "ff", VERSION_LEN) == 0 || text[TRACE_AT - 1] != '-' ||
        !is_hex(text + TRACE_AT, TRACEPARENT_TRACE_LEN) || text[PARENT_AT - 1] != '-' ||
        !is_hex(text + PARENT_AT, TRACEPARENT_SPAN_LEN) || text[FLAGS_AT - 1] != '-' ||
        !is_hex(flags, LEN - FLAGS_AT))
        return false;
    if (is_zero(text + TRACE_AT, TRACEPARENT_TRACE_LEN) ||
        is_zero(text + PARENT_AT, TRACEPARENT_SPAN_LEN))
        return false;
    if (text[LEN] != '\0' && (is_zero(text, VERSION_LEN) || text[LEN] != '-'))
        return false; /* a later version may have more behind a dash */
    memcpy(parent->trace_id, text + TRACE_AT, TRACEPARENT_TRACE_LEN);
    parent->trace_id[TRACEPARENT_TRACE_LEN] = '\0';
    memcpy(parent->parent_id, text + PARENT_AT, TRACEPARENT_SPAN_LEN);
    parent->parent_id[TRACEPARENT_SPAN_LEN] = '\0';
    parent->is_sampled = strchr("13579bdf", flags[1]) != NULL;
    return true;
}
