/* SPDX-License-Identifier: Apache-2.0
 * json_grammar.c - checks one byte a step: each state of the grammar is a function in a table.
 * The numbers of long arrays are read many at once. */
#include "proto/text/json_grammar.h"

#include <assert.h>
#include <string.h>

#include "proto/text/json_array.h"
#include "proto/text/json_python.h"
#include "proto/text/json_step.h"

/* Returns whether the byte was consumed. If not, the next step reads it or the scan failed. */
typedef bool (*step_function)(struct json_scan *scan, char byte);

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

static bool is_letter(char byte)
{
    return (unsigned char)((byte | 0x20) - 'a') < 26;
}

static bool is_number_byte(char byte)
{
    return (unsigned char)(byte - '0') < 10 || byte == '-' || byte == '+' || byte == '.' ||
           (byte | 0x20) == 'e';
}

/* Fails with the bytes that were expected at a place, and the byte that came. */
static bool expected_at(struct json_scan *scan, struct json_place place, const char *what,
                        char byte)
{
    const unsigned code = (unsigned char)byte;
    const char *form =
        code > 32 && code < 127 ? "expected %s; got %c" : "expected %s; got byte 0x%02x";

    return json_scan_fail(scan, JSON_SCAN_MALFORMED, place, form, what, code);
}

/* Fails at the next byte, with the bytes that were expected there. */
static bool expected(struct json_scan *scan, const char *what, char byte)
{
    return expected_at(scan, json_scan_here(scan), what, byte);
}

/* Names the bytes that may follow a value, for an error. */
static const char *behind_value(const struct json_scan *scan)
{
    return scan->is_object[scan->depth - 1] ? "a comma or } behind the value"
                                            : "a comma or ] behind the item";
}

static bool push(struct json_scan *scan, bool is_object, enum json_step step)
{
    if (scan->depth == JSON_SCAN_DEPTH)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, json_scan_here(scan),
                              "arrays and objects nest at most %d deep", JSON_SCAN_DEPTH);
    if (is_object ? !json_array_abandon(scan) : !json_array_open(scan))
        return false;
    if (is_object && scan->depth > 0 && !scan->is_object[scan->depth - 1])
        scan->members[scan->depth - 1]++;
    scan->is_object[scan->depth] = is_object;
    scan->members[scan->depth] = 0;
    scan->depth++;
    return json_step_go(scan, step);
}

static bool pop(struct json_scan *scan)
{
    scan->depth--;
    if (!scan->is_object[scan->depth] && !json_array_close(scan))
        return false;
    return json_step_go(scan, scan->depth == 0 ? STEP_DONE : STEP_AFTER);
}

static bool open_string(struct json_scan *scan, bool in_name)
{
    scan->in_name = in_name;
    scan->text_first = scan->rest.len + 1;
    if (in_name)
        scan->members[scan->depth - 1]++;
    else if (!json_array_abandon(scan))
        return false;
    return json_step_go(scan, STEP_STRING);
}

static bool open_token(struct json_scan *scan, enum json_step step)
{
    scan->token_len = 0;
    json_step_go(scan, step);
    return false;
}

static bool step_start(struct json_scan *scan, char byte)
{
    if (is_space(byte) || json_python_is_mark(scan, byte))
        return true;
    if (byte == '{')
        return json_python_end_mark(scan) && push(scan, true, STEP_FIRST_NAME);
    return expected(scan, "a JSON object, {\"name\": value, ...}", byte);
}

static bool step_value(struct json_scan *scan, char byte)
{
    if (is_space(byte))
        return true;
    if (scan->skip_next && !json_python_begin_skip(scan))
        return false;
    scan->token_place = json_scan_here(scan);
    if (byte == '{')
        return push(scan, true, STEP_FIRST_NAME);
    if (byte == '[')
        return push(scan, false, STEP_FIRST_ITEM);
    if (byte == '"')
        return open_string(scan, false);
    if (is_letter(byte))
        return open_token(scan, STEP_WORD);
    if (is_number_byte(byte))
        return open_token(scan, STEP_NUMBER);
    if (byte == ']' && !scan->is_object[scan->depth - 1])
        return expected(scan, "a value behind the comma (the last item has none)", byte);
    return expected(scan, "a value", byte);
}

static bool step_first_item(struct json_scan *scan, char byte)
{
    if (byte == ']')
        return pop(scan);
    return step_value(scan, byte);
}

static bool step_name(struct json_scan *scan, char byte)
{
    if (is_space(byte))
        return true;
    if (byte == '"')
        return open_string(scan, true);
    return expected(scan,
                    byte == '}' ? "a name behind the comma (the last member has none)"
                                : "a name in double quotes",
                    byte);
}

static bool step_first_name(struct json_scan *scan, char byte)
{
    if (byte == '}')
        return pop(scan);
    return step_name(scan, byte);
}

