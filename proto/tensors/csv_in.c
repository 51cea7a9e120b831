/* SPDX-License-Identifier: Apache-2.0
 * csv_in.c - reads one matrix of numbers as text, a row a line, as numpy.savetxt and
 * pandas.to_csv write it: separated by commas, semicolons, tabs or spaces. A first line of
 * names, empty lines and what follows a # are passed over. Each number is read as it arrives;
 * only the numbers are kept until the end, when how many rows there are is known. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/decimals.h"
#include "proto/tensors/tensor_format.h"

enum { WORD_MOST = 63, ECHO_MAX = 40, PIECE = 512 };

struct csv {
    char word[WORD_MOST + 1];
    size_t word_len; /* it may be longer than what is kept */
    bool in_cell;    /* a word stands behind the last comma of the line */
    bool passing;    /* the rest of the line is a comment, or names */
    enum pe_dtype dtype;
    double *numbers;
    size_t count, capacity, rows, cols;
    size_t line, begun; /* lines that ended; numbers before this one */
};

/* ---- words ------------------------------------------------------------------------------- */

static bool is_separator(char c)
{
    return c == ',' || c == ';' || c == '\t' || c == ' ' || c == '\r' || c == '"';
}

/* Returns the number that the word is; false: it is none. */
static bool read_number(struct csv *csv, double *number)
{
    static const char letters[] = "0123456789+-.eEinfatyINFATY";
    char *end;

    if (csv->word_len > WORD_MOST)
        return false;
    csv->word[csv->word_len] = '\0';
    *number = strtod(csv->word, &end);
    return strspn(csv->word, letters) == csv->word_len && *end == '\0';
}

/* Keeps a number, whose memory is charged before it is there. */
static void keep(struct tensor_reader *reader, struct csv *csv, double number)
{
    if (csv->count == csv->capacity) {
        const size_t more = csv->capacity ? csv->capacity : 1024;

        if (!tensor_reader_reserve(reader, more * sizeof number))
            return;
        double *numbers = realloc(csv->numbers, (csv->capacity + more) * sizeof *csv->numbers);
        if (!numbers) {
            tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
            return;
        }
        csv->numbers = numbers;
        csv->capacity += more;
    }
    if (csv->count == 0 || csv->dtype == PE_F32)
        csv->dtype = decimals_type(&number, 1);
    csv->numbers[csv->count++] = number;
}

/* Returns whether nothing of the first row was read, so that names may stand here. */
static bool may_be_names(const struct csv *csv)
{
    return csv->rows == 0 && csv->count == csv->begun;
}

static void end_word(struct tensor_reader *reader, struct csv *csv)
{
    double number;

    if (csv->word_len == 0)
        return;
    if (read_number(csv, &number))
        keep(reader, csv, number);
    else if (may_be_names(csv))
        csv->passing = true;
    else
        tensor_reader_fail(
            reader, TENSOR_MALFORMED,
            "line %zu must have numbers, separated by commas; got %.*s", csv->line + 1,
            (int)(csv->word_len < ECHO_MAX ? csv->word_len : ECHO_MAX), csv->word);
    csv->word_len = 0;
    csv->in_cell = true;
}

/* ---- lines ------------------------------------------------------------------------------- */

static void end_line(struct tensor_reader *reader, struct csv *csv)
{
    const size_t cols = csv->count - csv->begun;

    csv->line++;
    csv->begun = csv->count;
    csv->in_cell = csv->passing = false;
    if (cols == 0)
        return;
    if (csv->rows > 0 && cols != csv->cols)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "line %zu must have %zu numbers, as the lines before it; got %zu",
                           csv->line, csv->cols, cols);
    csv->cols = cols;
    csv->rows++;
}

/* Ends a cell, which without a number is an error, or the first one of a line of names. */
static void end_cell(struct tensor_reader *reader, struct csv *csv)
{
    if (!csv->in_cell && may_be_names(csv))
        csv->passing = true;
    else if (!csv->in_cell)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "line %zu must have a number, or nan, between its commas",
                           csv->line + 1);
    csv->in_cell = false;
}

