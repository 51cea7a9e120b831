/* SPDX-License-Identifier: Apache-2.0
 * head_target.c - the request target, raw: which bytes it may have, which forms, and what
 * an escape may hide. Nothing is decoded here. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/http/head.h"

static const char scheme[] = "http://";
enum { SCHEME_LEN = sizeof scheme - 1 };

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* What is wrong with the bytes of a target, NULL if nothing. */
static const char *bytes_wrong(const char *at)
{
    bool in_query = false;

    for (; *at; at++) {
        if (*at == '%') {
            int high = hex_value(at[1]), low = high < 0 ? -1 : hex_value(at[2]);
            int value = high * 16 + low;

            if (low < 0)
                return "a % in the target must be followed by two hexadecimal digits";
            if (value < 0x20 || value == 0x7f)
                return "the target must not hold encoded control characters";
            if (value == '/' && !in_query)
                return "the path must not hold an encoded slash";
            at += 2;
        } else if (!head_set_has(&head_target_set, (unsigned char)*at)) {
            return "the target holds a byte that must be percent-encoded";
        }
        in_query |= *at == '?';
    }
    return NULL;
}

/* The copy, with room for the slash that "http://host?x" lacks; NULL: out of memory. */
static char *copy_target(struct head *head, const char *raw, size_t len)
{
    char *copy = head->room;

    if (len + 2 > sizeof head->room)
        copy = head->copy = malloc(len + 2);
    if (copy)
        memcpy(copy, raw, len + 1);
    return copy;
}

/* Splits "http://host/path?query" into its authority and the origin-form. */
static char *take_authority(struct head *head, char *copy, size_t *len)
{
    char *authority = copy + SCHEME_LEN, *path = authority + strcspn(authority, "/?");

    head->authority = authority;
    head->authority_len = (size_t)(path - authority);
    *len = strlen(path);
    if (*path != '/') {
        memmove(path + 1, path, *len + 1);
        *path = '/';
        ++*len;
    }
    return path;
}

void head_target_read(struct head *head, const char *raw)
{
    size_t len;
    char *copy;
    const char *wrong;

    head->target = "/";
    head->target_len = head->path_len = 1;
    if (!raw || !*raw) {
        head_refuse(head, 400, "the request line must be METHOD TARGET HTTP/1.1");
        return;
    }
    len = strlen(raw);
    head->raw = raw;
    head->raw_end = raw + len + 1;
    if (len > HEAD_TARGET_MAX) {
        head_refuse(head, 414,
                    "the target must be at most 8192 bytes; send long requests by POST");
        return;
    }
    wrong = bytes_wrong(raw);
    if (wrong) {
        head_refuse(head, 400, wrong);
        return;
    }
    copy = copy_target(head, raw, len);
    if (!copy) {
        head_refuse(head, 503, "out of memory");
        return;
    }
    if (strncasecmp(copy, scheme, SCHEME_LEN) == 0)
        copy = take_authority(head, copy, &len);
    else if (*copy != '/' && strcmp(copy, "*") != 0)
        head_refuse(head, 400, "the target must be a path that starts with /");
    head->target = copy;
    head->target_len = len;
    head->path_len = strcspn(copy, "?");
}
