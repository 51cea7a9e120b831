/* SPDX-License-Identifier: Apache-2.0
 * fields.c - see fields.h. */
#include "proto/describe/fields.h"

#include <string.h>

#include "proto/request/query.h"
#include "proto/text/json_write.h"
#include "proto/text/word.h"

enum { MOST = 64, ECHO_MAX = 40 };

/* Writes the names with a mark between them. */
static void add_names(struct buffer *out, const struct fields *fields, const char *mark)
{
    for (size_t i = 0; i < fields->count; i++)
        buffer_add_format(out, "%s%s", i == 0 ? "" : mark, fields->rows[i].name);
}

static enum pe_status refuse(const struct fields *fields, const char *word, size_t len,
                             struct pe_errors *errors)
{
    const char *names[MOST], *near;
    struct buffer all = {0};

    for (size_t i = 0; i < fields->count; i++)
        names[i] = fields->rows[i].name;
    add_names(&all, fields, ", ");
    if (all.failed)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    pe_fail(errors, PE_BAD_VALUE, "fields", "must name members, each once, of: %s; got %.*s",
            all.bytes, (int)(len < ECHO_MAX ? len : ECHO_MAX), word);
    buffer_fini(&all);
    near = pe_suggest(word, len, names, fields->count);
    if (near && !word_is(near, word, len))
        pe_hint(errors, "did you mean %s?", near);
    return PE_BAD_VALUE;
}

enum pe_status fields_parse(const struct fields *fields, const char *text, size_t len,
                            uint64_t *set, struct pe_errors *errors)
{
    uint64_t found = 0;

    for (const char *word = text, *end = text + len; word <= end;) {
        const char *comma = memchr(word, ',', (size_t)(end - word));
        size_t word_len = (size_t)((comma ? comma : end) - word), i = 0;

        while (i < fields->count && !word_is(fields->rows[i].name, word, word_len))
            i++;
        if (i == fields->count || (found >> i & 1) != 0)
            return refuse(fields, word, word_len, errors);
        found |= UINT64_C(1) << i;
        word += word_len + 1;
    }
    *set = found;
    return PE_OK;
}

static enum pe_status parse_words(const struct query_parameter *given,
                                  char words[FIELDS_WORDS_MAX], struct pe_errors *errors)
{
    if (given->value_len >= FIELDS_WORDS_MAX)
        return pe_fail(errors, PE_BAD_VALUE, "q", "must be words of at most %d characters",
                       FIELDS_WORDS_MAX - 1);
    memcpy(words, given->value, given->value_len);
    words[given->value_len] = '\0';
    return PE_OK;
}

enum pe_status fields_parse_query(const struct fields *fields, const char *query, size_t len,
                                  struct fields_query *asked, struct pe_errors *errors)
{
    struct query parsed;
    enum pe_status status = PE_OK;
    bool given[2] = {false, false};

    *asked = (struct fields_query){.set = FIELDS_ALL};
    if (len == 0)
        return PE_OK;
    status = query_parse(&parsed, query, len, errors);
    for (size_t i = 0; i < parsed.count; i++) {
        const struct query_parameter *at = &parsed.at[i];
        bool is_words = fields->searched && strcmp(at->name, "q") == 0;
        enum pe_status read = PE_OK;

        if (!is_words && strcmp(at->name, "fields") != 0)
            read = pe_fail(errors, PE_UNKNOWN_PARAMETER, at->name,
                           "unknown parameter; this path takes %s",
                           fields->searched ? "fields and q" : "fields alone");
        else if (given[is_words])
            read = pe_fail(errors, PE_REPEATED_PARAMETER, at->name,
                           "is given twice; give it once");
        else if (is_words)
            read = parse_words(at, asked->words, errors);
        else
            read = fields_parse(fields, at->value, at->value_len, &asked->set, errors);
        given[is_words] |= read != PE_UNKNOWN_PARAMETER;
        status = status == PE_OK ? read : status;
    }
    query_fini(&parsed);
    return status;
}

void fields_write_open(struct buffer *out, const struct fields *fields, uint64_t set,
                       const void *entry)
{
    json_write(out, "{");
    for (size_t i = 0; i < fields->count; i++) {
        const size_t before = out->len;

        if ((set >> i & 1) == 0)
            continue;
        json_write_key(out, fields->rows[i].name);
        const size_t value = out->len;
        fields->rows[i].write(out, entry);
        if (out->failed)
            return;
        if (out->len == value)
            out->len = before; /* the entry has no such member */
    }
}

void fields_write(struct buffer *out, const struct fields *fields, uint64_t set,
                  const void *entry)
{
    fields_write_open(out, fields, set, entry);
    json_write(out, "}");
}

void fields_write_parameters(struct buffer *out, const struct fields *fields)
{
    json_write(out, "{'name':'fields','in':'query','style':'form','explode':false,"
                    "'description':'members of each entry, joined by commas; all by default',"
                    "'schema':{'type':'array','minItems':1,'uniqueItems':true,"
                    "'items':{'type':'string','enum':[");
    for (size_t i = 0; i < fields->count; i++)
        json_write_text(out, NULL, fields->rows[i].name);
    json_write(out, "]}}}");
    if (fields->searched)
        json_write(out,
                   "{'name':'q','in':'query','description':'words, in any case, of which each "
                   "must be part of a name, the organisation or the family',"
                   "'schema':{'type':'string','maxLength':%d}}",
                   FIELDS_WORDS_MAX - 1);
}
