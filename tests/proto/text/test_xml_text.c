/* SPDX-License-Identifier: Apache-2.0
 * test_xml_text.c - text is escaped as XML wants it. */
#include <string.h>

#include "proto/text/xml_text.h"
#include "tests/support/suite.h"

START_TEST(marks_are_escaped_and_bytes_that_xml_has_not_are_spaces)
{
    static const char text[] = "a < b && \"c\" 'd' > \xce\x94\n\t\033[1m"
                               "\xef\xbf\xbf|\xef\xbf\xbe|\xef\xbf\xbd|\xff|\xc3";
    struct buffer out = {0};

    xml_text_add(&out, text, strlen(text));
    ck_assert_str_eq(out.bytes,
                     "a &lt; b &amp;&amp; &quot;c&quot; &#39;d&#39; &gt; \xce\x94\n  [1m"
                     " | |\xef\xbf\xbd| | ");
    buffer_fini(&out);
}
END_TEST

SUITE(xml_text, TEST(marks_are_escaped_and_bytes_that_xml_has_not_are_spaces));
