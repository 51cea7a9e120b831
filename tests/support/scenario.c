/* SPDX-License-Identifier: Apache-2.0
 * scenario.c - see scenario.h. */
#include "tests/support/scenario.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/inflight.h"
#include "server/net/overload.h"
#include "tests/support/answer_claim.h"
#include "tests/support/gunzip.h"
#include "tests/support/http_ask.h"
#include "tests/support/scenario_steps.h"
#include "tests/support/scenario_values.h"
#include "tests/support/variant.h"
#include "tests/support/visit.h"

enum { MOST_FLAGS = 24 };

struct scenario {
    const struct row *rows;
    unsigned port; /* of a server in another process; 0: it is visit.service */
    struct visit visit;
    struct scenario_values values;
    uint64_t reserved;
    char *why;
    size_t size;
};

static bool __attribute__((format(printf, 3, 4)))
fails(const struct scenario *scenario, const struct row *row, const char *format, ...)
{
    int len = snprintf(scenario->why, scenario->size, "%s:%d: %s: ", row->file, row->line,
                       row->claim);
    va_list list;

    va_start(list, format);
    if (len >= 0 && (size_t)len < scenario->size)
        vsnprintf(scenario->why + len, scenario->size - (size_t)len, format, list);
    va_end(list);
    return false;
}

/* ---- the service --------------------------------------------------------------------- */

static const char *wanted_flags;

/* The values of served.h, and the flags of the scenario. */
static void set_flags(struct config *config)
{
    static char words[1000];
    char *text = words, *flags[MOST_FLAGS] = {"--listen=127.0.0.1:0", "--cgroup-root="};
    struct config_error error = {""};
    uint64_t threads = config->threads, patience = config->work_timeout_ms;
    int count = 2;

    snprintf(words, sizeof words, "%s", wanted_flags);
    for (char *word; count < MOST_FLAGS && (word = http_ask_word(&text));)
        flags[count++] = word;
    ck_assert_msg(config_load(config, count, flags, NULL, &error) == CONFIG_OK, "%s",
                  error.text);
    if (config->source[CONFIG_THREADS] == CONFIG_DEFAULT)
        config->threads = threads;
    if (config->source[CONFIG_WORK_TIMEOUT] == CONFIG_DEFAULT)
        config->work_timeout_ms = patience;
}

static void begin(struct scenario *scenario)
{
    bool given = strcmp(scenario->rows->claim, "flags") == 0;

    if (scenario->port) {
        scenario->visit.client = http_client_new(scenario->port);
        return;
    }
    wanted_flags = given ? scenario->rows->text : "";
    visit_begin(&scenario->visit, set_flags);
}

static void end(struct scenario *scenario)
{
    if (scenario->port) {
        http_answer_fini(&scenario->visit.answer);
        http_client_free(scenario->visit.client);
    } else {
        visit_end(&scenario->visit);
    }
}

static bool restart(struct scenario *scenario, const struct row *row)
{
    end(scenario);
    begin(scenario);
    return true;
}

static bool flags_are_first(struct scenario *scenario, const struct row *row)
{
    return row->line == scenario->rows->line ||
           fails(scenario, row, "the server has its flags from the first step");
}

static bool reload(struct scenario *scenario, const struct row *row)
{
    service_reload(scenario->visit.service);
    return true;
}

static bool release(struct scenario *scenario, const struct row *row)
{
    inflight_release(scenario->visit.service, scenario->reserved);
    scenario->reserved = 0;
    overload_update(scenario->visit.service);
    return true;
}

static bool reserve(struct scenario *scenario, const struct row *row)
{
    struct service *service = scenario->visit.service;
    bool overload = strcmp(row->claim, "overload") == 0;
    uint64_t number = strtoull(row->text, NULL, 10), all = service->config.max_inflight;

    scenario->reserved = overload ? all / 100 * number : all - number;
    if (scenario->reserved > all || !inflight_reserve(service, scenario->reserved)) {
        scenario->reserved = 0;
        return fails(scenario, row, "%s cannot be reserved", row->text);
    }
    if (overload)
        overload_update(service);
    return true;
}

