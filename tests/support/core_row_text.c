/* SPDX-License-Identifier: Apache-2.0
 * core_row_text.c - rows of requests read from text files. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/core_row.h"

enum { EXPECTATION = 4, CONTINUATION = 8 }; /* blanks before them */

/* The state between two lines. */
struct reader {
    struct core_rows *rows;
    const char *file;
    int line;
    char *request;    /* of the expectations that follow; NULL: none yet */
    bool has_row;     /* the request has an expectation */
    char **continued; /* the text that a continuation adds to; NULL: none */
};

static struct core_row *add_row(struct reader *reader)
{
    struct core_rows *rows = reader->rows;

    rows->at = realloc(rows->at, (rows->count + 1) * sizeof *rows->at);
    if (!rows->at)
        abort();
    rows->at[rows->count] = (struct core_row){.file = reader->file, .line = reader->line};
    reader->has_row = true;
    return &rows->at[rows->count++];
}

static void add_malformed(struct reader *reader, const char *why)
{
    add_row(reader)->malformed = strdup(why);
    reader->continued = NULL;
}

static void end_request(struct reader *reader)
{
    if (reader->request && !reader->has_row)
        add_malformed(reader, "the request above has no expectation");
    free(reader->request);
    reader->request = NULL;
    reader->continued = NULL;
}

static void begin_request(struct reader *reader, const char *text)
{
    end_request(reader);
    reader->has_row = false;
    reader->request = strdup(text);
    reader->continued = &reader->request;
    if (!strchr(text, '?') || strchr(text, ' '))
        add_malformed(reader, "a request is ENCODING?QUERY, without blanks");
}

static void add_expectation(struct reader *reader, const char *text)
{
    const char *colon = strchr(text, ':'), *value = colon ? colon + 1 + (colon[1] == ' ') : "";
    struct core_row *last =
        reader->rows->count > 0 ? &reader->rows->at[reader->rows->count - 1] : NULL;

    if (!reader->request) {
        add_malformed(reader, "an expectation stands below a request");
    } else if (!colon) {
        add_malformed(reader, "an expectation has a colon");
    } else if (strncmp(text, "hint:", 5) != 0) {
        last = add_row(reader);
        last->request = strdup(reader->request);
        last->claim = strndup(text, (size_t)(colon - text));
        last->text = strdup(value);
        reader->continued = &last->text;
    } else if (reader->has_row && last->claim && strncmp(last->claim, "refused ", 8) == 0 &&
               !last->hint) {
        last->hint = strdup(value);
        reader->continued = &last->hint;
    } else {
        add_malformed(reader, "a hint stands below a refusal");
    }
}

/* Parameters are joined as they stand, words by a blank. */
static void add_continuation(struct reader *reader, const char *text)
{
    char *whole;

    if (!reader->continued) {
        add_malformed(reader, "eight blanks continue a line, and there is none to continue");
        return;
    }
    if (asprintf(&whole, "%s%s%s", *reader->continued, text[0] == '&' ? "" : " ", text) < 0)
        abort();
    free(*reader->continued);
    *reader->continued = whole;
}

static void add_line(struct reader *reader, const char *text)
{
    size_t blanks = strspn(text, " ");

    if (text[0] == '#' || text[blanks] == '\0')
        return;
    if (text[0] >= 'a' && text[0] <= 'z')
        begin_request(reader, text);
    else if (blanks == EXPECTATION)
        add_expectation(reader, text + blanks);
    else if (blanks == CONTINUATION)
        add_continuation(reader, text + blanks);
    else
        add_malformed(reader, "a line begins with no blank, four or eight");
}

void core_rows_parse(struct core_rows *rows, const char *file, const char *text)
{
    struct reader reader = {.rows = rows, .file = file};

    for (const char *end; *text; text = *end ? end + 1 : end) {
        char *line;

        end = strchrnul(text, '\n');
        line = strndup(text, (size_t)(end - text));
        if (!line)
            abort();
        reader.line++;
        add_line(&reader, line);
        free(line);
    }
    end_request(&reader);
}

/* Adds a row that fails and names what cannot be read; no test is running yet that could
 * fail. */
static void add_unread(struct core_rows *rows, const char *path, const char *why)
{
    struct reader reader = {.rows = rows, .file = strdup(path)};

    add_malformed(&reader, why);
}

static void read_file(struct core_rows *rows, const char *path)
{
    FILE *file = fopen(path, "r");
    size_t size = 0, before = rows->count;
    char *text = NULL;

    if (file && getdelim(&text, &size, '\0', file) > 0)
        core_rows_parse(rows, strdup(path), text); /* the rows keep the name, for ever */
    if (rows->count == before)
        add_unread(rows, path, "the file cannot be read, or has no rows");
    if (file)
        fclose(file);
    free(text);
}

void core_rows_read(struct core_rows *rows, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);

    if (count < 0) {
        add_unread(rows, folder, "cannot be read; run the tests from the top of the sources");
        return;
    }
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name, *dot = strrchr(name, '.');
        char path[512];

        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (dot && strcmp(dot, ".txt") == 0)
            read_file(rows, path);
        else if (!dot && entries[i]->d_type == DT_DIR)
            core_rows_read(rows, path);
        free(entries[i]);
    }
    free(entries);
}

void core_rows_free(struct core_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct core_row *row = &rows->at[i];

        free(row->request), free(row->claim), free(row->text), free(row->hint);
        free(row->malformed);
    }
    free(rows->at);
}
