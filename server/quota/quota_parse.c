/* SPDX-License-Identifier: Apache-2.0
 * quota_parse.c - see quota.h. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "proto/http/endpoint.h"
#include "proto/text/buffer.h"
#include "server/config/config_value.h"
#include "server/quota/quota.h"

enum { VALUE_MAX = 1024, ALL_ROWS = QUOTA_ROW_KEY | QUOTA_ROW_CERTIFICATE | QUOTA_ROW_ADDRESS };
_Static_assert(ENDPOINT_COUNT <= 64, "a set of endpoints is a uint64_t");

enum word {
#define QUOTA_WORD(ID, WORD, ROWS, FORM) WORD_##ID,
#define QUOTA_NUMBER(ID, WORD, FIELD, KIND, LOW, HIGH, OF) WORD_##ID,
#include "server/quota/quota_words.def"
    WORDS
};

static const struct word_row {
    const char *name;
    unsigned rows;           /* that may have the word, enum quota_row */
    const char *form;        /* what the value must be; of a number, what it is of */
    struct config_row value; /* of a number */
} rows[WORDS] = {
#define QUOTA_WORD(ID, WORD, ROWS, FORM) [WORD_##ID] = {WORD, (ROWS), FORM, {.name = NULL}},
#define QUOTA_NUMBER(ID, WORD, FIELD, KIND, LOW, HIGH, OF)                                     \
    [WORD_##ID] = {WORD,                                                                       \
                   ALL_ROWS,                                                                   \
                   OF,                                                                         \
                   {.name = WORD,                                                              \
                    .kind = KIND,                                                              \
                    .low = (LOW),                                                              \
                    .high = (HIGH),                                                            \
                    .offset = offsetof(struct quota_line, quota.FIELD)}},
#include "server/quota/quota_words.def"
};

const char *quota_limit_name(enum quota_limit limit)
{
    static const enum word words[QUOTA_LIMITS] = {
#define QUOTA_NUMBER(ID, WORD, FIELD, KIND, LOW, HIGH, OF) [QUOTA_##ID] = WORD_##ID,
#include "server/quota/quota_words.def"
        [QUOTA_ENDPOINTS] = WORD_ENDPOINTS};

    return rows[words[limit]].name;
}

bool quota_equal(const struct quota *a, const struct quota *b)
{
    return a->requests == b->requests && a->bytes == b->bytes && a->inflight == b->inflight &&
           a->work_ms == b->work_ms && a->endpoints == b->endpoints;
}

/* ---- values ---------------------------------------------------------------------------- */

static bool read_name(char out[QUOTA_NAME_MAX + 1], const char *value)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";
    const size_t len = strlen(value);

    if (len == 0 || len > QUOTA_NAME_MAX || strspn(value, allowed) != len)
        return false;
    memcpy(out, value, len + 1);
    return true;
}

static bool read_subject(char out[QUOTA_SUBJECT_MAX + 1], const char *value)
{
    const size_t len = strlen(value);

    for (size_t i = 0; i < len; i++)
        if ((unsigned char)value[i] <= ' ' || value[i] == '\x7f')
            return false;
    if (len == 0 || len > QUOTA_SUBJECT_MAX)
        return false;
    memcpy(out, value, len + 1);
    return true;
}

/* Reads so many digits and the character behind them. */
static bool read_digits(const char **at, int digits, char behind, int *number)
{
    *number = 0;
    for (; digits > 0; digits--, ++*at) {
        if (**at < '0' || **at > '9')
            return false;
        *number = *number * 10 + (**at - '0');
    }
    if (**at != behind)
        return false;
    *at += behind != '\0';
    return true;
}

/* A day ends with its last second. A time that no calendar has, such as 31 April, is none. */
static bool read_time(int64_t *seconds, const char *value)
{
    const bool is_day = !strchr(value, 'T');
    struct tm day = {.tm_hour = 23, .tm_min = 59, .tm_sec = 59}, same;
    time_t time;

    if (!read_digits(&value, 4, '-', &day.tm_year) ||
        !read_digits(&value, 2, '-', &day.tm_mon) ||
        !read_digits(&value, 2, is_day ? '\0' : 'T', &day.tm_mday))
        return false;
    if (!is_day && (!read_digits(&value, 2, ':', &day.tm_hour) ||
                    !read_digits(&value, 2, ':', &day.tm_min) ||
                    !read_digits(&value, 2, 'Z', &day.tm_sec) || *value != '\0'))
        return false;
    day.tm_year -= 1900;
    day.tm_mon -= 1;
    same = day;
    time = timegm(&same);
    *seconds = (int64_t)time;
    return time > 0 && same.tm_mon == day.tm_mon && same.tm_mday == day.tm_mday &&
           same.tm_hour == day.tm_hour && same.tm_min == day.tm_min &&
           same.tm_sec == day.tm_sec;
}

