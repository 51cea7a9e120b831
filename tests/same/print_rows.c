/* SPDX-License-Identifier: Apache-2.0
 * print_rows.c FOLDER ENDING - the rows of the files below a folder whose names end so (row.h),
 * as JSON, one a line, for programs in another language: file, line, input, claim and text.
 * Those of .scenarios are the steps in the order in which they are done; the names that "keep"
 * gives stay. Where input or text is a request (http_ask.h), "asks" or "text_asks" has its
 * parts; "word" is the first word of the text without its quotes. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/http_ask.h"
#include "tests/support/scenario.h"
#include "tests/support/scenario_steps.h"

/* Adds the parts of a request, if the text is one. */
static void add_request(json_t *object, const char *name, const char *text)
{
    struct http_ask parts;
    json_t *headers = json_array();

    if (!http_ask_parse(&parts, text)) {
        const char *method = parts.method ? parts.method : "GET";

        for (size_t i = 0; i < parts.header_count; i++)
            json_array_append_new(headers, json_string(parts.headers[i]));
        json_object_set_new(object, name,
                            json_pack("{ss ss sO ss?}", "method", method, "target",
                                      parts.target, "headers", headers, "body", parts.body));
    }
    json_decref(headers);
    free(parts.words);
}

static void add_word(json_t *object, const char *text)
{
    char *words = strdup(text), *rest = words, *word = http_ask_word(&rest);

    if (word)
        json_object_set_new(object, "word", json_string(word));
    free(words);
}

static bool print_row(void *cls, const struct row *row)
{
    json_t *object = json_pack("{ss si ss ss ss}", "file", row->file, "line", row->line,
                               "input", row->input, "claim", row->claim, "text", row->text);

    if (!object) {
        fprintf(stderr, "%s:%d: the row is not UTF-8\n", row->file, row->line);
        exit(1);
    }
    add_request(object, "asks", row->input);
    add_request(object, "text_asks", row->text);
    add_word(object, row->text);
    json_dumpf(object, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(object);
    return true;
}

static void print_scenario(const struct row *rows, size_t count)
{
    struct scenario_values values = {0};
    char why[1] = "";
    struct scenario_steps steps = {rows, &values, print_row, NULL, why, sizeof why};

    scenario_steps_hold(&steps, count);
    scenario_values_fini(&values);
}

int main(int argc, char **argv)
{
    struct rows rows = {.count = 0};
    bool scenarios = argc == 3 && strcmp(argv[2], ".scenarios") == 0;

    if (argc != 3)
        return 64;
    rows_read_ending(&rows, argv[1], argv[2]);
    for (size_t at = 0, count; at < rows.count; at += count) {
        const struct row *row = &rows.at[at];

        count = scenarios ? scenario_rows(row, rows.at + rows.count) : 1;
        if (row_fault(row) && !row->hint) {
            fprintf(stderr, "%s:%d: %s\n", row->file, row->line, row_fault(row));
            return 1;
        }
        if (scenarios)
            print_scenario(row, count);
        else
            print_row(NULL, row);
    }
    rows_free(&rows);
    return 0;
}
