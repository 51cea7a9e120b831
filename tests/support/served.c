/* SPDX-License-Identifier: Apache-2.0
 * served.c - see served.h. */
#include "tests/support/served.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/http_client.h"

static unsigned refused;

void served_refuse_shortcuts(unsigned shortcuts)
{
    refused = shortcuts;
}

struct service *served_try(void (*adjust)(struct config *config), struct log *log,
                           struct service_error *error)
{
    struct config_error wrong = {{0}};
    struct config config;

    config_defaults(&config);
    config.listen = (struct config_list){.item = {[0] = "127.0.0.1:0"}, .count = 1};
    config.threads = 2;
    config.shortcuts_refused = refused;
    config.cgroup_root = NULL;      /* whatever the machine of the test allows */
    config.work_timeout_ms = 60000; /* however slow it is */
    if (adjust)
        adjust(&config);
    ck_assert_msg(config_check(&config, &wrong) == CONFIG_OK, "%s", wrong.text);
    *error = (struct service_error){0};
    return service_start(&config, log, error);
}

struct service *served_start(void (*adjust)(struct config *config))
{
    struct service_error error;
    struct service *service = served_try(adjust, NULL, &error);

    ck_assert_msg(service != NULL, "%s", error.text);
    return service;
}

void served_stop(struct service *service)
{
    service_stop(service);
}

unsigned served_port(const struct service *service)
{
    return service_port(service, 0);
}

double served_metric(const struct service *service, const char *sample)
{
    struct http_client *client = http_client_new(served_port(service));
    struct http_answer answer = {0};
    size_t len = strlen(sample);
    double sum = 0;

    http_client_get(client, &answer, "/metrics");
    ck_assert_int_eq(answer.status, 200);
    for (const char *line = answer.body; *line; line += strcspn(line, "\n") + 1) {
        const char *value = line + len;

        if (strncmp(line, sample, len) != 0)
            continue;
        if (*value == '{')
            value += strcspn(value, "}\n") + 1;
        if (*value == ' ')
            sum += strtod(value, NULL);
    }
    http_answer_fini(&answer);
    http_client_free(client);
    return sum;
}

bool served_metric_becomes(const struct service *service, const char *sample, double value)
{
    enum { PATIENCE_S = 20 };
    const time_t end = time(NULL) + PATIENCE_S;

    do {
        if (served_metric(service, sample) == value)
            return true;
    } while (time(NULL) < end);
    return false;
}
