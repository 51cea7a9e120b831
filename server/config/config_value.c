/* SPDX-License-Identifier: Apache-2.0
 * config_value.c - see config_value.h. */
#include "server/config/config_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/config/address.h"
#include "server/http/head.h"

struct unit {
    const char *name;
    uint64_t factor;
};

/* Of two names for one factor the later one is printed. */
static const struct unit byte_units[] = {
    {"B", 1},
    {"", 1},
    {"Ki", 1024},
    {"Mi", 1ull << 20},
    {"Gi", 1ull << 30},
    {"Ti", 1ull << 40},
    {"KiB", 1024},
    {"MiB", 1ull << 20},
    {"GiB", 1ull << 30},
    {"TiB", 1ull << 40},
    {NULL, 0},
};
static const struct unit element_units[] = {
    {"", 1},   {"Ki", 1024}, {"Mi", 1ull << 20}, {"Gi", 1ull << 30}, {"Ti", 1ull << 40},
    {NULL, 0},
};
static const struct unit time_units[] = {
    {"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {NULL, 0},
};
static const struct unit no_units[] = {{"", 1}, {NULL, 0}};

/* The units of each kind of number, and the words for it in an error. */
static const struct number_form {
    const struct unit *units;
    const char *expected;
} forms[] = {
    [KIND_COUNT] = {no_units, "a whole number"},
    [KIND_AUTO] = {no_units, "auto or a whole number"},
    [KIND_BYTES] = {byte_units, "bytes, such as 65536, 64KiB, 256MiB or 1GiB"},
    [KIND_ELEMENTS] = {element_units, "a count, such as 4096, 16Mi or 1Gi"},
    [KIND_TIME] = {time_units, "seconds, or a time such as 500ms, 10s or 2m"},
};

static bool parse_number(const struct unit *units, const char *text, uint64_t *number)
{
    uint64_t value = 0;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
            return false;
    if (at == text)
        return false;
    for (const struct unit *unit = units; unit->name; unit++)
        if (strcmp(unit->name, at) == 0)
            return !__builtin_mul_overflow(value, unit->factor, number);
    return false;
}

/* Prints the number in the largest unit that divides it. */
static void print_number(const struct unit *units, uint64_t number, struct buffer *out)
{
    const struct unit *best = NULL;

    for (const struct unit *unit = units; unit->name; unit++)
        if (number != 0 && number % unit->factor == 0 &&
            (!best || unit->factor >= best->factor))
            best = unit;
    if (best)
        buffer_add_format(out, "%" PRIu64 "%s", number / best->factor, best->name);
    else
        buffer_add_text(out, "0");
}

static bool set_number(const struct config_row *row, uint64_t *field, const char *text,
                       char *why, size_t why_size)
{
    const struct number_form *form = &forms[row->kind];
    struct buffer low = {0}, high = {0};
    uint64_t number;

    if (row->kind == KIND_AUTO && strcmp(text, "auto") == 0) {
        *field = 0;
        return true;
    }
    if (!parse_number(form->units, text, &number)) {
        snprintf(why, why_size, "must be %s; got \"%.40s\"", form->expected, text);
        return false;
    }
    if (number >= row->low && number <= row->high) {
        *field = number;
        return true;
    }
    print_number(form->units, row->low, &low);
    print_number(form->units, row->high, &high);
    snprintf(why, why_size, "must be %s..%s; got \"%.40s\"", low.bytes ? low.bytes : "",
             high.bytes ? high.bytes : "", text);
    buffer_fini(&low);
    buffer_fini(&high);
    return false;
}

/* The number of the choice with this name; -1: there is none. */
static int find_choice(const struct config_row *row, const char *name, size_t len)
{
    int index = 0;

    for (const char *at = row->choices; at; index++) {
        size_t here = strcspn(at, "|");

        if (here == len && memcmp(at, name, len) == 0)
            return index;
        at = at[here] ? at + here + 1 : NULL;
    }
    return -1;
}

static bool set_choice(const struct config_row *row, int *field, const char *text, char *why,
                       size_t why_size)
{
    int index = find_choice(row, text, strlen(text));

    if (index >= 0) {
        *field = index;
        return true;
    }
    snprintf(why, why_size, "must be one of %s; got \"%.40s\"", row->choices, text);
    return false;
}

static bool set_fields(const struct config_row *row, uint64_t *field, const char *text,
                       char *why, size_t why_size)
{
    uint64_t chosen = 0;

    for (const char *at = text; at;) {
        size_t len = strcspn(at, ",");
        int index = find_choice(row, at, len);

        if (index < 0) {
            snprintf(why, why_size, "must be a list of %s, parted by commas; got \"%.*s\"",
                     row->choices, (int)(len < 40 ? len : 40), at);
            return false;
        }
        chosen |= UINT64_C(1) << index;
        at = at[len] ? at + len + 1 : NULL;
    }
    *field = chosen;
    return true;
}

static void print_fields(const struct config_row *row, uint64_t chosen, struct buffer *out)
{
    const char *comma = "";

    for (const char *at = row->choices; at; chosen >>= 1) {
        size_t len = strcspn(at, "|");

        if (chosen & 1) {
            buffer_add_text(out, comma);
            buffer_add(out, at, len);
            comma = ",";
        }
        at = at[len] ? at + len + 1 : NULL;
    }
}

/* ---- items of lists ------------------------------------------------------------------ */

static bool check_address(const char *text, char *why, size_t why_size)
{
    struct address address;

    return address_parse(&address, text, why, why_size);
}

/* A name or an address without escapes and wildcards. */
static bool is_host(const char *text, size_t len)
{
    return head_host_valid(text, len) && head_host_name_len(text, len) == len &&
           !memchr(text, '%', len) && !memchr(text, '*', len);
}

static bool check_host(const char *text, char *why, size_t why_size)
{
    if (is_host(text, strlen(text)))
        return true;
    snprintf(
        why, why_size,
        "must be a name or an address, such as posenc.example, 10.0.0.1 or [::1], without a "
        "port; got \"%.60s\"",
        text);
    return false;
}

/* ":8443" or nothing; not the default port of the scheme, which browsers omit. */
static bool is_port(const char *text, bool http, bool https)
{
    size_t digits = strspn(text + (*text == ':'), "0123456789");

    if (!*text)
        return true;
    return *text == ':' && digits > 0 && digits <= 5 && text[1 + digits] == '\0' &&
           text[1] != '0' && strtoul(text + 1, NULL, 10) <= 65535 &&
           !(http && strcmp(text, ":80") == 0) && !(https && strcmp(text, ":443") == 0);
}

/* SCHEME://HOST or SCHEME://HOST:PORT, spelt as browsers do (RFC 6454, 6.2). */
static bool is_origin(const char *text)
{
    const size_t scheme = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789+-.");

    if (scheme == 0 || strncmp(text + scheme, "://", 3) != 0 ||
        strpbrk(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        return false;
    const char *host = text + scheme + strlen("://");
    const size_t len = head_host_name_len(host, strlen(host));
    return is_host(host, len) &&
           is_port(host + len, strncmp(text, "http:", 5) == 0, strncmp(text, "https:", 6) == 0);
}

/* An origin in another spelling would never match. */
static bool check_origin(const char *text, char *why, size_t why_size)
{
    if (strcmp(text, "*") == 0 || is_origin(text))
        return true;
    snprintf(why, why_size,
             "must be SCHEME://HOST or SCHEME://HOST:PORT as browsers send it, in lower case, "
             "without a path or the scheme's own port, or *; got \"%.60s\"",
             text);
    return false;
}

static bool (*const item_checks[])(const char *text, char *why, size_t why_size) = {
    [KIND_ADDRESSES] = check_address,
    [KIND_HOSTS] = check_host,
    [KIND_ORIGINS] = check_origin,
};

static bool add_item(const struct config_row *row, struct config_list *list, const char *text,
                     char *why, size_t why_size)
{
    size_t len = strlen(text);

    if (len == 0)
        return true;
    if (len < CONFIG_ITEM_SIZE && !item_checks[row->kind](text, why, why_size))
        return false;
    if (list->count == CONFIG_LIST_MAX || len >= CONFIG_ITEM_SIZE) {
        snprintf(why, why_size, "may be given %d times, with at most %d bytes each",
                 CONFIG_LIST_MAX, CONFIG_ITEM_SIZE - 1);
        return false;
    }
    memcpy(list->item[list->count++], text, len + 1);
    return true;
}

static bool set_url(const char **field, const char *text, char *why, size_t why_size)
{
    const bool web = strncmp(text, "http:", 5) == 0 || strncmp(text, "https:", 6) == 0;

    if (*text == '\0' || (web && is_origin(text))) {
        *field = *text ? text : NULL;
        return true;
    }
    snprintf(
        why, why_size,
        "must be http://HOST or https://HOST, with :PORT unless it is the scheme's own, in "
        "lower case and without a path; got \"%.60s\"",
        text);
    return false;
}

bool config_value_parse(const struct config_row *row, void *field, const char *text, char *why,
                        size_t why_size)
{
    if (config_value_is_list(row))
        return add_item(row, field, text, why, why_size);
    if (row->kind == KIND_CHOICE || row->kind == KIND_SWITCH)
        return set_choice(row, field, text, why, why_size);
    if (row->kind == KIND_FIELDS)
        return set_fields(row, field, text, why, why_size);
    if (row->kind == KIND_URL)
        return set_url(field, text, why, why_size);
    if (row->kind != KIND_FILE)
        return set_number(row, field, text, why, why_size);
    *(const char **)field = *text ? text : NULL;
    return true;
}

void config_value_print(const struct config_row *row, const void *field, struct buffer *out)
{
    if (config_value_is_list(row)) {
        const struct config_list *list = field;

        for (size_t i = 0; i < list->count; i++)
            buffer_add_format(out, "%s%s", i ? " " : "", list->item[i]);
    } else if (row->kind == KIND_CHOICE || row->kind == KIND_SWITCH) {
        const char *at = row->choices;

        for (int i = *(const int *)field; i > 0; i--)
            at += strcspn(at, "|") + 1;
        buffer_add(out, at, strcspn(at, "|"));
    } else if (row->kind == KIND_FIELDS) {
        print_fields(row, *(const uint64_t *)field, out);
    } else if (row->kind == KIND_FILE || row->kind == KIND_URL) {
        const char *path = *(const char *const *)field;

        buffer_add_text(out, path ? path : "");
    } else {
        uint64_t number = *(const uint64_t *)field;

        if (row->kind == KIND_AUTO && number == 0)
            buffer_add_text(out, "auto");
        else
            print_number(forms[row->kind].units, number, out);
    }
}
