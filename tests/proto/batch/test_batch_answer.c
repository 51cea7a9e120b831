/* SPDX-License-Identifier: Apache-2.0
 * test_batch_answer.c - tests that joined answers are the answers themselves, that a strict
 * reader takes a joined file, and that lack of memory is noted at any allocation. */
#include "proto/batch/batch_answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/batch/batch_body.h"
#include "proto/batch/batch_tag.h"
#include "proto/tensors/safetensors_head.h"
#include "tests/proto/support/ask.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

enum { PARTS = 4 };

/* The requests have elements of 1, 4, 8 and 2 bytes: their order in the file is another. */
static const struct {
    const char *id, *encoding, *query;
} parts[PARTS] = {
    {NULL, "causal-mask", "len=3"},
    {"q", "rope", "pos=0:5&dim=6&out=cos,sin,attention_factor"},
    {"f64", "rope", "pos=0:0&dim=6&dtype=f64"},
    {"blocks.0", "rope", "pos=0:3&dim=6&dtype=bf16"},
};

static char *answer_of(size_t i, const char *format, size_t *len)
{
    char query[128];

    snprintf(query, sizeof query, "%s&format=%s", parts[i].query, format);
    return ask_answer(parts[i].encoding, query, len);
}

static void join(struct batch_answer *answer, const struct format *format, char *bytes[PARTS],
                 const size_t len[PARTS])
{
    batch_answer_init(answer, format);
    for (size_t i = 0; i < PARTS; i++)
        batch_answer_add(answer, parts[i].id, bytes[i], len[i]);
    batch_answer_finish(answer);
}

static void make_answers(char *bytes[PARTS], size_t len[PARTS], const struct format *format)
{
    for (size_t i = 0; i < PARTS; i++)
        bytes[i] = answer_of(i, format->name, &len[i]);
}

static void free_answers(char *bytes[PARTS])
{
    for (size_t i = 0; i < PARTS; i++)
        free(bytes[i]);
}

START_TEST(results_of_json_are_the_answers_themselves)
{
    struct batch_answer answer;
    char *bytes[PARTS];
    size_t len[PARTS];
    json_error_t error;

    make_answers(bytes, len, &format_json);
    join(&answer, &format_json, bytes, len);
    ck_assert(!batch_answer_failed(&answer) && !batch_answer_is_problem(&answer));
    ck_assert_uint_eq(batch_answer_len(&answer), answer.text.len);
    json_t *root =
        json_loadb(answer.text.bytes, answer.text.len, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "%s", error.text);
    for (size_t i = 0; i < PARTS; i++) {
        json_t *item = json_array_get(json_object_get(root, "responses"), i);
        json_t *own = json_loadb(bytes[i], len[i], 0, &error);
        const char *id = json_string_value(json_object_get(item, "id"));

        ck_assert(json_equal(json_object_get(item, "result"), own));
        ck_assert_int_eq((int)json_integer_value(json_object_get(item, "status")), 200);
        ck_assert((!id && !parts[i].id) || strcmp(id, parts[i].id) == 0);
        json_decref(own);
    }
    json_decref(root);
    batch_answer_fini(&answer);
    free_answers(bytes);
}
END_TEST

/* A file of safetensors, read as its format demands. */
struct file {
    struct json_body *head;
    struct safetensors_entry entries[64];
    size_t count;
    const char *data;
    size_t data_len;
};

static void open_file(struct file *file, const char *bytes, size_t len)
{
    char why[WHY_SIZE] = "";
    uint64_t head_len;

    memcpy(&head_len, bytes, sizeof head_len);
    ck_assert_uint_le(head_len, len - sizeof head_len);
    ck_assert_uint_eq(head_len % 8, 0);
    file->head = json_body_new(1 << 20);
    json_body_add(file->head, bytes + sizeof head_len, head_len);
    ck_assert_int_eq(json_body_finish(file->head), JSON_BODY_OK);
    ck_assert_msg(safetensors_head_read(file->head, ELEMENT_ANY, NULL, file->entries, 64,
                                        &file->count, why),
                  "%s", why);
    file->data = bytes + sizeof head_len + head_len;
    file->data_len = len - sizeof head_len - (size_t)head_len;
    ck_assert_uint_eq(file->entries[file->count - 1].end, file->data_len);
}

