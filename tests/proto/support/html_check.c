/* SPDX-License-Identifier: Apache-2.0
 * html_check.c - see html_check.h. */
#include "tests/proto/support/html_check.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/alloc_fail.h"

enum { MAX_DEPTH = 32, NAME_SIZE = 16 };

static bool is_void(const char *name)
{
    static const char *const names[] = {"meta", "link", "img", "br", "wbr", "!doctype"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Each element ends inside the one in which it began. */
static void check_nesting(const char *html, const char *page)
{
    char open[MAX_DEPTH][NAME_SIZE], name[NAME_SIZE];
    size_t depth = 0;

    for (const char *at = html; (at = strchr(at, '<')); at++) {
        bool end = at[1] == '/';
        size_t len = strcspn(at + 1 + end, " >\n");

        ck_assert_msg(len > 0 && len < NAME_SIZE, "%s: %.40s", page, at);
        snprintf(name, sizeof name, "%.*s", (int)len, at + 1 + end);
        if (end) {
            ck_assert_msg(depth > 0 && strcmp(open[depth - 1], name) == 0, "%s: %.40s", page,
                          at);
            depth--;
        } else if (!is_void(name)) {
            ck_assert_uint_lt(depth, MAX_DEPTH);
            memcpy(open[depth++], name, sizeof name);
        }
    }
    ck_assert_uint_eq(depth, 0);
}

/* Returns how often the page has id="...", for a value that ends with a quote. */
static size_t count_id(const char *html, const char *value, size_t len)
{
    size_t count = 0;

    for (const char *at = html; (at = strstr(at, " id=\"")); at++)
        count += strncmp(at + 5, value, len) == 0 && at[5 + len] == '"';
    return count;
}

void html_check(struct buffer *page, const char *name)
{
    ck_assert(!page->failed && page->len > 0);
    check_nesting(page->bytes, name);
    for (const char *at = page->bytes; (at = strstr(at, " id=\"")); at++)
        ck_assert_msg(count_id(page->bytes, at + 5, strcspn(at + 5, "\"")) == 1, "%s: %.40s",
                      name, at);
    for (const char *at = page->bytes; (at = strstr(at, "href=\"#")); at++)
        ck_assert_msg(count_id(page->bytes, at + 7, strcspn(at + 7, "\"")) == 1, "%s: %.40s",
                      name, at);
    ck_assert_ptr_null(strstr(page->bytes, "(null)"));
    ck_assert_ptr_null(strstr(page->bytes, " style="));
    ck_assert_ptr_null(strstr(page->bytes, "<script>"));
    buffer_fini(page);
}

void html_check_memory(void (*write)(struct buffer *out))
{
    bool refused = true;

    for (size_t n = 0; refused; n++) {
        struct buffer out = {0};

        alloc_fail_start(n);
        write(&out);
        const bool failed = out.failed;
        buffer_fini(&out);
        refused = alloc_fail_stop();
        ck_assert(failed == refused);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
}
