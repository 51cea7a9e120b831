/* SPDX-License-Identifier: Apache-2.0
 * proto_row.c - see proto_row.h. */
#include "tests/proto/support/proto_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct proto_row_kind *const tables[] = {
    proto_row_configs, proto_row_numbers,   proto_row_texts,   proto_row_tensors,
    proto_row_claims,  proto_row_inference, proto_row_batches, proto_row_requests};

static bool claims(const struct proto_row_kind *kind, const char *claim)
{
    size_t len = strlen(kind->claim);

    return kind->claim[len - 1] == ' ' ? strncmp(kind->claim, claim, len) == 0
                                       : strcmp(kind->claim, claim) == 0;
}

/* Finds the kind of a row and the input without the function. */
static const struct proto_row_kind *find_kind(const struct row *row, const char **input)
{
    size_t len = strcspn(row->input, " ");

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        for (const struct proto_row_kind *kind = tables[i]; kind->function; kind++) {
            bool request = kind->function[0] == '\0';
            bool named =
                strlen(kind->function) == len && memcmp(kind->function, row->input, len) == 0;

            *input = row->input + (request ? 0 : len + (row->input[len] == ' '));
            if ((request || named) && claims(kind, row->claim))
                return kind;
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

    if (row_fault(row)) {
        snprintf(why, size, "%s:%d: %s", row->file, row->line, row_fault(row));
        return false;
    }
    kind = find_kind(row, &input);
    if (kind)
        kind->write(&out, input, row);
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

char *proto_row_decode(const char *text, size_t *len)
{
    char *bytes = calloc(1, strlen(text) + 1), *at = bytes;
    unsigned byte;

    for (; bytes && *text; at++) {
        int used = 0;

        if (sscanf(text, "%%%2x%n", &byte, &used) == 1 && used == 3)
            *at = (char)byte;
        else
            *at = *text, used = 1;
        text += used;
    }
    if (len)
        *len = (size_t)(at - bytes);
    return bytes;
}
