/* SPDX-License-Identifier: Apache-2.0
 * annotations.c - prints facts and warnings. */
#include "proto/output/annotations.h"

#include "proto/text/json_write.h"

void annotations_write_facts(struct buffer *out, const struct pe_plan *plan, size_t indent)
{
    json_write(out, "{");
    for (size_t i = 0; i < pe_plan_fact_count(plan); i++) {
        const struct pe_fact *fact = pe_plan_fact(plan, i);

        json_write_line(out, fact->name, indent);
        if (fact->text)
            json_write_text(out, NULL, fact->text);
        else
            json_write_number(out, NULL, fact->number);
    }
    json_write_last_line(out, "}", indent);
}

void annotations_write_warnings(struct buffer *out, const struct pe_plan *plan, size_t indent)
{
    json_write(out, "[");
    for (size_t i = 0; i < pe_plan_warning_count(plan); i++) {
        json_write_line(out, NULL, indent);
        json_write_text(out, NULL, pe_plan_warning(plan, i));
    }
    json_write_last_line(out, "]", indent);
}
