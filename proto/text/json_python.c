/* SPDX-License-Identifier: Apache-2.0
 * json_python.c - documents that Python's json.dump wrote: its words for numbers that are not
 * finite, the byte order mark of some editors, and members that the caller skips. */
#include "proto/text/json_python.h"

#include <string.h>

#include "proto/text/json_step.h"

static const char mark[] = "\xef\xbb\xbf";
enum { MARK_LEN = sizeof mark - 1 };

bool json_python_is_mark(struct json_scan *scan, char byte)
{
    if (!scan->limits.python || scan->offset != scan->mark || scan->mark == MARK_LEN ||
        byte != mark[scan->mark])
        return false;
    scan->mark++;
    return true;
}

bool json_python_end_mark(struct json_scan *scan)
{
    if (scan->mark == 0)
        return true;
    if (scan->mark < MARK_LEN)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, json_scan_here(scan),
                              "expected the rest of a byte order mark");
    scan->rest.len = 0;
    return json_scan_add_cut(scan);
}

bool json_python_is_infinity(const struct json_scan *scan, char byte)
{
    return scan->limits.python && byte == 'I' && scan->token_len == 1 && scan->token[0] == '-';
}

bool json_python_is_word(struct json_scan *scan)
{
    if (!scan->limits.python || !(json_step_is(scan, "NaN") || json_step_is(scan, "Infinity") ||
                                  json_step_is(scan, "-Infinity")))
        return false;
    if (scan->skipping || scan->cut) /* no byte of the word was kept */
        return true;
    scan->rest.len -= scan->token_len; /* removes the word's bytes, kept as they came */
    buffer_add_text(&scan->rest, "\"");
    buffer_add(&scan->rest, scan->token, scan->token_len);
    buffer_add_text(&scan->rest, "\"");
    if (scan->rest.failed)
        json_scan_fail_memory(scan);
    else
        (void)json_scan_add_cut(scan);
    return true;
}

/* Returns whether the name that ends here is this one. */
static bool is_name(const struct json_scan *scan, const char *name)
{
    const size_t len = scan->rest.len - scan->text_first;

    return strlen(name) == len && memcmp(name, scan->rest.bytes + scan->text_first, len) == 0;
}

/* Notes a member of .within, whose name ends here. Returns whether the name stands in a value
 * whose members may be skipped. */
static bool is_within(struct json_scan *scan)
{
    if (!scan->limits.within)
        return true;
    if (scan->within_depth > 0 && scan->depth > scan->within_depth)
        return true;
    scan->within_depth = is_name(scan, scan->limits.within) ? scan->depth : 0;
    return false;
}

void json_python_end_name(struct json_scan *scan)
{
    const char *const *name = scan->limits.skipped;

    if (scan->skipping || !name || !is_within(scan))
        return;
    for (; *name && !scan->skip_next; name++)
        scan->skip_next = is_name(scan, *name);
}

bool json_python_begin_skip(struct json_scan *scan)
{
    scan->skip_next = false;
    scan->skipping = true;
    scan->skip_depth = scan->depth;
    buffer_add_text(&scan->rest, "null");
    return !scan->rest.failed || json_scan_fail_memory(scan);
}

bool json_python_end_skip(struct json_scan *scan)
{
    if (scan->depth != scan->skip_depth)
        return true;
    scan->skipping = false;
    return json_scan_add_cut(scan);
}
