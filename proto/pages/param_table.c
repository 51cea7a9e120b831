/* SPDX-License-Identifier: Apache-2.0
 * param_table.c - see param_table.h. */
#include "proto/pages/param_table.h"

#include <string.h>

#include "core/args/when_clause.h"
#include "proto/describe/param_text.h"
#include "proto/pages/html.h"

/* Writes a text that was made in a buffer, which is then empty. */
static void add_made(struct buffer *out, struct buffer *text)
{
    if (text->failed)
        buffer_fail(out);
    else if (text->len > 0)
        html_add_text(out, text->bytes, text->len);
    buffer_fini(text);
}

static void add_values(struct buffer *out, const struct pe_param *param)
{
    struct buffer text = {0};

    if (param->type == PE_CHOICE && param->choices) {
        buffer_add_text(out, "one of these");
    } else {
        param_text_values(&text, param);
        add_made(out, &text);
    }
    if (param->unit)
        html_add(out, " <span class=\"unit\">%s</span>", param->unit);
}

static void add_default(struct buffer *out, const struct pe_param *param)
{
    struct buffer text = {0};

    param_text_default(&text, "", param);
    if (param->required)
        buffer_add_text(out, "required");
    else if (text.len > 0)
        html_add(out, "<code>%s</code>", text.bytes);
    if (text.failed)
        buffer_fail(out);
    buffer_fini(&text);
}

static void add_choices(struct buffer *out, const struct pe_choice *choices)
{
    buffer_add_text(out, "\n<dl class=\"choices\">\n");
    for (const struct pe_choice *choice = choices; choice->name; choice++) {
        html_add(out, "<dt><code>%s</code>", choice->name);
        for (const char *const *alias = choice->aliases; alias && *alias; alias++)
            html_add(out, ", <code>%s</code>", *alias);
        html_add(out, "</dt><dd>%s", choice->summary ? choice->summary : "");
        if (choice->stands_for)
            html_add(out, "; stands for <code>%s</code>", choice->stands_for);
        buffer_add_text(out, "</dd>\n");
    }
    buffer_add_text(out, "</dl>\n");
}

/* Writes "scaling=yarn|ggml&!factor" as "(only with scaling=yarn or ggml and no factor)". */
static void add_when(struct buffer *out, const char *when)
{
    struct when_clause clause;
    const char *word;
    size_t len;

    buffer_add_text(out, " <span class=\"when\">(only with ");
    while (when_clause_next(&when, &clause)) {
        const char *mark = "=";

        buffer_add_text(out, clause.negated ? "no " : "");
        html_add_text(out, clause.name, clause.name_len);
        for (; when_clause_word(&clause, &word, &len); mark = " or ") {
            buffer_add_text(out, mark);
            html_add_text(out, word, len);
        }
        if (*when != '\0')
            buffer_add_text(out, clause.last ? ", or " : " and ");
    }
    buffer_add_text(out, ")</span>");
}

static void add_row(struct buffer *out, const struct pe_param *param)
{
    html_add(out, "<tr id=\"p-%s\"><th scope=\"row\"><code>%s</code></th><td>", param->name,
             param->name);
    add_values(out, param);
    buffer_add_text(out, "</td><td>");
    add_default(out, param);
    html_add(out, "</td><td>%s", pe_param_summary(param));
    if (param->when)
        add_when(out, param->when);
    if (param->type == PE_CHOICE && param->choices)
        add_choices(out, param->choices);
    buffer_add_text(out, "</td></tr>\n");
}

static void add_group(struct buffer *out, const struct pe_encoding *enc, enum pe_group group)
{
    size_t count, rows = 0;
    const struct pe_param *param = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++) {
        if (pe_param_group(&param[i]) != group)
            continue;
        if (rows++ == 0)
            html_add(out,
                     "<div class=\"wide\" tabindex=\"0\" id=\"g-%s\"><table "
                     "class=\"params\">\n"
                     "<caption>%s</caption>\n"
                     "<thead><tr><th scope=\"col\">Parameter</th><th scope=\"col\">Values</th>"
                     "<th scope=\"col\">Default</th><th scope=\"col\">What it is</th></tr>"
                     "</thead>\n<tbody>\n",
                     pe_group_name(group), pe_group_name(group));
        add_row(out, &param[i]);
    }
    buffer_add_text(out, rows > 0 ? "</tbody>\n</table></div>\n" : "");
}

void param_table_add(struct buffer *out, const struct pe_encoding *enc)
{
    for (int group = PE_GROUP_POSITIONS; group <= PE_GROUP_ARITHMETIC; group++)
        add_group(out, enc, (enum pe_group)group);
}

static bool has_group(const struct pe_encoding *enc, enum pe_group group)
{
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (pe_param_group(&param[i]) == group)
            return true;
    return false;
}

void param_table_add_contents(struct buffer *out, const struct pe_encoding *enc)
{
    const char *comma = "";

    for (int group = PE_GROUP_POSITIONS; group <= PE_GROUP_ARITHMETIC; group++) {
        const char *name = pe_group_name((enum pe_group)group);

        if (!has_group(enc, (enum pe_group)group))
            continue;
        html_add(out, "%s<a href=\"#g-%s\">%s</a>", comma, name, name);
        comma = ", ";
    }
}

const struct pe_param *param_table_find(const struct pe_encoding *enc, const char *name,
                                        size_t len)
{
    const struct pe_param *found = pe_param_find(enc, name, len);
    size_t count;
    const struct pe_param *rows = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (found == &rows[i])
            return found;
    return NULL; /* an option of every request */
}