static bool metric_becomes(struct scenario *scenario, const struct row *row)
{
    const char *at_least = strstr(row->claim, " at least"), *name = strchr(row->claim, ' ');
    double expected = strtod(row->text, NULL);
    char *sample = strndup(name, at_least ? (size_t)(at_least - name) : strlen(name));
    bool holds = at_least
                     ? served_metric(scenario->visit.service, sample + 1) >= expected
                     : served_metric_becomes(scenario->visit.service, sample + 1, expected);

    if (!holds)
        fails(scenario, row, "it is %g", served_metric(scenario->visit.service, sample + 1));
    free(sample);
    return holds;
}

/* ---- requests ------------------------------------------------------------------------ */

static bool reconnect(struct scenario *scenario, const struct row *row)
{
    unsigned port = scenario->port;

    http_client_free(scenario->visit.client);
    scenario->visit.client =
        http_client_new(port ? port : served_port(scenario->visit.service));
    return true;
}

static bool connection_is(struct scenario *scenario, const struct row *row)
{
    struct visit *visit = &scenario->visit;

    if (strcmp(row->text, "closed") == 0)
        return http_client_closed(visit->client) ||
               fails(scenario, row, "bytes follow the answer");
    http_client_get(visit->client, &visit->answer, "/livez");
    return visit->answer.status == 200 ||
           fails(scenario, row, "the status is %d", visit->answer.status);
}

static void to_admin(struct scenario *scenario, const struct row *row)
{
    if (!strstr(row->claim, " admin"))
        return;
    http_client_free(scenario->visit.client);
    scenario->visit.client = http_client_new(service_port(scenario->visit.service, 1));
}

static bool send_bytes(struct scenario *scenario, const struct row *row)
{
    struct visit *visit = &scenario->visit;
    char *text = row->text, *bytes = http_ask_word(&text);

    to_admin(scenario, row);
    if (!bytes)
        return fails(scenario, row, "there is nothing to send");
    http_client_send(visit->client, bytes, strlen(bytes));
    http_client_read(visit->client, &visit->answer, strncmp(bytes, "HEAD ", 5) == 0, NULL,
                     NULL);
    return true;
}

/* Asks on the connection of the scenario. */
static bool receive(struct scenario *scenario, const struct row *row,
                    struct http_answer *answer)
{
    struct http_ask parts;
    const char *why = http_ask_parse(&parts, row->text);
    struct buffer headers = {0};

    buffer_add_text(&headers, "");
    for (size_t i = 0; i < parts.header_count; i++)
        buffer_add_format(&headers, "%s\r\n", parts.headers[i]);
    if (!why)
        http_client_ask(scenario->visit.client, answer, parts.method ? parts.method : "GET",
                        parts.target, headers.bytes, parts.body);
    buffer_fini(&headers);
    free(parts.words);
    return !why || fails(scenario, row, "%s", why);
}

static bool ask(struct scenario *scenario, const struct row *row)
{
    to_admin(scenario, row);
    return receive(scenario, row, &scenario->visit.answer);
}

/* ---- answers ------------------------------------------------------------------------- */

static bool keep(struct scenario *scenario, const struct row *row)
{
    const char *name = strchr(row->claim, ' ');
    const char *value = http_answer_header(&scenario->visit.answer, row->text);

    if (!name || !value)
        return fails(scenario, row, "the head is\n%s", scenario->visit.answer.head);
    scenario_values_set_text(&scenario->values, name + 1, strlen(name + 1), value,
                             strlen(value));
    return true;
}

static bool copy(struct scenario *scenario, const struct row *row)
{
    const char *name = strchr(row->claim, ' ');
    struct http_answer *copy;

    if (!name)
        return fails(scenario, row, "a copy has a name");
    copy = &scenario_values_get(&scenario->values, name + 1, strlen(name + 1))->copy;
    if (!receive(scenario, row, copy))
        return false;
    return (copy->status == 200 && copy->whole &&
            !http_answer_header(copy, "Content-Encoding")) ||
           fails(scenario, row, "the status is %d: %.600s", copy->status, copy->body);
}

static struct http_answer *find_copy(struct scenario *scenario, const struct row *row)
{
    struct scenario_value *value =
        scenario_values_find(&scenario->values, row->text, strlen(row->text));

    return value && value->copy.body ? &value->copy : NULL;
}

