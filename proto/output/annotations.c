/* SPDX-License-Identifier: Apache-2.0
 * annotations.c - prints facts and warnings. */
#include "proto/output/annotations.h"

#include <math.h>
#include <string.h>

#include "core/text/float_text.h"

/* Writes the separator and line break before member number i, or before the closing bracket. */
static void begin_line(struct buffer *out, size_t i, size_t indent)
{
    buffer_add_text(out, i == 0 ? "" : ",");
    if (indent > 0)
        buffer_add_format(out, "\n%*s", (int)indent, "");
}

static void end_lines(struct buffer *out, size_t count, size_t indent)
{
    if (indent > 0 && count > 0)
        buffer_add_format(out, "\n%*s", (int)indent - 2, "");
}

/* Writes an infinity as a word of ProtoJSON, because JSON has none. */
static void add_number(struct buffer *out, double number)
{
    char text[FLOAT_TEXT_F64_MAX];

    if (isfinite(number))
        buffer_add(out, text, (size_t)(float_text_f64(text, number) - text));
    else
        buffer_add_text(out, isnan(number) ? "\"NaN\""
                             : number > 0  ? "\"Infinity\""
                                           : "\"-Infinity\"");
}

void annotations_write_facts(struct buffer *out, const struct pe_plan *plan, size_t indent)
{
    size_t count = pe_plan_fact_count(plan);

    buffer_add_text(out, "{");
    for (size_t i = 0; i < count; i++) {
        const struct pe_fact *fact = pe_plan_fact(plan, i);

        begin_line(out, i, indent);
        buffer_add_json(out, fact->name, strlen(fact->name));
        buffer_add_text(out, indent > 0 ? ": " : ":");
        if (fact->text)
            buffer_add_json(out, fact->text, strlen(fact->text));
        else
            add_number(out, fact->number);
    }
    end_lines(out, count, indent);
    buffer_add_text(out, "}");
}

void annotations_write_warnings(struct buffer *out, const struct pe_plan *plan, size_t indent)
{
    size_t count = pe_plan_warning_count(plan);

    buffer_add_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        const char *warning = pe_plan_warning(plan, i);

        begin_line(out, i, indent);
        buffer_add_json(out, warning, strlen(warning));
    }
    end_lines(out, count, indent);
    buffer_add_text(out, "]");
}
