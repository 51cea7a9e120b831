/* SPDX-License-Identifier: Apache-2.0
 * test_prose.c - tests which words of a sentence become links. */
#include <string.h>

#include "proto/pages/prose.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *text, *html;
} cases[] = {
    {"alibi", "slopes (non_pow2).",
     "slopes (<a href=\"#p-non_pow2\"><code>non_pow2</code></a>)."},
    {"rope", "rope/apply turns.",
     "<a href=\"/pe/docs/rope/apply\"><code>rope/apply</code></a> turns."},
    {"alibi", "causal heads of rope", "causal heads of rope"},
    {"causal-mask", "A causal-mask, a < b", "A causal-mask, a &lt; b"},
    {"rope", "rope_theta, non_pow2",
     "<a href=\"#p-base\"><code>rope_theta</code></a>, non_pow2"},
    {"rope", "1e-7 of the angle", "1e-7 of the angle"},
};

START_TEST(names_become_links_and_words_do_not)
{
    struct buffer out = {0};

    prose_add(&out, "/pe", pe_find(cases[_i].encoding, strlen(cases[_i].encoding)),
              cases[_i].text);
    ck_assert_str_eq(out.bytes, cases[_i].html);
    buffer_fini(&out);
}
END_TEST

SUITE(prose, TEST_EACH(names_become_links_and_words_do_not, cases));