static bool gzip_of(struct scenario *scenario, const struct row *row)
{
    struct http_answer *copy = find_copy(scenario, row);
    struct variant_copy plain;

    if (!copy)
        return fails(scenario, row, "there is no copy %s", row->text);
    plain = (struct variant_copy){.bytes = copy->body, .len = copy->len};
    snprintf(plain.tag, sizeof plain.tag, "%s", http_answer_header(copy, "ETag"));
    variant_expect_compressed(&scenario->visit.answer, &plain);
    return true;
}

static bool inflated_is(struct scenario *scenario, const struct row *row)
{
    const struct http_answer *answer = &scenario->visit.answer,
                             *plain = find_copy(scenario, row);
    size_t len;
    char *bytes = gunzip(answer->body, answer->len, &len);
    bool holds = strcmp(row->claim, "gunzip has") == 0
                     ? strstr(bytes, row->text) != NULL
                     : plain && len == plain->len && memcmp(bytes, plain->body, len) == 0;

    if (!holds)
        fails(scenario, row, "the %zu bytes are %.300s", len, bytes);
    free(bytes);
    return holds;
}

static bool answer_holds(struct scenario *scenario, const struct row *row)
{
    struct http_answer *answer = &scenario->visit.answer;

    if (!answer->whole)
        return fails(scenario, row, "the answer has no end");
    return answer_claim_holds(row, answer, find_copy(scenario, row), scenario->why,
                              scenario->size);
}

/* ---- steps --------------------------------------------------------------------------- */

/* A claim begins with one of these words; other claims are about the last answer. */
static const struct {
    const char *word;
    bool (*holds)(struct scenario *scenario, const struct row *row);
    bool inside; /* it reaches into the process of the server */
} kinds[] = {
    {"ask", ask, false},
    {"send", send_bytes, false},
    {"connect", reconnect, false},
    {"flags", flags_are_first, true},
    {"restart", restart, true},
    {"reload", reload, true},
    {"release", release, true},
    {"reserve", reserve, true},
    {"overload", reserve, true},
    {"metric", metric_becomes, true},
    {"keep", keep, false},
    {"connection", connection_is, false},
    {"copy", copy, false},
    {"gzip", gzip_of, false},
    {"gunzip", inflated_is, false},
};

static bool step_holds(void *cls, const struct row *row)
{
    struct scenario *scenario = cls;
    size_t len = strcspn(row->claim, " "), i = 0;

    while (i < sizeof kinds / sizeof *kinds &&
           (strlen(kinds[i].word) != len || strncmp(kinds[i].word, row->claim, len) != 0))
        i++;
    if (i == sizeof kinds / sizeof *kinds)
        return answer_holds(scenario, row);
    if (scenario->port && (kinds[i].inside || strstr(row->claim, " admin")))
        return fails(scenario, row, "the server is another process");
    return kinds[i].holds(scenario, row);
}

size_t scenario_rows(const struct row *first, const struct row *end)
{
    const struct row *row = first + 1;

    while (row < end && row->input && first->input && row->file == first->file &&
           strcmp(row->input, first->input) == 0)
        row++;
    return (size_t)(row - first);
}

const struct row *scenario_find(const struct rows *rows, size_t number, size_t *count)
{
    const struct row *at = rows->at, *end = rows->at + rows->count;

    for (; number > 0 && at < end; number--)
        at += scenario_rows(at, end);
    *count = at < end ? scenario_rows(at, end) : 0;
    return at;
}

size_t scenario_count(const struct rows *rows)
{
    size_t scenarios = 0;

    for (size_t at = 0; at < rows->count; scenarios++)
        at += scenario_rows(rows->at + at, rows->at + rows->count);
    return scenarios;
}

bool scenario_holds(const struct row *rows, size_t count, unsigned port, char *why, size_t size)
{
    struct scenario scenario = {.rows = rows, .port = port, .why = why, .size = size};
    struct scenario_steps steps = {rows, &scenario.values, step_holds, &scenario, why, size};
    bool holds;

    if (row_fault(rows)) {
        snprintf(why, size, "%s:%d: %s", rows->file, rows->line, row_fault(rows));
        return false;
    }
    begin(&scenario);
    holds = scenario_steps_hold(&steps, count);
    if (scenario.reserved > 0)
        release(&scenario, rows);
    end(&scenario);
    scenario_values_fini(&scenario.values);
    return holds;
}