static bool step_colon(struct json_scan *scan, char byte)
{
    if (is_space(byte))
        return true;
    if (byte == ':')
        return json_step_go(scan, STEP_VALUE);
    return expected(scan, "a colon behind the name", byte);
}

static bool step_after(struct json_scan *scan, char byte)
{
    const bool in_object = scan->is_object[scan->depth - 1];

    if (scan->skipping && !json_python_end_skip(scan))
        return false;
    if (is_space(byte))
        return true;
    if (byte == ',')
        return json_step_go(scan, in_object ? STEP_NAME : STEP_VALUE);
    if (byte == (in_object ? '}' : ']'))
        return pop(scan);
    return expected(scan, behind_value(scan), byte);
}

static bool fail_half(struct json_scan *scan)
{
    return json_scan_fail(scan, JSON_SCAN_MALFORMED, json_scan_here(scan),
                          "\\u escapes of surrogates come in pairs: \\ud83d\\ude00");
}

static bool step_string(struct json_scan *scan, char byte)
{
    if (scan->half && byte != '\\')
        return fail_half(scan);
    if (byte == '"') {
        if (scan->in_name)
            json_python_end_name(scan);
        return json_step_go(scan, scan->in_name ? STEP_COLON : STEP_AFTER);
    }
    if (byte == '\\')
        return json_step_go(scan, STEP_ESCAPE);
    if ((unsigned char)byte < 32)
        return expected(scan, "text without control bytes (write \\n, \\t, \\u0001)", byte);
    return true;
}

static bool step_escape(struct json_scan *scan, char byte)
{
    scan->hex_left = 4;
    scan->code = 0;
    if (byte == 'u')
        return json_step_go(scan, STEP_HEX);
    if (scan->half)
        return fail_half(scan);
    if (byte != '\0' && strchr("\"\\/bfnrt", byte))
        return json_step_go(scan, STEP_STRING);
    return expected(scan, "one of \" \\ / b f n r t u behind the backslash", byte);
}

/* Ends a \u escape, whose last digit is the next byte. */
static bool end_escape(struct json_scan *scan)
{
    const unsigned plane = scan->code >> 10; /* 0xd800 and 0xdc00 begin the surrogates */

    if (scan->half != (plane == 0xdc00 >> 10))
        return fail_half(scan);
    if (scan->code == 0)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, json_scan_here(scan),
                              "names and texts do not hold \\u0000");
    scan->half = plane == 0xd800 >> 10;
    return json_step_go(scan, STEP_STRING);
}

static bool step_hex(struct json_scan *scan, char byte)
{
    const unsigned digit = (unsigned char)(byte - '0'),
                   letter = (unsigned char)((byte | 0x20) - 'a');

    if (digit >= 10 && letter >= 6)
        return expected(scan, "four hexadecimal digits behind \\u", byte);
    scan->code = scan->code * 16 + (digit < 10 ? digit : letter + 10);
    return --scan->hex_left == 0 ? end_escape(scan) : true;
}

/* Fails at a word for a number that is not finite. In a body whose arrays may hold true and
 * false, tensors may also come in binary. */
static bool fail_nonfinite(struct json_scan *scan)
{
    return json_scan_fail(scan, JSON_SCAN_MALFORMED, scan->token_place,
                          scan->limits.words
                              ? "JSON has no Infinity and no NaN: send the tensor in binary"
                              : "JSON has no Infinity and no NaN: numbers are finite");
}

/* Reads the number in .token, which is complete because `byte` follows it. */
static bool end_number(struct json_scan *scan, char byte)
{
    struct json_place place = scan->token_place;
    const char *end = scan->token + scan->token_len, *next = NULL;
    double value = 0;

    scan->token[scan->token_len] = byte == '\0' || is_number_byte(byte) ? ' ' : byte;
    const enum json_numbers_state state = json_numbers_f64(scan->token, end + 1, &value, &next);
    if (state == JSON_NUMBERS_HUGE)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, place,
                              "the number is larger than any 64-bit float");
    place.column += (uint64_t)(next - scan->token);
    if (state != JSON_NUMBERS_OK && (*next == 'I' || *next == 'N'))
        return fail_nonfinite(scan);
    if (state != JSON_NUMBERS_OK)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, place, "%s",
                              json_numbers_fault(scan->token, end + 1));
    if (!json_array_put_token(scan, value))
        return false;
    if (next != end) /* such as 1-2 */
        return expected_at(scan, place, behind_value(scan), *next);
    json_step_go(scan, STEP_AFTER);
    return false;
}

static bool step_number(struct json_scan *scan, char byte)
{
    if (json_python_is_infinity(scan, byte))
        return !json_step_go(scan, STEP_WORD);
    if (!is_number_byte(byte) || scan->token_len > JSON_NUMBERS_MAX_LEN)
        return end_number(scan, byte);
    scan->token[scan->token_len++] = byte;
    return true;
}

