/* SPDX-License-Identifier: Apache-2.0
 * mhd_shortcut.c - see mhd_shortcut.h. */
#include "server/mhd/mhd_shortcut.h"

#include <string.h>

/* The words of 0.9.75's struct MHD_Connection that hold the start of its read buffer, that of
 * the last line with a colon, and the number of bytes in the buffer. The self-test fails if
 * they are others. */
enum { READ_BUFFER = 18, LAST_LINE = 20, READ_BUFFER_LENGTH = 26, WORDS = 27 };

const char *mhd_shortcut_name(enum mhd_shortcut shortcut)
{
    static const char *const names[] = {
#define SHORTCUT(ID, NAME) NAME,
#include "server/mhd/mhd_shortcuts.def"
#undef SHORTCUT
    };

    return names[shortcut];
}

bool mhd_shortcut_raw_head(unsigned shortcuts, struct MHD_Connection *mhd,
                           struct head_bytes *bytes)
{
    const char *words[WORDS], *end = bytes->method + bytes->size;

    if (!mhd_shortcut_is_in(shortcuts, SHORTCUT_RAW_HEAD))
        return false;
    memcpy(words, mhd, sizeof words);
    /* "X: y" LF ":" CR LF, or "X: y" CR LF ":" LF, ends a head for libmicrohttpd, since it
     * makes the colon NUL and then takes the line for empty; in its buffer both look like
     * CR LF CR LF. But it remembers where the last line with a colon began, which must not be
     * one of the inner two of those four bytes. */
    bytes->colon_ends = words[LAST_LINE] == end - 3 || words[LAST_LINE] == end - 2;
    bytes->rest = end;
    bytes->rest_len = words[READ_BUFFER] == end ? (size_t)words[READ_BUFFER_LENGTH] : 0;
    return true;
}

void mhd_shortcut_cut_query(unsigned shortcuts, const char *raw)
{
    char *query;

    if (!raw || !mhd_shortcut_is_in(shortcuts, SHORTCUT_NO_QUERY))
        return;
    query = strchr((char *)(intptr_t)raw, '?');
    if (query && query[1])
        query[1] = '\0';
}

unsigned mhd_shortcut_refusal(unsigned shortcuts, const char *format, va_list args)
{
    static const char refused[] = "Error processing request (HTTP response code is %u";
    unsigned status = 0;
    va_list again;

    if (!mhd_shortcut_is_in(shortcuts, SHORTCUT_REFUSALS))
        return 0;
    va_copy(again, args);
    if (strncmp(format, refused, sizeof refused - 1) == 0)
        status = va_arg(again, unsigned);
    va_end(again);
    return status;
}

bool mhd_shortcut_set_value(struct MHD_Response *response, const char *name, const char *value,
                            size_t len)
{
    const char *old = MHD_get_response_header(response, name);

    if (!old || strlen(old) != len)
        return false;
    memcpy((void *)(uintptr_t)old, value, len);
    return true;
}
