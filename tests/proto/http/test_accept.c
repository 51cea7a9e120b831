/* SPDX-License-Identifier: Apache-2.0
 * test_accept.c - tests which format an Accept header chooses. */
#include <string.h>

#include "proto/http/accept.h"
#include "proto/http/format.h"
#include "tests/support/suite.h"

static const struct {
    const char *accept, *format; /* NULL: no format fits */
} cases[] = {
    {NULL, "json"},
    {"", "json"},
    {"  \t", "json"},
    {"*/*", "json"},
    {"application/*", "json"},
    {"text/*", "csv"},
    {"application/json", "json"},
    {"APPLICATION/JSON", "json"},
    {"application/json; charset=utf-8", "json"},
    {"application/json;q=0.001", "json"},
    {"application/x-npy", "npy"},
    {"application/npy", "npy"},
    {"application/x-safetensors", "safetensors"},
    {"application/safetensors", "safetensors"},
    {"application/vnd.safetensors", "safetensors"},
    {"application/octet-stream", "raw"},
    {"text/csv", "csv"},
    {"text/csv;header=present", "csv"},
    /* The header gives weights. */
    {"application/json;q=0.5, application/x-npy", "npy"},
    {"application/json;q=0.5,application/x-npy;q=0.4", "json"},
    {"application/x-npy;q=0.5, */*;q=0.1", "npy"},
    {"application/x-npy;q=0.1, */*;q=0.5", "json"},
    {"text/csv, */*", "csv"}, /* the more specific range wins */
    {"*/*, text/csv", "csv"},
    {"application/*, text/csv", "csv"},
    {"text/csv, application/x-npy", "npy"}, /* equal: formats.def's order */
    {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "json"},
    {"application/json;q=0, */*", "npy"},
    {"*/*;q=0, text/csv", "csv"},
    {"text/csv;Q=0.3, application/json;q=0.2", "csv"},
    {"text/csv;header=present;q=0.3, application/json;q=0.4", "json"},
    {"text/csv;title=\"a,b;c\";q=0.9, application/json;q=0.4", "csv"},
    {"text/csv;title=\"a\\\",b\", application/json;q=0.4", "csv"},
    /* Unreadable ranges are ignored. */
    {"application/json;q=2, text/csv;q=0.1", "csv"},
    {"application/json;q=1.001, text/csv;q=0.1", "csv"},
    {"application/json;q=0.1234, text/csv;q=0.1", "csv"},
    {"application/json;q=, text/csv;q=0.1", "csv"},
    {"application/json;q=a, text/csv;q=0.1", "csv"},
    {"application/json;q=10, text/csv;q=0.1", "csv"},
    {"gzip, text/csv", "csv"},
    {",,text/csv,,", "csv"},
    {"application/json;q=1.000", "json"},
    {"application/json;q=1.", "json"},
    /* No format fits. */
    {"image/png", NULL},
    {"text/html", NULL},
    {"application/problem+json", NULL},
    {"application/jsonp", NULL},
    {"application/jso", NULL},
    {"json", NULL},
    {"application/json;q=0", NULL},
    {"*/*;q=0", NULL},
    {"application/*;q=0.0, text/*;q=0.000", NULL},
    {"application", NULL},
    {"*", NULL},
    {"\"", NULL},
};

START_TEST(the_best_format_is_chosen)
{
    const char *accept = cases[_i].accept;
    const struct format *format = accept_choose(accept, !accept ? 0 : strlen(accept));

    if (!cases[_i].format) {
        ck_assert_msg(!format, "%s chose %s", accept, format->name);
    } else {
        ck_assert_msg(format != NULL, "%s: nothing", accept);
        ck_assert_str_eq(format->name, cases[_i].format);
    }
}
END_TEST

START_TEST(every_format_is_chosen_by_each_of_its_media_types)
{
    for (size_t i = 0; i < format_count(); i++) {
        const struct format *format = format_at(i);

        for (const char *const *type = format->accepts; *type; type++)
            ck_assert_ptr_eq(accept_choose(*type, strlen(*type)), format);
        ck_assert_ptr_eq(accept_choose(format->media_type, strlen(format->media_type)), format);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(the_best_format_is_chosen, cases),
    TEST(every_format_is_chosen_by_each_of_its_media_types),
};

const struct suite accept_suite = {SUITE_TESTS(tests)};
