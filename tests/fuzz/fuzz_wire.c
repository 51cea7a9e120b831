/* SPDX-License-Identifier: Apache-2.0
 * fuzz_wire.c - any bytes on a connection: libmicrohttpd and the request check together must
 * not carry out a request that a strict reader of the same bytes does not find. The reader
 * below is written from RFC 9112 alone and shares nothing with the request check. Targets: the
 * functions of server/http/request_check.c server/http/chunks.c
 * server/http/chunk_extension.c server/http/head.c server/http/header_lines.c */
#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/mhd/mhd_probe.h"
#include "server/mhd/mhd_selftest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reader {
    const char *at, *end;
};

/* The request check cannot tell CR, LF and NUL apart: libmicrohttpd makes all of them NUL. */
static bool looks_like_ends(const struct reader *reader, const char *at, int count)
{
    for (int i = 0; i < count; i++)
        if (at + i >= reader->end || !memchr("\r\n", at[i], 3))
            return false;
    return true;
}

/* Takes a line without control characters but tab, ended by CR LF; sets *last when an empty
 * line follows, which is taken too. False if there is no line. The reader is as strict as the
 * request check can be: NUL LF counts as CR LF, and any four of these bytes as the end of a
 * head. Both readings end at one byte. */
static bool take_line(struct reader *reader, const char **line, size_t *len, bool *last)
{
    const char *at = reader->at;

    while (at < reader->end && ((unsigned char)*at >= 0x20 || *at == '\t') && *at != 0x7f)
        at++;
    *line = reader->at;
    *len = (size_t)(at - reader->at);
    *last = looks_like_ends(reader, at, 4);
    if (!*last && !(looks_like_ends(reader, at, 2) && at[0] != '\n' && at[1] == '\n'))
        return false;
    reader->at = at + (*last ? 4 : 2);
    return true;
}

static bool is_token(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!strchr(
                "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                text[i]) ||
            !text[i])
            return false;
    return len > 0;
}

static bool is_request_line(const char *line, size_t len)
{
    const char *first = memchr(line, ' ', len), *second;

    if (!first || !is_token(line, (size_t)(first - line)))
        return false;
    second = memchr(first + 1, ' ', len - (size_t)(first + 1 - line));
    return second && second > first + 1 && line + len - second == 9 &&
           (memcmp(second, " HTTP/1.1", 9) == 0 || memcmp(second, " HTTP/1.0", 9) == 0);
}

/* Reads from the lines of a head the length of the body, or UINT64_MAX for chunks. */
static bool take_fields(struct reader *reader, bool last, uint64_t *length)
{
    const char *line;
    size_t len;
    unsigned lengths = 0, encodings = 0;

    *length = 0;
    while (!last) {
        if (!take_line(reader, &line, &len, &last))
            return false;
        const char *colon = memchr(line, ':', len);
        if (!colon || !is_token(line, (size_t)(colon - line)))
            return false;
        size_t name = (size_t)(colon - line);
        if (name == 14 && strncasecmp(line, "content-length", name) == 0) {
            lengths++;
            for (const char *at = colon + 1; at < line + len; at++)
                if (*at >= '0' && *at <= '9' && *length < 1u << 20)
                    *length = *length * 10 + (uint64_t)(*at - '0');
                else if (*at != ' ' && *at != '\t')
                    return false;
        }
        if (name == 17 && strncasecmp(line, "transfer-encoding", name) == 0)
            encodings++;
    }
    if (lengths + encodings > 1)
        return false;
    if (encodings)
        *length = UINT64_MAX;
    return true;
}

/* Before a request libmicrohttpd skips lines that are empty, and takes one that starts with
 * NUL for empty: the handler never learns of it. */
static void skip_empty_lines(struct reader *reader)
{
    for (;;) {
        size_t left = (size_t)(reader->end - reader->at);
        const char *feed = left ? memchr(reader->at, '\n', left) : NULL;
        bool empty = feed && (feed == reader->at || *reader->at == '\0' ||
                              (*reader->at == '\r' && feed == reader->at + 1));

        if (!empty)
            return;
        reader->at = feed + 1;
    }
}

