/* SPDX-License-Identifier: Apache-2.0
 * test_encoding_page.c - tests the page of each encoding. */
#include <stdio.h>
#include <string.h>

#include "proto/pages/encoding_page.h"
#include "tests/proto/support/html_check.h"
#include "tests/support/suite.h"

static const struct page_frame frame = {
    .title = "", .base = "/pe", .origin = "", .folder = "/", .kind = ""};

static struct buffer page_of(const char *name)
{
    struct buffer out = {0};

    encoding_page_write(&out, &frame, pe_find(name, strlen(name)));
    ck_assert(!out.failed);
    return out;
}

START_TEST(every_page_is_well_formed_and_tells_all)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    struct buffer page = page_of(pe_name(enc));
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);
    char id[80];

    for (size_t i = 0; i < count; i++) {
        snprintf(id, sizeof id, "<tr id=\"p-%s\">", param[i].name);
        ck_assert_msg(strstr(page.bytes, id), "%s: %s", pe_name(enc), id);
    }
    const struct pe_output *output = pe_outputs(enc, &count);
    for (size_t i = 0; i < count; i++) {
        snprintf(id, sizeof id, "<tr id=\"o-%s\">", output[i].name);
        ck_assert_msg(strstr(page.bytes, id), "%s: %s", pe_name(enc), id);
    }
    html_check(&page, pe_name(enc));
}
END_TEST

START_TEST(every_link_of_the_contents_has_its_section)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    struct buffer page = page_of(pe_name(enc));
    const char *at = strstr(page.bytes, "<nav class=\"toc\""), *end = strstr(at, "</nav>");
    size_t links = 0;
    char id[80];

    for (; (at = strstr(at, "href=\"#")) && at < end; at++, links++) {
        snprintf(id, sizeof id, " id=\"%.*s\"", (int)strcspn(at + 7, "\""), at + 7);
        ck_assert_msg(strstr(page.bytes, id), "%s: %s", pe_name(enc), id);
    }
    ck_assert_uint_ge(links, 8);
    buffer_fini(&page);
}
END_TEST

static const struct {
    const char *encoding, *part;
} parts[] = {
    {"rope", "<h1>Rotary position embedding (RoPE)</h1>"},
    {"rope", "<dt><code>half</code></dt>"},
    {"rope", "curl -s &#39;localhost:8080/pe/v1/rope?pos=0:4&amp;dim=8&#39;"},
    {"rope", "On vectors: <a href=\"/pe/docs/rope/apply\">"},
    {"rope/apply", "As a table: <a href=\"/pe/docs/rope\">"},
    {"rope/apply", "/pe/docs/api#bodies-of-tensors"},
    {"alibi", "<h2 id=\"libraries\">Where libraries disagree</h2>"},
    {"alibi", "<li><a href=\"#libraries\">Where libraries disagree</a> ("},
    {"rope", "<a href=\"#g-positions\">positions</a>, "},
    {"alibi", "heads × q × k"},
    {"rope", "(only with scaling=dynamic or "},
    {"causal-mask", "(only with q_len and k_len and no q_offset)"},
};

START_TEST(a_page_has_what_a_reader_looks_for)
{
    struct buffer page = page_of(parts[_i].encoding);

    ck_assert_msg(strstr(page.bytes, parts[_i].part), "%s", parts[_i].part);
    buffer_fini(&page);
}
END_TEST

static void write_one(struct buffer *out)
{
    encoding_page_write(out, &frame, pe_find("sinusoidal", 10));
}

START_TEST(a_page_without_memory_fails_as_a_whole)
{
    html_check_memory(write_one);
}
END_TEST

SUITE(encoding_page, TEST_COUNTED(every_link_of_the_contents_has_its_section, pe_count),
      TEST_COUNTED(every_page_is_well_formed_and_tells_all, pe_count),
      TEST_EACH(a_page_has_what_a_reader_looks_for, parts),
      TEST(a_page_without_memory_fails_as_a_whole));
