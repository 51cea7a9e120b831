/* SPDX-License-Identifier: Apache-2.0
 * mhd_0_9_75.c - see mhd_0_9_75.h. */
#include "server/mhd/mhd_0_9_75.h"

#include <string.h>

/* The words of struct MHD_Connection that hold the start of its read buffer, that of the last
 * line with a colon, and the number of bytes in the buffer. The self-test fails if they are
 * others. */
enum { READ_BUFFER = 18, LAST_LINE = 20, READ_BUFFER_LENGTH = 26, WORDS = 27 };

struct head_bytes mhd_0_9_75_head(struct MHD_Connection *mhd, const char *method,
                                  const char *version)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    struct head_bytes bytes = {
        .method = method,
        .version = version,
        .size = info ? info->header_size : 0,
        .lines = (size_t)MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, NULL, NULL)};
    const char *words[WORDS], *end = method + bytes.size;

    memcpy(words, mhd, sizeof words);
    /* "X: y" LF ":" CR LF, or "X: y" CR LF ":" LF, ends a head for libmicrohttpd, since it
     * makes the colon NUL and then takes the line for empty; in its buffer both look like
     * CR LF CR LF. But it remembers where the last line with a colon began, which must not be
     * one of the inner two of those four bytes. */
    bytes.colon_ends = words[LAST_LINE] == end - 3 || words[LAST_LINE] == end - 2;
    bytes.rest = end;
    bytes.rest_len = words[READ_BUFFER] == end ? (size_t)words[READ_BUFFER_LENGTH] : 0;
    return bytes;
}

void mhd_0_9_75_cut_query(const char *raw)
{
    char *query = raw ? strchr((char *)(intptr_t)raw, '?') : NULL;

    if (query && query[1])
        query[1] = '\0';
}

bool mhd_0_9_75_set_value(struct MHD_Response *response, const char *name, const char *value,
                          size_t len)
{
    const char *old = MHD_get_response_header(response, name);

    if (!old || strlen(old) != len)
        return false;
    memcpy((void *)(uintptr_t)old, value, len);
    return true;
}

unsigned mhd_0_9_75_refusal(const char *format, va_list args)
{
    static const char refused[] = "Error processing request (HTTP response code is %u";
    unsigned status = 0;
    va_list again;

    va_copy(again, args);
    if (strncmp(format, refused, sizeof refused - 1) == 0)
        status = va_arg(again, unsigned);
    va_end(again);
    return status;
}
