/* SPDX-License-Identifier: Apache-2.0
 * bodies.c - lists malformed bodies, one for each sentence. */
#include "tests/proto/support/bodies.h"

#include "proto/text/buffer.h"

const struct bad_body bodies_malformed[] = {
    {"", "line 1, column 1: expected a JSON object, {\"name\": value, ...}; got nothing"},
    {" \n ", "line 2, column 2: expected a JSON object, {\"name\": value, ...}; got nothing"},
    {"[1]", "line 1, column 1: expected a JSON object, {\"name\": value, ...}; got ["},
    {"\xef\xbb\xbf{}",
     "line 1, column 1: expected a JSON object, {\"name\": value, ...}; got byte 0xef"},
    {"{", "line 1, column 2: the document ends before its last bracket is closed"},
    {"{\"a\":[1,2", "line 1, column 10: the document ends before its last bracket is closed"},
    {"{\"a\":\"x", "line 1, column 8: the document ends before its last bracket is closed"},
    {"{}\n {}", "line 2, column 2: expected nothing behind the object; got {"},
    {"{a:1}", "line 1, column 2: expected a name in double quotes; got a"},
    {"{\"a\":1,}",
     "line 1, column 8: expected a name behind the comma (the last member has none); got }"},
    {"{\"a\" 1}", "line 1, column 6: expected a colon behind the name; got 1"},
    {"{\"a\":}", "line 1, column 6: expected a value; got }"},
    {"{\"a\":'x'}", "line 1, column 6: expected a value; got '"},
    {"{\"a\":1 2}", "line 1, column 8: expected a comma or } behind the value; got 2"},
    {"{\"a\":[1 2]}", "line 1, column 9: expected a comma or ] behind the item; got 2"},
    {"{\"a\":[1}", "line 1, column 8: expected a comma or ] behind the item; got }"},
    {"{\"a\":[1,2,]}",
     "line 1, column 11: expected a value behind the comma (the last item has "
     "none); got ]"},
    {"{\"a\":[,1]}", "line 1, column 7: expected a value; got ,"},
    {"{\"a\":1-2}", "line 1, column 7: expected a comma or } behind the value; got -"},
    {"{\"a\":[1.5.2]}", "line 1, column 10: expected a comma or ] behind the item; got ."},
    {"{\"a\":01}", "line 1, column 7: a number must not start with a zero that other digits "
                   "follow: write 1, not 01"},
    {"{\"a\":[0,\n-01]}", "line 2, column 3: a number must not start with a zero that other "
                          "digits follow: write 1, not 01"},
    {"{\"a\":.5}", "line 1, column 6: a number starts with a digit or a minus sign"},
    {"{\"a\":+1}", "line 1, column 6: a number starts with a digit or a minus sign"},
    {"{\"a\":1.}", "line 1, column 8: a digit must follow the decimal point"},
    {"{\"a\":1e}", "line 1, column 8: a digit must follow the letter e of an exponent"},
    {"{\"a\":-}", "line 1, column 7: a digit must follow the minus sign"},
    {"{\"a\":-Infinity}",
     "line 1, column 6: JSON has no Infinity and no NaN: numbers are finite"},
    {"{\"a\":[1,-NaN]}",
     "line 1, column 9: JSON has no Infinity and no NaN: numbers are finite"},
    {"{\"a\":NaN}",
     "line 1, column 6: JSON has no word NaN: expected true, false, null, text in "
     "double quotes or a finite number"},
    {"{\"a\":[1,Infinity]}",
     "line 1, column 9: JSON has no word Infinity: expected true, false, "
     "null, text in double quotes or a finite number"},
    {"{\"a\":tru}",
     "line 1, column 6: JSON has no word tru: expected true, false, null, text in "
     "double quotes or a finite number"},
    {"{\"a\":abcdefghijklmnopqrstuvwxyz}",
     "line 1, column 6: JSON has no word abcdefghijklmnop: expected true, false, null, text in "
     "double quotes or a finite number"},
    {"{\"a\":1e400}", "line 1, column 6: the number is larger than any 64-bit float"},
    {"{\"a\":[1,-1e400]}", "line 1, column 9: the number is larger than any 64-bit float"},
    {"{\"a\":[[1,2],[3]]}", "line 1, column 15: this row is shorter than the rows before it"},
    {"{\"a\":[[1],[2,3]]}", "line 1, column 15: this row is longer than the rows before it"},
    {"{\"a\":[1,[2]]}",
     "line 1, column 9: an array stands where the rows before have a number"},
    {"{\"a\":[[1],2]}",
     "line 1, column 11: a number stands where the rows before have an array"},
    {"{\"a\":[[[[[[[1]]]]]]]}", "line 1, column 12: arrays of numbers nest at most 6 deep"},
    {"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":"
     "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}}}}}}}}}}}}}",
     "line 1, column 81: arrays and objects nest at most 16 deep"},
    {"{\"a\":\"x\ny\"}",
     "line 1, column 8: expected text without control bytes (write \\n, \\t, "
     "\\u0001); got byte 0x0a"},
    {"{\"a\":\"\\x\"}",
     "line 1, column 8: expected one of \" \\ / b f n r t u behind the backslash; got x"},
    {"{\"a\":\"\\u12g4\"}",
     "line 1, column 11: expected four hexadecimal digits behind \\u; got g"},
    {"{\"a\":1,\n \"a\":2}", "line 2, column 2: a name stands twice in an object"},
    {"{\"a\":\"\\u0000\"}", "line 1, column 12: names and texts do not hold \\u0000"},
    {"{\"a\\u0000\":1}", "line 1, column 9: names and texts do not hold \\u0000"},
    {"{\"a\":\"\\ud800\"}",
     "line 1, column 13: \\u escapes of surrogates come in pairs: \\ud83d\\ude00"},
    {"{\"a\":\"\\ud800\\n\"}",
     "line 1, column 14: \\u escapes of surrogates come in pairs: \\ud83d\\ude00"},
    {"{\"a\":\"\\uD800\\uD800\"}",
     "line 1, column 18: \\u escapes of surrogates come in pairs: \\ud83d\\ude00"},
    {"{\"a\":\"\\uDFFF\"}",
     "line 1, column 12: \\u escapes of surrogates come in pairs: \\ud83d\\ude00"},
    {"{\"a\":1,\"\\\"\\\\\":1,\n\"\\\"\\\\\":2}",
     "line 2, column 1: a name stands twice in an object"},
    {"{\"a\":\"\xff\"}", "line 1, column 7: text must be UTF-8"},
    {"{\"a\":\"\xed\xa0\x80\"}", "line 1, column 7: text must be UTF-8"},
    {"{\"\xc3\xa9\xc3\xa9\":x}", "line 1, column 7: JSON has no word x: expected true, false, "
                                 "null, text in double quotes or a finite number"},
};

