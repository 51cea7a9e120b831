/* SPDX-License-Identifier: Apache-2.0
 * scenario.c - see scenario.h. */
#include "tests/server/support/scenario.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/inflight.h"
#include "server/net/overload.h"
#include "tests/server/support/scenario_steps.h"
#include "tests/server/support/scenario_values.h"
#include "tests/support/gunzip.h"
#include "tests/support/http_ask.h"
#include "tests/support/http_row.h"
#include "tests/support/visit.h"

enum { MOST_FLAGS = 24 };

struct scenario {
    const struct row *rows;
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

    wanted_flags = given ? scenario->rows->text : "";
    visit_begin(&scenario->visit, set_flags);
}

static bool restart(struct scenario *scenario, const struct row *row)
{
    visit_end(&scenario->visit);
    begin(scenario);
    return true;
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
    visit_reconnect(&scenario->visit);
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

static bool ask(struct scenario *scenario, const struct row *row)
{
    struct visit *visit = &scenario->visit;
    struct http_ask parts;
    const char *why = http_ask_parse(&parts, row->text);
    struct buffer headers = {0};

    to_admin(scenario, row);
    buffer_add_text(&headers, "");
    for (size_t i = 0; i < parts.header_count; i++)
        buffer_add_format(&headers, "%s\r\n", parts.headers[i]);
    if (!why)
        http_client_ask(visit->client, &visit->answer,
                        parts.ask.method ? parts.ask.method : "GET", parts.ask.target,
                        headers.bytes, parts.ask.body);
    buffer_fini(&headers);
    free(parts.words);
    return !why || fails(scenario, row, "%s", why);
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
    struct scenario_value *value;

    if (!name)
        return fails(scenario, row, "a copy has a name");
    value = scenario_values_get(&scenario->values, name + 1, strlen(name + 1));
    free(value->copy.bytes);
    value->copy = variant_copy_identity(scenario->visit.client, row->text);
    return true;
}

static bool gzip_of(struct scenario *scenario, const struct row *row)
{
    variant_expect_compressed(
        &scenario->visit.answer,
        &scenario_values_get(&scenario->values, row->text, strlen(row->text))->copy);
    return true;
}

static bool bytes_are(struct scenario *scenario, const struct row *row)
{
    const struct http_answer *answer = &scenario->visit.answer;
    const struct variant_copy *plain =
        &scenario_values_get(&scenario->values, row->text, strlen(row->text))->copy;
    bool inflate = strncmp(row->claim, "gunzip", 6) == 0, holds;
    size_t len = answer->len;
    char *bytes = inflate ? gunzip(answer->body, len, &len) : answer->body;

    if (strcmp(row->claim, "gunzip has") == 0)
        holds = strstr(bytes, row->text);
    else
        holds = plain->bytes && len == plain->len && memcmp(bytes, plain->bytes, len) == 0;
    if (!holds)
        fails(scenario, row, "the %zu bytes are %.300s", len, bytes);
    if (inflate)
        free(bytes);
    return holds;
}

static bool answer_holds(const struct scenario *scenario, const struct row *row)
{
    const struct http_answer *last = &scenario->visit.answer;
    struct answer answer = {.status = last->status,
                            .body = last->body,
                            .len = last->len,
                            .head = last->head};

    if (!last->whole)
        return fails(scenario, row, "the answer has no end");
    return http_row_answer_holds(NULL, row, &answer, scenario->why, scenario->size);
}

/* ---- steps --------------------------------------------------------------------------- */

/* A claim begins with one of these words; other claims are about the last answer. */
static const struct {
    const char *word;
    bool (*holds)(struct scenario *scenario, const struct row *row);
} kinds[] = {
    {"ask", ask},
    {"send", send_bytes},
    {"connect", reconnect},
    {"restart", restart},
    {"reload", reload},
    {"release", release},
    {"reserve", reserve},
    {"overload", reserve},
    {"metric", metric_becomes},
    {"keep", keep},
    {"connection", connection_is},
    {"copy", copy},
    {"gzip", gzip_of},
    {"gunzip", bytes_are},
    {"same", bytes_are},
};

static bool step_holds(void *cls, const struct row *row)
{
    struct scenario *scenario = cls;
    size_t len = strcspn(row->claim, " "), i = 0;

    while (i < sizeof kinds / sizeof *kinds &&
           (strlen(kinds[i].word) != len || strncmp(kinds[i].word, row->claim, len) != 0))
        i++;
    return i < sizeof kinds / sizeof *kinds ? kinds[i].holds(scenario, row)
                                            : answer_holds(scenario, row);
}

size_t scenario_rows(const struct row *first, const struct row *end)
{
    const struct row *row = first + 1;

    while (row < end && row->input && first->input && row->file == first->file &&
           strcmp(row->input, first->input) == 0)
        row++;
    return (size_t)(row - first);
}

bool scenario_holds(const struct row *rows, size_t count, char *why, size_t size)
{
    struct scenario scenario = {.rows = rows, .why = why, .size = size};
    struct scenario_steps steps = {rows, &scenario.values, step_holds, &scenario, why, size};
    bool holds;

    if (row_fault(rows)) {
        snprintf(why, size, "%s:%d: %s", rows->file, rows->line, row_fault(rows));
        return false;
    }
    begin(&scenario);
    holds = scenario_steps_hold(&steps, strcmp(rows->claim, "flags") == 0, count);
    if (scenario.reserved > 0)
        release(&scenario, rows);
    visit_end(&scenario.visit);
    scenario_values_fini(&scenario.values);
    return holds;
}