/* Takes a line of a chunked body, where CR and LF are unchanged. */
static bool take_exact_line(struct reader *reader, const char **line, size_t *len)
{
    const char *at = reader->at;

    while (at < reader->end && ((unsigned char)*at >= 0x20 || *at == '\t') && *at != 0x7f)
        at++;
    *line = reader->at;
    *len = (size_t)(at - reader->at);
    reader->at = at + 2;
    return reader->end - at >= 2 && at[0] == '\r' && at[1] == '\n';
}

static const char *behind_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static const char *behind_token(const char *at, const char *end)
{
    while (at < end && is_token(at, 1))
        at++;
    return at;
}

/* Returns the byte behind the quoted text that begins at `at`; NULL if its quotes do not close.
 */
static const char *behind_quotes(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : NULL;
}

/* chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] ) */
static bool is_extension(const char *at, const char *end)
{
    while (at < end) {
        const char *name, *value;

        at = behind_blanks(at, end);
        if (at == end || *at != ';')
            return false;
        name = behind_blanks(at + 1, end);
        at = behind_token(name, end);
        if (at == name)
            return false;
        value = behind_blanks(at, end);
        if (value == end || *value != '=')
            continue;
        value = behind_blanks(value + 1, end);
        at =
            value < end && *value == '"' ? behind_quotes(value, end) : behind_token(value, end);
        if (!at || at == value)
            return false;
    }
    return true;
}

static bool take_chunks(struct reader *reader)
{
    const char *line;
    size_t len, left, digits;

    do {
        left = 0;
        if (!take_exact_line(reader, &line, &len) || len == 0)
            return false;
        for (digits = 0; digits < len && line[digits] != ';'; digits++) {
            if (digits == 16 || !isxdigit((unsigned char)line[digits]))
                return false;
            left = left << 4 | (size_t)strtol((char[]){line[digits], 0}, NULL, 16);
        }
        if (digits == 0 || !is_extension(line + digits, line + len) ||
            (size_t)(reader->end - reader->at) < left)
            return false;
        reader->at += left;
    } while (left > 0 && take_exact_line(reader, &line, &len) && len == 0);
    if (left > 0)
        return false;
    while (take_exact_line(reader, &line, &len)) {
        const char *colon = memchr(line, ':', len);

        if (len == 0)
            return true;
        if (!colon || !is_token(line, (size_t)(colon - line)))
            return false;
    }
    return false;
}

/* Counts the requests that a strict reader finds; a request with chunks is the last. */
static unsigned count(const char *bytes, size_t size)
{
    struct reader reader = {bytes, bytes + size};
    unsigned requests = 0;
    const char *line;
    uint64_t length;
    size_t len;
    bool last;

    for (;;) {
        skip_empty_lines(&reader);
        if (!take_line(&reader, &line, &len, &last) || !is_request_line(line, len) ||
            !take_fields(&reader, last, &length))
            return requests;
        if (length == UINT64_MAX)
            return requests + take_chunks(&reader);
        if ((uint64_t)(reader.end - reader.at) < length)
            return requests;
        reader.at += length;
        requests++;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mhd_probe *probe; /* one for all inputs, as a server lives on */
    struct mhd_probe_verdict verdict;
    unsigned found;

    if (!probe) {
        struct mhd_selftest selftest;

        mhd_selftest_run(SHORTCUTS_ALL, &selftest);
        assert(!selftest.wrong[0]);
        probe = mhd_probe_new(selftest.shortcuts);
    }
    assert(probe);
    if (size > 100000)
        return 0;
    verdict = mhd_probe_ask(probe, (const char *)data, size);
    found = count((const char *)data, size);
    assert(verdict.executed <= found);
    assert(verdict.arguments == 0);
    return 0;
}
