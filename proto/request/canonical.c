/* SPDX-License-Identifier: Apache-2.0
 * canonical.c - merges arguments and options by name and prints them. */
#include "proto/request/canonical.h"

#include <assert.h>
#include <string.h>

#include "core/text/float_text.h"
#include "proto/text/json_write.h"

/* Walks over the two sorted lists, arguments and options, at once. */
struct cursor {
    const struct pe_args *args;
    const struct option_values *options;
    const char *format;      /* the name of the request's format */
    size_t value, option;    /* index of the next argument, of the next option */
    const char *option_name; /* the next option's name, NULL at the end */
};

struct item {
    const char *name;
    const struct pe_value *value; /* NULL: the item is an option */
    size_t place;                 /* the value's index among the arguments' values */
    enum option_id option;
};

/* Returns whether the option decides bytes of this response. */
static bool has_effect(const struct cursor *cursor, size_t i)
{
    const struct option *option = option_at(i);

    return option->canonical && (!option->of_tensors || cursor->options->said[i]) &&
           option_suits(option, cursor->format);
}

static void find_option(struct cursor *cursor)
{
    while (cursor->option < OPTION_COUNT && !has_effect(cursor, cursor->option))
        cursor->option++;
    cursor->option_name =
        cursor->option < OPTION_COUNT ? option_at(cursor->option)->param.name : NULL;
}

static struct cursor begin(const struct pe_args *args, const struct option_values *options)
{
    const struct pe_choice *formats = option_at(OPTION_FORMAT)->param.choices;
    struct cursor cursor = {.args = args,
                            .options = options,
                            .format = formats[options->value[OPTION_FORMAT]].name};

    find_option(&cursor);
    return cursor;
}

static bool next(struct cursor *cursor, struct item *item)
{
    const struct pe_value *value = cursor->value < pe_args_value_count(cursor->args)
                                       ? pe_args_value(cursor->args, cursor->value)
                                       : NULL;
    const char *option = cursor->option_name;

    if (value && (!option || strcmp(value->name, option) < 0)) {
        *item = (struct item){.name = value->name, .value = value, .place = cursor->value};
        cursor->value++;
        return true;
    }
    if (!option)
        return false;
    *item = (struct item){.name = option, .option = (enum option_id)cursor->option++};
    find_option(cursor);
    return true;
}

/* Returns whether the character is unreserved in RFC 3986, or is "," or ":". */
static bool is_unescaped(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= ':') || (c >= ',' && c <= '.') ||
           (c >= 'A' && c <= 'Z') || c == '_' || c == '~';
}

void canonical_encode(struct buffer *out, const char *text)
{
    while (*text != '\0') {
        size_t len = 0;

        while (is_unescaped(text[len]))
            len++;
        buffer_add(out, text, len);
        text += len;
        if (*text != '\0')
            buffer_add_format(out, "%%%02X", (unsigned)(unsigned char)*text++);
    }
}

/* Adds the mark of a long list. No text contains its "#", which texts have as %23. */
static void add_mark(struct buffer *out, const struct pe_value *value)
{
    size_t cols = value->kind == PE_VALUE_REALS ? value->reals.cols : 0;

    buffer_add_format(out, "#%zux%zu", value->bits_len, cols);
}

void canonical_write(struct buffer *out, const struct pe_args *args,
                     const struct option_values *options)
{
    struct cursor cursor = begin(args, options);
    struct item item;
    char text[OPTION_TEXT_SIZE];

    buffer_add_text(out, "/v1/");
    buffer_add_text(out, pe_name(pe_args_encoding(args)));
    for (const char *mark = "?"; next(&cursor, &item); mark = "&") {
        buffer_add(out, mark, 1);
        buffer_add_text(out, item.name); /* of letters, digits and "_" */
        buffer_add(out, "=", 1);
        if (item.value && !item.value->text)
            add_mark(out, item.value);
        else
            canonical_encode(out, item.value ? item.value->text
                                             : option_print(options, item.option, text));
    }
}

/* Adds [1,2] or [[1,2],[3,4]]. */
static void add_reals(struct buffer *out, const struct pe_reals *reals)
{
    size_t size = reals->cols * (FLOAT_TEXT_F64_MAX + 1) + 2;

    buffer_add_text(out, reals->rows > 1 ? "[[" : "[");
    for (size_t row = 0; row < reals->rows; row++) {
        if (row > 0)
            buffer_add_text(out, "],[");
        char *start = buffer_reserve(out, size);
        if (!start)
            return;
        char *end =
            reals->cols > 0
                ? float_text_f64_list(start, reals->values + row * reals->cols, reals->cols)
                : start;
        buffer_advance(out, (size_t)(end - start));
    }
    buffer_add_text(out, reals->rows > 1 ? "]]" : "]");
}

/* Adds long positions, whose characters need no escape in JSON. */
static void add_long_text(struct buffer *out, const struct pe_args *args, size_t place)
{
    size_t len = pe_args_print(args, place, NULL, 0);

    buffer_add(out, "\"", 1);
    char *text = buffer_reserve(out, len + 1);
    if (text) {
        pe_args_print(args, place, text, len + 1);
        buffer_advance(out, len);
    }
    buffer_add(out, "\"", 1);
}

static void add_value(struct buffer *out, const struct pe_args *args, const struct item *item)
{
    const struct pe_value *value = item->value;

    switch (value->kind) {
    case PE_VALUE_NUMBER:
        buffer_add_text(out, value->text);
        break;
    case PE_VALUE_BOOL:
        json_write_flag(out, NULL, value->flag);
        break;
    case PE_VALUE_TEXT:
        if (!value->text)
            add_long_text(out, args, item->place);
        else
            json_write_text(out, NULL, value->text);
        break;
    case PE_VALUE_REALS:
        add_reals(out, &value->reals);
        break;
    }
}

static void add_option(struct buffer *out, const struct option_values *options,
                       enum option_id id)
{
    char printed[OPTION_TEXT_SIZE];
    const char *text = option_print(options, id, printed);

    if (option_at(id)->param.type == PE_BOOL)
        json_write_flag(out, NULL, options->value[id] != 0);
    else
        json_write_text(out, NULL, text);
}

void canonical_write_json(struct buffer *out, const struct pe_args *args,
                          const struct option_values *options, size_t indent)
{
    struct cursor cursor = begin(args, options);
    struct option_values defaults;
    struct item item;

    option_init(&defaults);
    json_write(out, "{");
    while (next(&cursor, &item)) {
        if (!item.value && !options->said[item.option] &&
            options->value[item.option] == defaults.value[item.option])
            continue;
        json_write_line(out, item.name, indent);
        if (item.value)
            add_value(out, args, &item);
        else
            add_option(out, options, item.option);
    }
    json_write_last_line(out, "}", indent);
}