static bool step_word(struct json_scan *scan, char byte)
{
    static const char *const words[] = {"true", "false", "null"};

    enum { WORD_MAX = 16 };
    if (is_letter(byte) && scan->token_len < WORD_MAX) {
        scan->token[scan->token_len++] = byte;
        return true;
    }
    bool known = json_python_is_word(scan);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        known |= json_step_is(scan, words[i]);
    if (known) {
        if (json_array_put_word(scan))
            json_step_go(scan, STEP_AFTER);
        return false;
    }
    if (json_step_is(scan, "NaN") || json_step_is(scan, "Infinity"))
        return fail_nonfinite(scan);
    return json_scan_fail(scan, JSON_SCAN_MALFORMED, scan->token_place,
                          "JSON has no word %.*s: expected true, false, null, text in double "
                          "quotes or a finite number",
                          (int)scan->token_len, scan->token);
}

static bool step_done(struct json_scan *scan, char byte)
{
    return is_space(byte) || expected(scan, "nothing behind the object", byte);
}

static const step_function steps[STEP_COUNT] = {
    [STEP_START] = step_start,
    [STEP_VALUE] = step_value,
    [STEP_FIRST_ITEM] = step_first_item,
    [STEP_FIRST_NAME] = step_first_name,
    [STEP_NAME] = step_name,
    [STEP_COLON] = step_colon,
    [STEP_AFTER] = step_after,
    [STEP_STRING] = step_string,
    [STEP_ESCAPE] = step_escape,
    [STEP_HEX] = step_hex,
    [STEP_NUMBER] = step_number,
    [STEP_WORD] = step_word,
    [STEP_DONE] = step_done,
};

static bool takes_numbers(const struct json_scan *scan, char byte)
{
    return scan->cut && (scan->step == STEP_VALUE || scan->step == STEP_FIRST_ITEM) &&
           scan->array.level == scan->array.rank &&
           ((unsigned char)(byte - '0') < 10 || byte == '-');
}

/* Reads numbers of an array that is cut out directly from the piece: all that commas follow,
 * then one that another byte follows. Numbers that exceed the limits, cross the end or are
 * wrong are left to the steps, byte by byte. Returns the number of bytes read. */
static size_t take_run(struct json_scan *scan, const char *at, const char *end)
{
    const char *next = at;
    double last = 0;
    size_t count = json_array_put_list(scan, at, end, &next);

    if (scan->verdict != JSON_SCAN_OK)
        return 0;
    const char *behind = next;
    if (json_numbers_f64(next, end, &last, &behind) == JSON_NUMBERS_OK) {
        scan->token_place = json_scan_here(scan); /* the place of a number over a limit */
        if (!json_array_put_text(scan, last, next, (size_t)(behind - next)))
            return 0;
        scan->offset += (uint64_t)(behind - next);
        json_step_go(scan, STEP_AFTER);
        return (size_t)(behind - at);
    }
    if (count > 0)
        json_step_go(scan, STEP_VALUE);
    return (size_t)(next - at);
}

/* Reads many bytes at once where that is possible; returns their number, 0 where it is not. */
static size_t take_many(struct json_scan *scan, const char *at, const char *end)
{
    if (scan->step == STEP_STRING && !scan->half)
        return json_scan_put_text(scan, at, end);
    return takes_numbers(scan, *at) ? take_run(scan, at, end) : 0;
}

enum json_scan_state json_grammar_add(struct json_scan *scan, const char *bytes, size_t len)
{
    const char *at = bytes, *end = bytes + len;

    while (at < end && scan->verdict == JSON_SCAN_OK) {
        const size_t many = take_many(scan, at, end);

        at += many;
        if (many > 0 || scan->verdict != JSON_SCAN_OK)
            continue;
        if (!steps[scan->step](scan, *at))
            continue; /* the next step reads the byte, or the scan has failed */
        if (!json_scan_keep(scan, *at))
            break;
        json_scan_pass(scan, *at++);
    }
    return scan->verdict;
}

enum json_scan_state json_grammar_finish(struct json_scan *scan)
{
    if (scan->verdict == JSON_SCAN_OK && scan->step == STEP_NUMBER)
        end_number(scan, ' '); /* a wrong number is reported first */
    if (scan->verdict != JSON_SCAN_OK || scan->step == STEP_DONE)
        return scan->verdict;
    json_scan_fail(scan, JSON_SCAN_MALFORMED, json_scan_here(scan),
                   scan->step == STEP_START
                       ? "expected a JSON object, {\"name\": value, ...}; got nothing"
                       : "the document ends before its last bracket is closed");
    return scan->verdict;
}