const size_t bodies_malformed_count = sizeof(bodies_malformed) / sizeof(*bodies_malformed);

const struct bad_body bodies_late[] = {
    {",x]}",
     "line 1, column 297: JSON has no word x: expected true, false, null, text in double "
     "quotes or a finite number"},
    {",\"x\"]}", "line 1, column 297: an array of more than 64 numbers holds nothing else"},
    {",null]}", "line 1, column 297: an array of more than 64 numbers holds nothing else"},
    {",{}]}", "line 1, column 297: an array of more than 64 numbers holds nothing else"},
    {",[]]}", "line 1, column 297: an array stands where the rows before have a number"},
    {",01]}",
     "line 1, column 298: a number must not start with a zero that other digits follow: "
     "write 1, not 01"},
    {",]}",
     "line 1, column 297: expected a value behind the comma (the last item has none); got "
     "]"},
    {",\n1,\n2,\n\n3,NaN]}",
     "line 5, column 3: JSON has no word NaN: expected true, false, null, "
     "text in double quotes or a finite number"},
    {",1-2,3]}", "line 1, column 298: expected a comma or ] behind the item; got -"},
    {"\n,1\n,2 3]}", "line 3, column 4: expected a comma or ] behind the item; got 3"},
    {"],\"a\":1}", "line 1, column 298: a name stands twice in an object"},
    {"],\n\"b\":\"\xff\"}", "line 2, column 6: text must be UTF-8"},
    {",1-2", "line 1, column 298: expected a comma or ] behind the item; got -"},
    {"", "line 1, column 296: the document ends before its last bracket is closed"},
};

const size_t bodies_late_count = sizeof(bodies_late) / sizeof(*bodies_late);

char *bodies_count_up(const char *before, size_t count, const char *behind)
{
    struct buffer text = {0};
    size_t len = 0;

    buffer_add_text(&text, before);
    for (size_t i = 0; i < count; i++)
        buffer_add_format(&text, "%s%zu", i > 0 ? "," : "", i);
    buffer_add_text(&text, behind);
    return buffer_take(&text, &len);
}