static const struct safetensors_entry *find(const struct file *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->entries[i].name, name) == 0)
            return &file->entries[i];
    return NULL;
}

static char *join_bytes(const struct batch_answer *answer)
{
    char *bytes = malloc(batch_answer_len(answer)), *at = bytes;

    memcpy(at, answer->text.bytes, answer->text.len);
    at += answer->text.len;
    for (size_t i = 0; i < BATCH_ANSWER_SIZES; i++) {
        if (answer->data[i].len > 0)
            memcpy(at, answer->data[i].bytes, answer->data[i].len);
        at += answer->data[i].len;
    }
    return bytes;
}

/* Compares the tensors of an answer with those of the joined file. */
static void compare(const struct file *joined, const struct file *own, size_t part)
{
    for (size_t i = 0; i < own->count; i++) {
        const struct safetensors_entry *entry = &own->entries[i];
        char name[128];

        if (parts[part].id)
            snprintf(name, sizeof name, "%s.%s", parts[part].id, entry->name);
        else
            snprintf(name, sizeof name, "%zu.%s", part, entry->name);
        const struct safetensors_entry *found = find(joined, name);
        ck_assert_msg(found != NULL, "%s", name);
        ck_assert_ptr_eq(found->layout.type, entry->layout.type);
        ck_assert_uint_eq(found->layout.rank, entry->layout.rank);
        ck_assert_uint_eq(found->begin % found->layout.type->size, 0);
        ck_assert_uint_eq(found->end - found->begin, entry->end - entry->begin);
        ck_assert_int_eq(memcmp(joined->data + found->begin, own->data + entry->begin,
                                entry->end - entry->begin),
                         0);
    }
}

START_TEST(a_strict_reader_finds_every_tensor_of_every_answer)
{
    struct batch_answer answer;
    struct json_body_value metadata, value;
    struct file joined, own;
    char *bytes[PARTS];
    size_t len[PARTS], tensors = 0;

    make_answers(bytes, len, &format_safetensors);
    join(&answer, &format_safetensors, bytes, len);
    ck_assert(!batch_answer_failed(&answer));
    char *whole = join_bytes(&answer);
    open_file(&joined, whole, batch_answer_len(&answer));
    for (size_t i = 0; i < PARTS; i++) {
        open_file(&own, bytes[i], len[i]);
        compare(&joined, &own, i);
        tensors += own.count;
        json_body_free(own.head);
    }
    ck_assert_uint_eq(joined.count, tensors);
    ck_assert(json_body_find(joined.head, NULL, "__metadata__", &metadata));
    ck_assert(json_body_find(joined.head, &metadata, "blocks.0.params", &value));
    ck_assert_ptr_nonnull(strstr(value.text, "\"dtype\":\"bf16\""));
    ck_assert(json_body_find(joined.head, &metadata, "0.encoding", &value));
    ck_assert_str_eq(value.text, "causal-mask");
    json_body_free(joined.head);
    free(whole);
    batch_answer_fini(&answer);
    free_answers(bytes);
}
END_TEST

/* What kind a batch has whose requests have problems of these kinds. */
static const struct {
    enum problem_kind kinds[3], worst;
} kinds[] = {
    {{PROBLEM_UNKNOWN_PARAMETER, PROBLEM_UNKNOWN_PARAMETER, PROBLEM_UNKNOWN_PARAMETER},
     PROBLEM_UNKNOWN_PARAMETER},
    {{PROBLEM_UNKNOWN_PARAMETER, PROBLEM_LIMIT_EXCEEDED, PROBLEM_LIMIT_EXCEEDED},
     PROBLEM_INVALID_PARAMETER},
    {{PROBLEM_UNKNOWN_PARAMETER, PROBLEM_OVERLOADED, PROBLEM_UNKNOWN_PARAMETER},
     PROBLEM_OVERLOADED},
};

