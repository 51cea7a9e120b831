/* SPDX-License-Identifier: Apache-2.0
 * proto_row.c - see proto_row.h. */
#include "tests/proto/support/proto_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct proto_row_kind *const tables[] = {proto_row_configs};

/* Finds the kind of a row and the input without the function. */
static const struct proto_row_kind *find_kind(const struct row *row, const char **input)
{
    size_t len = strcspn(row->input, " ?");
    const char *function = row->input;

    *input = row->input + len + (row->input[len] == ' ');
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        for (const struct proto_row_kind *kind = tables[i]; kind->function; kind++) {
            bool named =
                strlen(kind->function) == len && strncmp(kind->function, function, len) == 0;

            if (strcmp(kind->claim, row->claim) != 0)
                continue;
            if (named)
                return kind;
            if (kind->function[0] == '\0') {
                *input = row->input;
                return kind;
            }
        }
    }
    return NULL;
}

bool proto_row_holds(const struct row *row, char *why, size_t size)
{
    const struct proto_row_kind *kind;
    struct buffer out = {0};
    const char *input;
    bool holds;

    if (row->malformed) {
        snprintf(why, size, "%s:%d: %s", row->file, row->line, row->malformed);
        return false;
    }
    kind = find_kind(row, &input);
    if (kind)
        kind->write(&out, input, row->text);
    else
        buffer_add_text(&out, "no such expectation of this input");
    buffer_add(&out, "", 1);
    holds = kind && !out.failed && strcmp(out.bytes, row->text) == 0;
    if (!holds)
        snprintf(why, size, "%s:%d: %s: %s: %s", row->file, row->line, row->input, row->claim,
                 out.failed ? "no memory" : out.bytes);
    buffer_fini(&out);
    return holds;
}

void proto_row_write_errors(struct buffer *out, const struct pe_errors *errors)
{
    for (size_t i = 0; i < errors->count; i++) {
        const struct pe_problem *problem = &errors->at[i];

        buffer_add_format(out, "%s%s %s%s%s", i == 0 ? "" : " | ",
                          problem->parameter[0] ? problem->parameter : "-", problem->detail,
                          problem->hint[0] ? " / " : "", problem->hint);
        if (problem->limit > 0)
            buffer_add_format(out, " (limit %" PRIu64 ", got %" PRIu64 ")", problem->limit,
                              problem->requested);
    }
    if (errors->count == 0)
        buffer_add_text(out, "nothing");
}
