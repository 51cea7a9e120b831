/* SPDX-License-Identifier: Apache-2.0
 * black_box.c - what the black-box suites share: a running posencd and how answers are read. */
#include "tests/support/black_box.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/child.h"

/* Fixtures take no argument: one suite has one posencd at a time. */
static struct child *child;
static struct web *web;

void black_box_start(void)
{
    child = child_start(NULL);
}

void black_box_stop(void)
{
    child_stop(child);
}

void black_box_open(void)
{
    web = web_new(child_url(child));
}

void black_box_close(void)
{
    web_free(web);
}

struct web *black_box_web(void)
{
    return web;
}

unsigned black_box_port(void)
{
    return (unsigned)strtoul(strrchr(child_url(child), ':') + 1, NULL, 10);
}

json_t *black_box_json(const struct answer *answer)
{
    json_error_t error;
    json_t *root = json_loadb(answer->body, answer->len, JSON_REJECT_DUPLICATES, &error);

    ck_assert_msg(root != NULL, "not JSON (%s): %.300s", error.text, answer->body);
    return root;
}

void black_box_expect(struct answer *answer, long status, const char *media_type)
{
    ck_assert_msg(answer->status == status, "status %ld, expected %ld: %.600s", answer->status,
                  status, answer->body);
    const char *type = answer_header(answer, "Content-Type");
    ck_assert_msg(type && strcmp(type, media_type) == 0, "Content-Type %s, expected %s",
                  type ? type : "missing", media_type);
}

json_t *black_box_problem(struct answer *answer, long status, const char *slug)
{
    char type[128];

    black_box_expect(answer, status, "application/problem+json");
    json_t *problem = black_box_json(answer);
    snprintf(type, sizeof type, "/problems/%s", slug);
    ck_assert_str_eq(json_string_value(json_object_get(problem, "type")), type);
    ck_assert_int_eq(json_integer_value(json_object_get(problem, "status")), status);
    ck_assert(json_is_string(json_object_get(problem, "title")));
    const char *detail = json_string_value(json_object_get(problem, "detail"));
    ck_assert_msg(detail && detail[0] != '\0', "no detail: %.600s", answer->body);
    ck_assert(json_is_string(json_object_get(problem, "request_id")));
    return problem;
}
