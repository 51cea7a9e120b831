/* SPDX-License-Identifier: Apache-2.0
 * head.c - the target and the Host of a request: which bytes and forms they may have. */
#include "server/http/head.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* letters, digits and !#$%&'*+-.^_`|~ */
const struct head_set head_token_set = {{0x03ff6cfa00000000, 0x57ffffffc7fffffe}};
/* 0x21..0x7e without "#<>\^`{|} and % */
const struct head_set head_target_set = {{0xafffffd200000000, 0x47fffffeafffffff}};
/* letters, digits and -._~!$&'()*+,;=% */
const struct head_set head_host_set = {{0x2bff7ff200000000, 0x47fffffe87fffffe}};

void head_clear(struct head *head)
{
    for (size_t i = 0; i < sizeof head->joined / sizeof *head->joined; i++)
        free(head->joined[i]);
    free(head->copy);
    /* The buffer at the end stays as it is: it is long, and read only if there is a target. */
    memset(head, 0, offsetof(struct head, short_target));
}

void head_refuse(struct head *head, unsigned status, const char *why)
{
    if (head->refused)
        return;
    head->refused = status;
    head->refused_why = why;
}

/* ---- the target ------------------------------------------------------------------------ */

static const char scheme[] = "http://";
enum { SCHEME_LEN = sizeof scheme - 1 };

/* A sentence on what is wrong with the bytes of a target; NULL if nothing is. */
static const char *bytes_wrong(const char *at)
{
    bool in_query = false;

    for (; *at; at++) {
        if (*at == '%') {
            int high = head_hex_value(at[1]), low = high < 0 ? -1 : head_hex_value(at[2]);
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

/* A copy with a byte to spare for the slash that "http://host?x" lacks; NULL: out of memory. */
static char *copy_target(struct head *head, const char *raw, size_t len)
{
    char *copy = head->short_target;

    if (len + 2 > sizeof head->short_target)
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

static unsigned hex_value(char digit)
{
    const unsigned number = (unsigned char)(digit - '0'),
                   letter = (unsigned char)((digit | 0x20) - 'a');

    return number < 10 ? number : letter < 6 ? letter + 10 : 16;
}

/* Keeps the start of the path of a target that is refused, since the path decides the form of
 * the refusal. Escapes are decoded where they are right. */
static void refuse_target(struct head *head, const char *raw, unsigned status, const char *why)
{
    size_t len = 0;

    if (strncasecmp(raw, scheme, SCHEME_LEN) == 0)
        raw += SCHEME_LEN + strcspn(raw + SCHEME_LEN, "/?");
    for (; *raw && *raw != '?' && len < sizeof head->short_target; raw++) {
        const bool escaped = raw[0] == '%' && hex_value(raw[1]) < 16 && hex_value(raw[2]) < 16;

        head->short_target[len++] =
            escaped ? (char)(hex_value(raw[1]) << 4 | hex_value(raw[2])) : *raw;
        raw += escaped ? 2 : 0;
    }
    head->refused_path = len;
    head_refuse(head, status, why);
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
        refuse_target(head, raw, 414,
                      "the target must be at most 8192 bytes; send long requests by POST");
        return;
    }
    wrong = bytes_wrong(raw);
    if (wrong) {
        refuse_target(head, raw, 400, wrong);
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

char *head_decode_path(const char *raw, size_t raw_len, size_t *len)
{
    char *path = malloc(raw_len + 1), *end = path;

    if (!path)
        return NULL;
    for (size_t i = 0; i < raw_len; i++)
        if (raw[i] == '%' && i + 2 < raw_len) {
            *end++ = (char)(head_hex_value(raw[i + 1]) << 4 | head_hex_value(raw[i + 2]));
            i += 2;
        } else {
            *end++ = raw[i];
        }
    *end = '\0';
    *len = (size_t)(end - path);
    return path;
}

/* ---- Host ------------------------------------------------------------------------------ */

static bool is_literal_byte(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') || c == ':' ||
           c == '.';
}

bool head_host_valid(const char *host, size_t len)
{
    bool literal = len > 0 && host[0] == '[';
    size_t start = literal ? 1 : 0, i = start, digits = 0;

    while (i < len && (literal ? is_literal_byte(host[i])
                               : head_set_has(&head_host_set, (unsigned char)host[i])))
        i++;
    if (i == start)
        return false;
    if (literal && (i == len || host[i++] != ']'))
        return false;
    if (i == len)
        return true;
    if (host[i++] != ':')
        return false;
    for (; i < len && host[i] >= '0' && host[i] <= '9'; i++)
        digits++;
    return i == len && digits <= 5;
}

size_t head_host_name_len(const char *host, size_t len)
{
    size_t end = len;

    while (end > 0 && host[end - 1] >= '0' && host[end - 1] <= '9')
        end--;
    return end > 0 && host[end - 1] == ':' ? end - 1 : len;
}