START_TEST(a_file_without_an_answer_is_the_problem_of_all)
{
    struct batch_answer answer;

    batch_answer_init(&answer, &format_safetensors);
    for (size_t i = 0; i < 3; i++)
        batch_answer_add_problem(
            &answer, NULL,
            &(struct problem){.kind = kinds[_i].kinds[i], .detail = "some reason"});
    batch_answer_finish(&answer);
    ck_assert(batch_answer_is_problem(&answer));
    ck_assert_int_eq(answer.worst, kinds[_i].worst);
    ck_assert_str_eq(answer.entries.bytes,
                     "{\"pointer\":\"#/requests/0\",\"detail\":\"some reason\"},"
                     "{\"pointer\":\"#/requests/1\",\"detail\":\"some reason\"},"
                     "{\"pointer\":\"#/requests/2\",\"detail\":\"some reason\"}");
    batch_answer_fini(&answer);
}
END_TEST

static const struct format *const formats[] = {&format_json, &format_safetensors};

START_TEST(lack_of_memory_is_noted_at_any_allocation)
{
    const struct format *format = formats[_i];
    char *bytes[PARTS];
    size_t len[PARTS], n = 0;
    bool reached = true;

    make_answers(bytes, len, format);
    for (; reached; n++) {
        struct batch_answer answer;

        alloc_fail_start(n);
        join(&answer, format, bytes, len);
        reached = alloc_fail_stop();
        ck_assert_int_eq(batch_answer_failed(&answer), reached);
        batch_answer_fini(&answer);
    }
    ck_assert_uint_gt(n, 2);
    free_answers(bytes);
}
END_TEST

START_TEST(a_body_without_memory_is_refused_at_any_allocation)
{
    static const char text[] =
        "{\"requests\":[{\"id\":\"a\",\"path\":\"/v1/rope?dim=4&pos=0:2\"},"
        "{\"id\":\"b\",\"encoding\":\"rope/apply\","
        "\"params\":{\"pos\":\"0:1\",\"x\":[[1,0]]}}]}";
    const struct batch_context context = {.format = &format_json};
    struct json_body *json = json_body_new(1000);
    bool reached = true;

    json_body_add(json, text, sizeof text - 1);
    ck_assert_int_eq(json_body_finish(json), JSON_BODY_OK);
    for (size_t n = 0; reached; n++) {
        struct pe_errors errors = {.count = 0};
        struct request *request[2] = {NULL, NULL};
        struct batch_tag *tag;
        struct batch_body body;

        alloc_fail_start(n);
        enum pe_status status = batch_body_check(&body, json, "", &errors);
        for (size_t i = 0; i < 2 && status == PE_OK; i++)
            status = batch_body_read(&body, i, &context, &request[i], &errors);
        tag = batch_tag_new(&format_json);
        reached = alloc_fail_stop();
        if (reached)
            ck_assert(status == PE_NO_MEMORY || !tag);
        else
            ck_assert(status == PE_OK && tag);
        request_free(request[0]);
        request_free(request[1]);
        batch_tag_free(tag);
        batch_body_fini(&body);
    }
    json_body_free(json);
}
END_TEST

SUITE(batch_answer, TEST(results_of_json_are_the_answers_themselves),
      TEST(a_strict_reader_finds_every_tensor_of_every_answer),
      TEST_EACH(a_file_without_an_answer_is_the_problem_of_all, kinds),
      TEST_EACH(lack_of_memory_is_noted_at_any_allocation, formats),
      TEST(a_body_without_memory_is_refused_at_any_allocation));