static bool read_endpoints(uint64_t *set, const char *value)
{
    *set = 0;
    for (size_t len; (len = strcspn(value, ",")) > 0; value += len + 1) {
        size_t i = 0;

        while (i < ENDPOINT_COUNT && (strlen(endpoint_at(i)->path) != len ||
                                      memcmp(endpoint_at(i)->path, value, len) != 0))
            i++;
        if (i == ENDPOINT_COUNT)
            return false;
        *set |= UINT64_C(1) << i;
        if (value[len] == '\0')
            return true;
    }
    return false;
}

static bool read_number(struct quota_line *line, const struct config_row *row,
                        const char *value)
{
    char unused[200];

    return config_value_parse(row, (char *)line + row->offset, value, unused, sizeof unused);
}

/* ---- a line ------------------------------------------------------------------------------ */

/* The row of a number with the greatest value that this service could reach. */
static struct config_row bounded(enum word word, const struct quota_bounds *bounds)
{
    struct config_row row = rows[word].value;

    if (row.high == 0)
        row.high = word == WORD_WORK ? bounds->work_ms : bounds->inflight;
    return row;
}

static bool read_value(struct quota_line *line, enum word word,
                       const struct quota_bounds *bounds, const char *value)
{
    struct config_row row;

    switch (word) {
    case WORD_NAME:
        return read_name(line->name, value);
    case WORD_SUBJECT:
        return read_subject(line->subject, value);
    case WORD_EXPIRES:
        return read_time(&line->expires, value);
    case WORD_ENDPOINTS:
        return read_endpoints(&line->quota.endpoints, value);
    default:
        row = bounded(word, bounds);
        return read_number(line, &row, value);
    }
}

static void say_wrong_value(enum word word, const struct quota_bounds *bounds, char *why,
                            size_t size)
{
    struct buffer low = {0}, high = {0};
    struct config_row row;

    if (!rows[word].value.name) {
        snprintf(why, size, "%s= must be %s", rows[word].name, rows[word].form);
        return;
    }
    row = bounded(word, bounds);
    config_value_print(&row, &row.low, &low);
    config_value_print(&row, &row.high, &high);
    snprintf(why, size, "%s= must be %s..%s: %s", rows[word].name, low.bytes ? low.bytes : "",
             high.bytes ? high.bytes : "", rows[word].form);
    buffer_fini(&low);
    buffer_fini(&high);
}

static bool is_allowed(enum word word, enum quota_row row, const struct quota_bounds *bounds)
{
    return (rows[word].rows & (unsigned)row) != 0 && (bounds || word == WORD_NAME);
}

/* What parts a word of a list from the next, where so many follow. */
static const char *joint(size_t following)
{
    return following == 0 ? "" : following == 1 ? " and " : ", ";
}

static void say_words(enum quota_row row, const struct quota_bounds *bounds, char *why,
                      size_t size)
{
    static const char *const first[] = {[QUOTA_ROW_KEY] = "a key",
                                        [QUOTA_ROW_CERTIFICATE] = "certificate",
                                        [QUOTA_ROW_ADDRESS] = "address"};
    struct buffer list = {0};
    size_t left = 0;

    for (int i = 0; i < WORDS; i++)
        left += is_allowed((enum word)i, row, bounds);
    for (int i = 0; i < WORDS; i++)
        if (is_allowed((enum word)i, row, bounds))
            buffer_add_format(&list, "%s=%s", rows[i].name, joint(--left));
    snprintf(why, size, "behind %s may be %s, each once and with a value", first[row],
             list.bytes ? list.bytes : "");
    buffer_fini(&list);
}

/* Finds the word that the text begins with, and its value; WORDS: there is none. */
static enum word find(const char *text, const char **value)
{
    for (int i = 0; i < WORDS; i++) {
        const size_t len = strlen(rows[i].name);

        if (strncmp(text, rows[i].name, len) == 0 && text[len] == '=') {
            *value = text + len + 1;
            return (enum word)i;
        }
    }
    return WORDS;
}

bool quota_parse(struct quota_line *line, enum quota_row row, const struct quota_bounds *bounds,
                 const char *words, size_t len, char *why, size_t size)
{
    bool seen[WORDS] = {false};
    const char *const end = words + len;

    *line = (struct quota_line){.expires = 0};
    for (const char *at = words, *next; at < end; at = next) {
        char text[VALUE_MAX];
        const char *value;
        enum word word;

        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        for (next = at; next < end && *next != ' ' && *next != '\t';)
            next++;
        if (next == at)
            break;
        snprintf(text, sizeof text, "%.*s", (int)(next - at), at);
        word = find(text, &value);
        if (word == WORDS || seen[word] || !is_allowed(word, row, bounds)) {
            say_words(row, bounds, why, size);
            return false;
        }
        seen[word] = true;
        if ((size_t)(next - at) >= sizeof text || strlen(text) != (size_t)(next - at) ||
            !read_value(line, word, bounds, value)) {
            say_wrong_value(word, bounds, why, size);
            return false;
        }
    }
    if (row == QUOTA_ROW_CERTIFICATE && line->subject[0] == '\0') {
        snprintf(why, size, "behind certificate must be subject=NAME, %s",
                 rows[WORD_SUBJECT].form);
        return false;
    }
    return true;
}
