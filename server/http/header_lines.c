/* SPDX-License-Identifier: Apache-2.0
 * header_lines.c - reads the header lines strictly. libmicrohttpd 0.9.75 accepts folds, blanks
 * before the colon, NULs and bare line feeds, and each of them can make two readers see
 * different requests (RFC 9112, 11.2). It leaves the head in its buffer with every CR, LF and
 * first colon of a line replaced by NUL; any other pattern of NULs is one of those cases. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/http/head.h"

enum rule {
    COUNTED, /* request_check.c decides by the number of occurrences */
    EXACT,   /* COUNTED, and blanks at its end stay, since libmicrohttpd does not ignore them */
    LISTED,  /* a list: repeated values are joined */
    ONCE,    /* a repeated field is refused */
    TYPE,    /* a repeated field is noted: where nobody looks at it, it is no error */
    HINT,    /* a repeated field counts as absent: it is not worth a refusal */
};

struct field {
    const char *name;
    enum rule rule;
    size_t value; /* offset of the value in struct head, or in struct head_framing */
    size_t extra; /* COUNTED, EXACT: offset of the count; LISTED: index into head->joined */
};

#define HEAD(FIELD) offsetof(struct head, FIELD)
#define FRAMING(VALUE, COUNT)                                                                  \
    offsetof(struct head_framing, VALUE), offsetof(struct head_framing, COUNT)

/* The known fields by the length of their names, so that few names are compared. */
enum { LONGEST_NAME = 31, SAME_LENGTH = 3 };
static const struct field fields[LONGEST_NAME + 1][SAME_LENGTH] = {
    [4] = {{"host", COUNTED, FRAMING(host, hosts)}},
    [5] = {{"range", HINT, HEAD(range), 0}},
    [6] = {{"accept", LISTED, HEAD(accept), 0},
           {"expect", COUNTED, FRAMING(expectation, expectations)},
           {"origin", HINT, HEAD(origin), 0}},
    [8] = {{"if-range", HINT, HEAD(if_range), 0}},
    [11] = {{"traceparent", HINT, HEAD(traceparent), 0}},
    [12] = {{"content-type", TYPE, HEAD(content_type), 0},
            {"x-request-id", HINT, HEAD(request_id), 0}},
    [13] = {{"if-none-match", LISTED, HEAD(if_none_match), 1},
            {"authorization", ONCE, HEAD(authorization), 0}},
    [14] = {{"content-length", EXACT, FRAMING(length, lengths)}},
    [15] = {{"accept-encoding", LISTED, HEAD(accept_encoding), 2}},
    [16] = {{"content-encoding", ONCE, HEAD(content_encoding), 0}},
    [17] = {{"transfer-encoding", EXACT, FRAMING(encoding, encodings)}},
    [31] = {{"inference-header-content-length", HINT, HEAD(inference_length), 0}},
};

/* "a" and "b" become "a, b", in memory that the head owns. */
static void join(struct head *head, const char **value, char **joined, const char *more)
{
    size_t len = strlen(*value), more_len = strlen(more);
    char *list = malloc(len + 2 + more_len + 1);

    if (!list) {
        head_refuse(head, 503, "out of memory");
        return;
    }
    memcpy(list, *value, len);
    memcpy(list + len, ", ", 2);
    memcpy(list + len + 2, more, more_len + 1);
    free(*joined);
    *value = *joined = list;
}

static void note(struct head *head, struct head_framing *framing, const struct field *field,
                 const char *value)
{
    const char **place = (const char **)((char *)head + field->value);
    bool repeated;

    if (field->rule == COUNTED || field->rule == EXACT) {
        *(const char **)((char *)framing + field->value) = value;
        ++*(unsigned *)((char *)framing + field->extra);
        return;
    }
    repeated = *place != NULL;
    if (!repeated)
        *place = value;
    else if (field->rule == LISTED)
        join(head, place, &head->joined[field->extra], value);
    else if (field->rule == HINT)
        *place = "";
    else if (field->rule == TYPE)
        head->type_repeated = true;
    else
        head_refuse(head, 400, HEAD_ONCE);
}

/* Stores the value, without the blanks around it, if the name is known. */
static void note_line(struct head *head, struct head_framing *framing, const char *name,
                      size_t name_len, char *value, char *end)
{
    if (name_len > LONGEST_NAME)
        return;
    for (size_t i = 0; i < SAME_LENGTH && fields[name_len][i].name; i++) {
        if (strcasecmp(fields[name_len][i].name, name) != 0)
            continue;
        while (*value == ' ' || *value == '\t')
            value++;
        while (fields[name_len][i].rule != EXACT && end > value &&
               (end[-1] == ' ' || end[-1] == '\t'))
            *--end = '\0';
        note(head, framing, &fields[name_len][i], value);
    }
}

static const char broken_line[] = "a header line must be " HEAD_LINE_FORM;

bool header_lines_is_valid(const struct head_line *line)
{
    for (size_t i = 0; i < line->name_len; i++)
        if (!head_set_has(&head_token_set, (unsigned char)line->name[i]))
            return false;
    for (size_t i = 0; i < line->value_len; i++)
        if (!head_is_value_byte((unsigned char)line->value[i]))
            return false;
    return line->name_len > 0;
}

void header_lines_add(struct head *head, struct head_framing *framing,
                      const struct head_line *line)
{
    char *value = (char *)(intptr_t)line->value;

    if (!header_lines_is_valid(line))
        head_refuse(head, 400, broken_line);
    else
        note_line(head, framing, line->name, line->name_len, value, value + line->value_len);
}

void header_lines_read(struct head *head, struct head_framing *framing, char *lines,
                       size_t size, size_t count)
{
    char *at = lines, *end = lines + size;
    size_t seen = 0;

    while (end - at > 2 && (at[0] || at[1])) {
        char *name = at, *value, *value_end;

        while (at < end && head_set_has(&head_token_set, (unsigned char)*at))
            at++;
        if (at == name || at == end || *at)
            goto broken;
        value = ++at;
        while (at < end && head_is_value_byte((unsigned char)*at))
            at++;
        value_end = at;
        if (end - at < 2 || at[0] || at[1])
            goto broken;
        at += 2;
        note_line(head, framing, name, (size_t)(value - 1 - name), value, value_end);
        seen++;
    }
    if (end - at == 2 && !at[0] && !at[1] && seen == count)
        return;
broken:
    head_refuse(head, 400, broken_line);
}
