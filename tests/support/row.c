/* SPDX-License-Identifier: Apache-2.0
 * row.c - see row.h. */
#include "tests/support/row.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EXPECTATION = 4, CONTINUATION = 8 }; /* blanks before them */

/* The state between two lines. */
struct reader {
    struct rows *rows;
    const char *file;
    int line;
    char *input;      /* of the expectations that follow; NULL: none yet */
    bool has_row;     /* the input has an expectation */
    char **continued; /* the text that a continuation adds to; NULL: none */
};

static struct row *add_row(struct reader *reader)
{
    struct rows *rows = reader->rows;

    rows->at = realloc(rows->at, (rows->count + 1) * sizeof *rows->at);
    if (!rows->at)
        abort();
    rows->at[rows->count] = (struct row){.file = reader->file, .line = reader->line};
    reader->has_row = true;
    return &rows->at[rows->count++];
}

static void add_malformed(struct reader *reader, const char *why)
{
    add_row(reader)->malformed = strdup(why);
    reader->continued = NULL;
}

static void end_input(struct reader *reader)
{
    if (reader->input && !reader->has_row)
        add_malformed(reader, "the input above has no expectation");
    free(reader->input);
    reader->input = NULL;
    reader->continued = NULL;
}

static void add_claim(struct reader *reader, const char *claim, size_t len, const char *text)
{
    struct row *row = add_row(reader);

    row->input = strdup(reader->input);
    row->claim = strndup(claim, len);
    row->text = strdup(text);
    reader->continued = &row->text;
}

static void begin_input(struct reader *reader, const char *text)
{
    const char *arrow = strstr(text, " => ");

    end_input(reader);
    reader->has_row = false;
    reader->input = arrow ? strndup(text, (size_t)(arrow - text)) : strdup(text);
    reader->continued = &reader->input;
    if (arrow)
        add_claim(reader, "=>", 2, arrow + strlen(" => "));
}

static void add_expectation(struct reader *reader, const char *text)
{
    const char *colon = strchr(text, ':'), *value = colon ? colon + 1 + (colon[1] == ' ') : "";
    struct row *last =
        reader->rows->count > 0 ? &reader->rows->at[reader->rows->count - 1] : NULL;

    if (!reader->input) {
        add_malformed(reader, "an expectation stands below an input");
    } else if (!colon) {
        add_malformed(reader, "an expectation has a colon");
    } else if (strncmp(text, "hint:", 5) != 0) {
        add_claim(reader, text, (size_t)(colon - text), value);
    } else if (reader->has_row && last->claim && strncmp(last->claim, "refused", 7) == 0 &&
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
    if (text[0] != '\t' && blanks == 0)
        begin_input(reader, text);
    else if (blanks == EXPECTATION)
        add_expectation(reader, text + blanks);
    else if (blanks == CONTINUATION)
        add_continuation(reader, text + blanks);
    else
        add_malformed(reader, "a line begins with no blank, four or eight");
}

void rows_parse(struct rows *rows, const char *file, const char *text)
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
    end_input(&reader);
}

/* Adds a row that fails and names what cannot be read; no test is running yet that could
 * fail. */
static void add_unread(struct rows *rows, const char *path, const char *why)
{
    struct reader reader = {.rows = rows, .file = strdup(path)};

    add_malformed(&reader, why);
}

static void read_file(struct rows *rows, const char *path)
{
    FILE *file = fopen(path, "r");
    size_t size = 0, before = rows->count;
    char *text = NULL;

    if (file && getdelim(&text, &size, '\0', file) > 0)
        rows_parse(rows, strdup(path), text); /* the rows keep the name, for ever */
    if (rows->count == before)
        add_unread(rows, path, "the file cannot be read, or has no rows");
    if (file)
        fclose(file);
    free(text);
}

static bool has_ending(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');

    return dot && strcmp(dot, ending) == 0;
}

static bool is_folder(const char *path)
{
    struct stat file;

    return stat(path, &file) == 0 && S_ISDIR(file.st_mode);
}

static void read_folder(struct rows *rows, const char *path, const char *ending)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);

    if (count < 0) {
        add_unread(rows, path, "cannot be read; run the tests from the top of the sources");
        return;
    }
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char inner[PATH_MAX];

        snprintf(inner, sizeof inner, "%s/%s", path, name);
        if (has_ending(name, ending))
            read_file(rows, inner);
        else if (name[0] != '.' && is_folder(inner))
            read_folder(rows, inner, ending);
        free(entries[i]);
    }
    free(entries);
}

void rows_read_ending(struct rows *rows, const char *path, const char *ending)
{
    size_t before = rows->count;

    if (has_ending(path, ending))
        read_file(rows, path);
    else
        read_folder(rows, path, ending);
    if (rows->count == before)
        add_unread(rows, path, "the folder has no rows");
}

void rows_read(struct rows *rows, const char *path)
{
    rows_read_ending(rows, path, ".txt");
}

const char *row_fault(const struct row *row)
{
    return !row->malformed && row->hint ? "a hint is not read here; write it as a claim"
                                        : row->malformed;
}

void rows_free(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->at[i];

        free(row->input), free(row->claim), free(row->text), free(row->hint);
        free(row->malformed);
    }
    free(rows->at);
}
