/* SPDX-License-Identifier: Apache-2.0
 * batch_safetensors.c - the answer to a batch as one safetensors file, made of a file for each
 * request. Elements of eight bytes come first, then those of four, two and one, so that every
 * tensor is aligned. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/batch/batch_body.h"
#include "proto/batch/batch_writer.h"
#include "proto/http/format.h"
#include "proto/tensors/element_type.h"
#include "proto/text/json_write.h"

enum { ALIGNMENT = 8, PREFIX_SIZE = BATCH_ID_MAX + 2 };

/* The name of the answer before its tensors' names: "q." or "0.". */
static void print_prefix(char prefix[PREFIX_SIZE], const char *id, size_t index)
{
    if (id)
        snprintf(prefix, PREFIX_SIZE, "%s.", id);
    else
        snprintf(prefix, PREFIX_SIZE, "%zu.", index);
}

/* ---- the head of an answer's own file ------------------------------------------------- */

/* The place in a head that is read. Heads are those of proto/output/safetensors.c: no blank is
 * between their members, and what they contain is copied as it is written. */
struct head {
    const char *at;
};

/* Goes on behind a text that stands there for sure. */
static void pass(struct head *head, const char *text)
{
    const size_t len = strlen(text);

    assert(strncmp(head->at, text, len) == 0);
    head->at += len;
}

/* Goes on behind a string, and returns its length with its quotes. */
static size_t pass_string(struct head *head)
{
    const char *begin = head->at;

    assert(*head->at == '"');
    for (head->at++; *head->at != '"'; head->at++)
        head->at += *head->at == '\\';
    head->at++;
    return (size_t)(head->at - begin);
}

/* Goes on behind a comma, if one is there. */
static bool pass_comma(struct head *head)
{
    const bool comma = *head->at == ',';

    head->at += comma;
    return comma;
}

/* Copies a name with its quotes and a colon, and the prefix within the quotes. */
static void copy_name(struct buffer *out, struct head *head, const char *prefix)
{
    const char *name = head->at;
    const size_t len = pass_string(head);

    buffer_add_text(out, out->len == 0 ? "\"" : ",\"");
    buffer_add_text(out, prefix);
    buffer_add(out, name + 1, len - 1);
    buffer_add_text(out, ":");
    pass(head, ":");
}

static void copy_metadata(struct batch_answer *answer, struct head *head, const char *prefix)
{
    pass(head, "{\"__metadata__\":{");
    do {
        copy_name(&answer->metadata, head, prefix);
        const char *value = head->at;
        buffer_add(&answer->metadata, value, pass_string(head));
    } while (pass_comma(head));
    pass(head, "}");
}

/* ---- tensors --------------------------------------------------------------------------- */

/* The place of a tensor among those whose elements have its size: a place in the file once all
 * tensors are known. */
struct place {
    size_t text_end; /* the end of the tensor's entry in .text, up to its places */
    size_t size;     /* index of .data */
    uint64_t begin, bytes;
};

/* Returns the index of .data for the elements of a type: "F64" is 0, "BOOL" 3. */
static size_t size_index(const char *type, size_t len)
{
    char name[8] = "";
    size_t index = 0;

    assert(len < sizeof name);
    memcpy(name, type, len);
    for (size_t size = element_type_find_safetensors(name)->size; size < 8; size *= 2)
        index++;
    return index;
}

static uint64_t pass_number(struct head *head)
{
    char *end;
    const uint64_t number = strtoull(head->at, &end, 10);

    assert(end > head->at);
    head->at = end;
    return number;
}

/* Copies the entry of a tensor up to its places, and its elements. */
static void copy_tensor(struct batch_answer *answer, struct head *head, const char *prefix,
                        const char *data)
{
    struct buffer *text = &answer->text;
    struct place place = {.bytes = 0};

    copy_name(text, head, prefix);
    const char *entry = head->at;
    pass(head, "{\"dtype\":");
    const char *type = head->at + 1;
    place.size = size_index(type, pass_string(head) - 2);
    head->at = strchr(head->at, ']'); /* the end of the shape */
    pass(head, "],\"data_offsets\":");
    buffer_add(text, entry, (size_t)(head->at - entry));
    pass(head, "[");
    const uint64_t begin = pass_number(head);
    pass(head, ",");
    place.bytes = pass_number(head) - begin;
    pass(head, "]}");
    place.begin = answer->data[place.size].len;
    place.text_end = text->len;
    buffer_add(&answer->places, (const char *)&place, sizeof place);
    buffer_add(&answer->data[place.size], data + begin, (size_t)place.bytes);
}

static void add(struct batch_answer *answer, const char *id, const char *bytes, size_t len)
{
    struct head head = {.at = bytes + sizeof(uint64_t)};
    char prefix[PREFIX_SIZE];
    uint64_t head_len;

    memcpy(&head_len, bytes, sizeof head_len);
    assert(head_len < len);
    print_prefix(prefix, id, answer->count);
    copy_metadata(answer, &head, prefix);
    while (pass_comma(&head))
        copy_tensor(answer, &head, prefix, bytes + sizeof head_len + head_len);
    pass(&head, "}");
}

static void add_problem(struct batch_answer *answer, const char *id,
                        const struct problem *problem)
{
    struct buffer *entries = &answer->entries;
    const struct pe_errors *errors = problem->errors;
    char pointer[48];

    (void)id;
    snprintf(pointer, sizeof pointer, "#/requests/%zu", answer->count);
    for (size_t i = 0; errors && i < errors->count; i++)
        problem_write_entry(entries, &errors->at[i], pointer);
    if (errors && errors->count > 0)
        return;
    const char *detail = problem->detail ? problem->detail : problem_title(problem->kind);
    json_write(entries, "{'pointer':'%s','detail':'%s'}", pointer, detail);
}

static void add_tensors(struct buffer *head, const struct batch_answer *answer)
{
    size_t at = 0;

    for (size_t i = 0; i < answer->places.len; i += sizeof(struct place)) {
        struct place place;

        memcpy(&place, answer->places.bytes + i, sizeof place);
        for (size_t size = 0; size < place.size; size++)
            place.begin += answer->data[size].len;
        buffer_add(head, answer->text.bytes + at, place.text_end - at);
        json_write(head, "[%" PRIu64 ",%" PRIu64 "]}", place.begin, place.begin + place.bytes);
        at = place.text_end;
    }
}

static void finish(struct batch_answer *answer)
{
    struct buffer head = {0};
    uint64_t length = 0;

    if (answer->failed > 0 || batch_answer_failed(answer))
        return;
    buffer_add(&head, (const char *)&length, sizeof length); /* set below, when it is known */
    buffer_add_text(&head, "{\"__metadata__\":{");
    buffer_add(&head, answer->metadata.bytes, answer->metadata.len);
    buffer_add_text(&head, "},");
    add_tensors(&head, answer);
    buffer_add_text(&head, "}");
    while (!head.failed && head.len % ALIGNMENT != 0)
        buffer_add_text(&head, " ");
    length = head.len - sizeof length;
    if (!head.failed)
        memcpy(head.bytes, &length, sizeof length);
    buffer_fini(&answer->text);
    buffer_fini(&answer->metadata);
    buffer_fini(&answer->places);
    answer->text = head;
}

const struct batch_writer batch_safetensors = {
    .format = &format_safetensors,
    .whole = true,
    .add = add,
    .add_problem = add_problem,
    .finish = finish,
};