static void add_byte(struct tensor_reader *reader, struct csv *csv, char c)
{
    const bool ends = c == '\n' || c == '#' || is_separator(c);

    if (csv->passing && c != '\n')
        return;
    if (!ends) {
        if (csv->word_len < WORD_MOST)
            csv->word[csv->word_len] = c;
        csv->word_len++;
        return;
    }
    end_word(reader, csv);
    if (reader->state != TENSOR_OK)
        return;
    if (c == '\n')
        end_line(reader, csv);
    else if (c == '#')
        csv->passing = true;
    else if ((c == ',' || c == ';') && !csv->passing)
        end_cell(reader, csv);
}

/* ---- the body ---------------------------------------------------------------------------- */

/* Hands the numbers over, of a line or of a column alone as a list. */
static void hand_over(struct tensor_reader *reader, struct csv *csv)
{
    const bool is_list = csv->rows == 1 || csv->cols == 1;
    const struct pe_tensor info = {.dtype = csv->dtype,
                                   .rank = is_list ? 1 : 2,
                                   .dims = {is_list ? csv->count : csv->rows, csv->cols}};
    const struct tensor_layout layout = tensor_layout_of(&info);
    double piece[PIECE];

    if (tensor_reader_expect(reader, tensor_reader_only_name(reader), &layout) != TENSOR_OK)
        return;
    reader->set.at[reader->set.count - 1].text = true;
    tensor_reader_begin_tensor(reader);
    for (size_t i = 0; i < csv->count && reader->state == TENSOR_OK; i += PIECE) {
        const size_t count = csv->count - i < PIECE ? csv->count - i : PIECE;

        pe_dtype_from_f64(csv->dtype, piece, csv->numbers + i, count);
        (void)tensor_reader_fill(reader, (const char *)piece,
                                 count * pe_dtype_size(csv->dtype));
    }
    reader->in_data = true;
}

static size_t head(struct tensor_reader *reader, const char *bytes, size_t len)
{
    struct csv *csv = reader->head;

    if (len > reader->source.max_bytes - reader->taken)
        tensor_reader_fail(reader, TENSOR_TOO_LARGE, "a body has at most %ju bytes",
                           (uintmax_t)reader->source.max_bytes);
    for (size_t i = 0; i < len && reader->state == TENSOR_OK; i++)
        add_byte(reader, csv, bytes[i]);
    return len;
}

static void finish(struct tensor_reader *reader)
{
    struct csv *csv = reader->head;

    add_byte(reader, csv, '\n');
    if (reader->state != TENSOR_OK)
        return;
    if (csv->count == 0)
        tensor_reader_fail(reader, TENSOR_MALFORMED, "the text has no numbers");
    else
        hand_over(reader, csv);
}

static void end(struct tensor_reader *reader)
{
    struct csv *csv = reader->head;

    free(csv->numbers);
}

/* Text in which a number, a comment, or a line of names above a number is first. */
static bool sniff(const unsigned char *bytes, size_t len)
{
    size_t at = 0;

    for (size_t i = 0; i < len; i++)
        if (!isprint(bytes[i]) && !isspace(bytes[i]))
            return false;
    while (at < len && isspace(bytes[at]))
        at++;
    if (at == len || bytes[at] == '{' || bytes[at] == '[')
        return false;
    if (isdigit(bytes[at]) || memchr("-+.#", bytes[at], 4))
        return true;
    const unsigned char *comma = memchr(bytes, ',', len), *line = memchr(bytes, '\n', len);
    return line && line + 1 < bytes + len ? isdigit(line[1]) || memchr("-+.", line[1], 3)
                                          : comma != NULL;
}

static const char *const media_types[] = {"text/csv", NULL};

const struct tensor_format csv_in = {
    .media_types = media_types,
    .summary = "one matrix of numbers as text, a row a line, perhaps below a line of names",
    .unnamed = true,
    .judged = true,
    .sniff = sniff,
    .state_size = sizeof(struct csv),
    .head = head,
    .finish = finish,
    .end = end,
};
